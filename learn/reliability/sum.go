package reliability

import (
	"context"
	"math"

	"fubini/core/parallel"
)

// Sum is the log likelihood of all votes at a point, and its derivatives.
type Sum struct {
	Value    float64
	Gradient []float64
	// Information is what the votes would have if reliabilities were seen, averaged over their posteriors, and Missing what is
	// lost of it because they are not: the observed information is their difference. Lower triangles.
	Information, Missing []float64
	Raters               []Posterior
}

// pass is what an evaluation computes beside the value.
type pass struct {
	scores      bool // the gradient
	information bool
	all         bool // the information exactly for raters on no grid too, and Lean
}

// Gradient returns the log likelihood and its gradient.
func (p *Panel) Gradient(ctx context.Context, theta []float64, jobs int) (*Sum, error) {
	return p.evaluate(ctx, theta, jobs, pass{scores: true})
}

// Step returns the log likelihood, its gradient and the information, for a Newton step.
func (p *Panel) Step(ctx context.Context, theta []float64, jobs int) (*Sum, error) {
	return p.evaluate(ctx, theta, jobs, pass{scores: true, information: true})
}

// Observed returns the log likelihood with the exact observed information, and the whole posterior of each rater.
func (p *Panel) Observed(ctx context.Context, theta []float64, jobs int) (*Sum, error) {
	sum, err := p.evaluate(ctx, theta, jobs, pass{scores: true, information: true, all: true})
	if err != nil {
		return nil, err
	}
	prior := p.Prior(theta)
	for r := range sum.Raters {
		own := &sum.Raters[r]
		if own.Place.SD == 0 { // without votes
			own.Place, own.Mean, own.Variance = prior.Place(), 1, prior.Variance()
			at := &p.points[r]
			for q := range own.Weights {
				own.Weights[q] = at.step * math.Exp(prior.log(at.node(q)))
			}
		}
	}
	return sum, nil
}

// evaluate sums over all raters.
func (p *Panel) evaluate(ctx context.Context, theta []float64, jobs int, what pass) (*Sum, error) {
	if p.points == nil {
		p = p.Moved(theta, make([]Posterior, p.Raters), 1)
	}
	parts := make([]*Sum, len(p.Parts)-1)
	raters := make([]Posterior, p.Raters)
	start := func(part int) {
		parts[part] = &Sum{Gradient: make([]float64, p.Global)}
		if what.information {
			parts[part].Information, parts[part].Missing = make([]float64, p.Global*p.Global), make([]float64, p.Global*p.Global)
		}
	}
	err := p.each(ctx, theta, jobs, what.scores, start, func(w *integral, part, r, first, end int) error {
		sum, times := parts[part], p.count(r)
		sum.Value += times * w.value
		if what.scores {
			w.spread()
			for _, k := range w.active {
				mean := w.mean(k)
				sum.Gradient[k] += times * mean
				column := w.column[k*nodes : (k+1)*nodes]
				for q := range column {
					column[q] -= mean
				}
			}
		}
		if what.all {
			w.lean()
		}
		raters[r] = w.own
		if !what.information {
			return nil
		}
		w.missing(times, sum.Missing)
		for q, share := range w.own.Weights {
			sum.Information[p.Spread*(p.Global+1)] += times * share * w.prior.information(w.at.node(q))
		}
		if w.at.stride > 0 {
			return nil // with all others on the grid
		}
		return w.seen(first, end, times, what.all, sum.Information)
	})
	if err != nil {
		return nil, err
	}
	total := parts[0]
	for _, more := range parts[1:] {
		total.Value += more.Value
		add(total.Gradient, more.Gradient)
		add(total.Information, more.Information)
		add(total.Missing, more.Missing)
	}
	total.Raters = raters
	if what.information && p.grid.used != nil {
		err = p.seen(ctx, theta, raters, jobs, total.Information)
	}
	return total, err
}

// seen is the information of the votes if all reliabilities were seen, averaged over their posteriors, of the raters whose points are
// on the grid: added to that given, the lower triangle of a matrix of global rows.
func (p *Panel) seen(ctx context.Context, theta []float64, raters []Posterior, jobs int, information []float64) error {
	c, parts := p.rows, len(p.rows.Parts)-1
	matrices := make([][]float64, parts)
	err := parallel.Each(ctx, parts, jobs, func(_, part int) error {
		matrices[part] = make([]float64, p.Global*p.Global)
		m, weight := c.NewLocal(), make([]float64, len(p.grid.used))
		for each := c.Parts[part]; each < c.Parts[part+1]; each++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			m.Load(theta, c.Groups[each].Vote)
			clear(weight)
			for o := c.Groups[each].First; o < c.Groups[each+1].First; o++ {
				for _, k := range c.at[c.first[o]:c.first[o+1]] {
					row := p.Orders[k]
					r := p.RaterOf(row.Vote)
					if own := &p.points[r]; own.stride > 0 {
						w := row.Weight * p.count(int(r))
						for q, share := range raters[r].Weights {
							weight[own.at+q*own.stride] += w * share
						}
					}
				}
				if !m.ByVote() && o+1 < c.Groups[each+1].First { // one sum for all outcomes
					continue
				}
				for k, w := range weight {
					if w == 0 {
						continue
					}
					m.Scale(math.Exp(p.grid.node(k)))
					if m.ByVote() {
						m.OfVote(c.TiersOf(c.Orders[o].Vote), true)
					} else if err := m.Expect(true); err != nil {
						return err
					}
					m.AddInformation(matrices[part], p.Global, w)
				}
				clear(weight)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, more := range matrices {
		for k, v := range more {
			information[k] += v
		}
	}
	return nil
}

func add(to, more []float64) {
	for k, v := range more {
		to[k] += v
	}
}

// each calls visit with the votes of every rater who has some, weighed by the prior. Points must have been placed. The parts of the work are those of the
// data, so that sums do not depend on the number of workers.
func (p *Panel) each(ctx context.Context, theta []float64, jobs int, scores bool, start func(part int), visit func(w *integral, part, r, first, end int) error) error {
	var t table
	if p.grid.used != nil {
		var err error
		if t, err = p.rows.tabulate(ctx, p.grid, theta, jobs, scores); err != nil {
			return err
		}
	}
	alike := p.Data.WithoutRaters()
	return parallel.Each(ctx, len(p.Parts)-1, jobs, func(_, part int) error {
		w := &integral{Panel: p, Local: alike.NewLocal(), theta: theta, table: t, prior: p.Prior(theta), column: make([]float64, p.Global*nodes), on: make([]bool, p.Global)}
		start(part)
		for first := p.Parts[part]; first < p.Parts[part+1]; {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r := int(p.RaterOf(p.Groups[first].Vote))
			end := first + 1
			for end < p.Parts[part+1] && int(p.RaterOf(p.Groups[end].Vote)) == r {
				end++
			}
			if err := w.votes(r, first, end, scores); err != nil {
				return err
			}
			w.weigh()
			if err := visit(w, part, r, first, end); err != nil {
				return err
			}
			first = end
		}
		return nil
	})
}

// Placed returns the panel with the quadrature points of each rater around the posterior of their log reliability at theta.
func (p *Panel) Placed(ctx context.Context, theta []float64, jobs int) (*Panel, error) {
	if p.points == nil {
		p = p.Moved(theta, make([]Posterior, p.Raters), 1)
	}
	for range 20 { // nearer by a factor of three each time where a rater has very many votes
		sum, err := p.evaluate(ctx, theta, jobs, pass{})
		if err != nil {
			return nil, err
		}
		next := p.Moved(theta, sum.Raters, 1)
		if next == nil {
			break
		}
		p = next
	}
	return p, nil
}

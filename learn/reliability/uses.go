package reliability

import (
	"context"
	"math"

	"fubini/core/logprob"
)

// Scores calls visit with the score of the votes of each rater who has some: parameters on have the derivatives score. Calls of one
// part follow each other, and there are len(Parts)-1 of these.
func (p *Panel) Scores(ctx context.Context, theta []float64, jobs int, visit func(part int, on []int, score []float64)) error {
	return p.each(ctx, theta, jobs, true, func(int) {}, func(w *integral, part, _, _, _ int) error {
		w.spread()
		score := make([]float64, len(w.active))
		for j, k := range w.active {
			score[j] = w.mean(k)
		}
		visit(part, w.active, score)
		return nil
	})
}

// Effects are the derivatives of the gradient by the weight of each order, along directions: parameter k has the elements
// directions[k*n:(k+1)*n]. A vote is evidence of the reliability of its rater too, and so changes what the rater's other votes
// weigh.
func (p *Panel) Effects(ctx context.Context, theta, directions []float64, n, jobs int) ([]float64, error) {
	effects := make([]float64, len(p.Orders)*n)
	err := p.each(ctx, theta, jobs, true, func(int) {}, func(w *integral, _, _, first, end int) error {
		w.spread()
		along := make([]float64, nodes*n) // change of the gradient if the log likelihood at a point rises
		for _, a := range w.active {
			mean := w.mean(a)
			for q, v := range w.column[a*nodes : (a+1)*nodes] {
				for k, d := range directions[a*n : (a+1)*n] {
					along[q*n+k] += w.own.Weights[q] * (v - mean) * d
				}
			}
		}
		add := func(out []float64, by float64, along []float64) {
			for k, v := range along {
				out[k] += by * v
			}
		}
		if w.at.stride > 0 {
			for k := int(p.Groups[first].First); k < int(p.Groups[end].First); k++ {
				out, o := effects[k*n:(k+1)*n], int(w.rows.order[k])
				on := w.rows.on[w.rows.from[o]:w.rows.from[o+1]]
				t, width := w.rows.of(w.table, len(w.grid.used), o, w.at.at)
				score := make([]float64, len(on))
				for q, share := range w.own.Weights {
					row := t[q*w.at.stride*width:]
					add(out, row[0], along[q*n:(q+1)*n])
					for j := range score {
						score[j] += share * row[1+j]
					}
				}
				for j, at := range on {
					add(out, score[j], directions[int(at)*n:int(at+1)*n])
				}
			}
			return nil
		}
		for g := first; g < end; g++ {
			w.Load(theta, p.Groups[g].Vote)
			for q, share := range w.own.Weights {
				w.Scale(math.Exp(w.at.node(q)))
				if err := w.Expect(false); err != nil {
					return err
				}
				for k := int(p.Groups[g].First); k < int(p.Groups[g+1].First); k++ {
					out, tiers := effects[k*n:(k+1)*n], p.TiersOf(p.Orders[k].Vote)
					add(out, w.LogOf(tiers), along[q*n:(q+1)*n])
					w.Residual(tiers)
					for a, v := range w.Statistic[:w.Dim] {
						for _, e := range w.Rows[a] {
							add(out, share*v*e.By, directions[e.At*n:(e.At+1)*n])
						}
					}
				}
			}
		}
		return nil
	})
	return effects, err
}

// LogLikelihoodOf is the log likelihood of other votes of the same raters, whose reliabilities have the posteriors given, of
// [Panel.Observed].
func (p *Panel) LogLikelihoodOf(ctx context.Context, other *Panel, theta []float64, raters []Posterior, jobs int) (float64, error) {
	q := *other
	q.grid, q.points = grid{}, make([]points, len(p.points))
	for r, own := range p.points {
		own.stride = 0 // the same points, on no grid
		q.points[r] = own
	}
	logs := make([]float64, len(q.Parts)-1)
	err := q.each(ctx, theta, jobs, false, func(int) {}, func(w *integral, part, r, _, _ int) error {
		joint := w.logs
		for k, share := range raters[r].Weights {
			joint[k] += math.Log(share)
		}
		logs[part] += logprob.SumExp(joint[:])
		return nil
	})
	var sum float64
	for _, v := range logs {
		sum += v
	}
	return sum, err
}

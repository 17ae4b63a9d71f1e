package likelihood

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fubini/core/logprob"
	"fubini/core/parallel"
)

// Tastes is a fit in which raters differ: each has or has not each of a few hidden units, and a
// unit adds its weights to the worths. The units of a rater are the same in all their votes.
type Tastes struct {
	*Fit
	Shares    []float64   // of raters that have each unit
	Posterior [][]float64 // of each rater: the probability of every set of units, unit k being bit k
}

// MaxUnits is the largest number of units: all 2^K sets of them are listed.
const MaxUnits = 6

// Tastes fits a design with hidden units by the EM algorithm, whose second half is one Newton
// step. It starts from one board for all and the directions in which the raters' scores differ
// most. The precision of units is learned where it is given as above zero, as that of worths.
func (d *Data) Tastes(ctx context.Context, o Options) (*Tastes, error) {
	if d.Units < 1 || d.Units > MaxUnits || d.votes.Rater == nil || d.Raters > 0 {
		return nil, fmt.Errorf("fit: tastes need 1 to %d units, votes by named raters, and no reliabilities", MaxUnits)
	}
	if err := d.Design.check(o.Prior); err != nil {
		return nil, err
	}
	if !(o.Prior.Unit > 0) {
		return nil, fmt.Errorf("fit: hidden units need a prior: the data are seldom enough for each")
	}
	theta, err := d.firstTastes(ctx, o)
	if err != nil {
		return nil, err
	}
	t := &Tastes{Fit: &Fit{Data: d, Theta: theta, Prior: o.Prior, jobs: o.Jobs}, Shares: make([]float64, d.Units)}
	for k := range t.Shares {
		t.Shares[k] = 0.5
	}
	here, err := t.evaluate(ctx, theta)
	if err != nil {
		return nil, err
	}
	for ; t.Steps < 5*o.Steps; t.Steps++ {
		step, _, err := d.step(here, t.Theta, t.Prior)
		if err != nil {
			return nil, err
		}
		before := here.value - d.penalty(t.Theta, t.Prior)
		for share := 1.0; ; share /= 2 {
			next := slices.Clone(t.Theta)
			for k, v := range step {
				next[k] += share * v
			}
			point, err := t.evaluate(ctx, next)
			if err != nil {
				return nil, err
			}
			if point.value-d.penalty(next, t.Prior) >= before-1e-9*math.Abs(before) || share < 1e-6 {
				t.Theta, here = next, point
				break
			}
		}
		t.learnUnits()
		if gain := here.value - d.penalty(t.Theta, t.Prior) - before; math.Abs(gain) < 1e-4 {
			break
		}
	}
	t.LogLikelihood, t.point = here.value, here
	return t, nil
}

// learnUnits sets the shares, with one rater more on each side, and every few steps the precision of the units.
func (t *Tastes) learnUnits() {
	clear(t.Shares)
	for _, p := range t.Posterior {
		for state, q := range p {
			for k := range t.Shares {
				if state>>k&1 == 1 {
					t.Shares[k] += q
				}
			}
		}
	}
	for k := range t.Shares {
		t.Shares[k] = (t.Shares[k] + 1) / (float64(len(t.Posterior)) + 2)
	}
	if t.Steps%10 == 9 {
		var square float64
		for _, v := range t.Theta[t.w:t.global] {
			square += v * v
		}
		// One more of variance 1 in the sum: where votes show no tastes, weights stay small without end.
		t.Prior.Unit = math.Min(1e4, (float64(t.global-t.w)+1)/(square+1))
	}
}

// firstTastes is the fit of one board, and for units the leading directions of the scores of raters.
func (d *Data) firstTastes(ctx context.Context, o Options) ([]float64, error) {
	one := *d
	one.Units = 0
	one.layout = one.Design.layout()
	fit, err := one.maximise(ctx, one.start(), o)
	if err != nil {
		return nil, err
	}
	// The second moments of the scores of raters by the worths.
	squares := mat.NewSymDense(d.Items, nil)
	weights := make([]float64, d.Items) // the same for outcomes drawn from one board
	s := &scores{Fit: fit, local: &local{Data: &one}, squares: make([]float64, one.global*one.global), score: make([]float64, one.global)}
	for g := range len(one.groups) - 1 {
		if err := s.group(g); err != nil {
			return nil, err
		}
	}
	s.close()
	for i := range d.Items {
		weights[i] = math.Max(1e-9, fit.point.information[i*one.global+i])
	}
	for i := range d.Items {
		for j := range i + 1 {
			squares.SetSym(i, j, s.squares[i*one.global+j]/math.Sqrt(weights[i]*weights[j]))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(squares, true) {
		return nil, fmt.Errorf("fit: the scores of raters have no leading directions")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	theta := make([]float64, d.all)
	copy(theta, fit.Theta)
	for k := range d.Units {
		for i := range d.Items {
			v := vectors.At(i, d.Items-1-k) * math.Sqrt(float64(d.Items))
			theta[d.w+k*d.Items+i] = v / 2
			theta[i] -= v / 4 // the mean rater stays where they were
		}
	}
	return theta, nil
}

// evaluate computes the posterior of every rater and the log likelihood, with the gradient and
// the information that they would have if the units were seen, averaged over the posterior.
func (t *Tastes) evaluate(ctx context.Context, theta []float64) (*point, error) {
	d, parts, states := t.Data, len(t.parts)-1, 1<<t.Units
	prior := make([]float64, states)
	for state := range prior {
		for k, share := range t.Shares {
			if state>>k&1 == 1 {
				prior[state] += math.Log(share)
			} else {
				prior[state] += math.Log1p(-share)
			}
		}
	}
	points, posterior := make([]*point, parts), make([][][]float64, parts)
	err := parallel.Each(ctx, parts, t.jobs, func(_, part int) error {
		s := &sum{local: &local{Data: d}, theta: theta, point: &point{gradient: make([]float64, d.global), information: make([]float64, d.global*d.global)}}
		points[part] = s.point
		for first, end := d.parts[part], 0; first < d.parts[part+1]; first = end {
			for end = first + 1; end < d.parts[part+1] && d.rater(d.groups[end].vote) == d.rater(d.groups[first].vote); end++ {
			}
			if first%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			p := slices.Clone(prior)
			for s.state = range states {
				for g := first; g < end; g++ {
					v, err := s.logLikelihood(g)
					if err != nil {
						return err
					}
					p[s.state] += v
				}
			}
			whole := logprob.SumExp(p)
			value := s.value
			for s.state = range states {
				p[s.state] = math.Exp(p[s.state] - whole)
				if p[s.state] < 1e-9 {
					continue
				}
				for g := first; g < end; g++ {
					if err := s.add(g, p[s.state], true); err != nil {
						return err
					}
				}
			}
			s.value = value + whole
			posterior[part] = append(posterior[part], p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.Posterior = slices.Concat(posterior...)
	return added(points), nil
}

// logLikelihood is that of the votes of a group at the state in hand.
func (s *sum) logLikelihood(g int) (value float64, err error) {
	s.load(s.theta, s.Data.groups[g].vote)
	if err := s.expect(false); err != nil {
		return 0, err
	}
	for _, o := range s.outcomes(g) {
		value += o.weight * (s.logWeight(s.tiers(o.vote)) - s.logZ)
	}
	return value, nil
}

// Board has the worths of the raters with a set of units, unit k being bit k. They sum to zero.
func (t *Tastes) Board(units int) []float64 {
	worths := t.Worths()
	var mean float64
	for i := range worths {
		for k := range t.Units {
			if units>>k&1 == 1 {
				worths[i] += t.Theta[t.w+k*t.Items+i]
			}
		}
		mean += worths[i] / float64(t.Items)
	}
	for i := range worths {
		worths[i] -= mean
	}
	return worths
}

package likelihood

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/core/parallel"
	"fubini/learn/ballot"
	"fubini/learn/reliability"
)

// ErrNotConverged is the error of a fit whose steps did not reach a maximum; it comes with the last point.
var ErrNotConverged = errors.New("fit: not converged")

// Options of a fit. Start from [Defaults].
type Options struct {
	Prior ballot.Precision
	Steps int // at most
	Jobs  int // goroutines; 0 means one for each core
	// Fixed keeps [Data.Learn] from changing the precision of worths.
	Fixed bool
}

// Defaults are no prior and at most 100 steps.
func Defaults() Options { return Options{Steps: 100} }

// Fit is an estimate of the parameters, with the information from which its standard errors are computed.
type Fit struct {
	*Data
	Theta         []float64
	Prior         ballot.Precision
	LogLikelihood float64 // without the prior, constants included: of each vote given its items; of long votes (Slots) the composite likelihood: of each item's place given the others'
	Steps         int

	jobs  int
	point *point
	alike float64 // with reliabilities, the log likelihood where all raters are alike, at its maximum
}

// Maximise finds the maximum of the likelihood, or with a prior of the posterior density.
func (d *Data) Maximise(ctx context.Context, o Options) (*Fit, error) {
	if err := d.check(o.Prior); err != nil {
		return nil, err
	}
	start, alike, err := d.start(ctx, o)
	if err != nil {
		return nil, err
	}
	f, err := d.maximise(ctx, start, o)
	if f != nil {
		f.alike = alike
	}
	return f, err
}

func (d *Data) maximise(ctx context.Context, start []float64, o Options) (*Fit, error) {
	f := &Fit{Data: d, Theta: slices.Clone(start), Prior: o.Prior, jobs: o.Jobs}
	if err := f.placeRaters(ctx); err != nil {
		return nil, err
	}
	here, err := f.evaluate(ctx, f.Theta, o.Jobs, true)
	if err != nil {
		return nil, err
	}
	first := here
	for ; f.Steps < o.Steps; f.Steps++ {
		step, decrement, err := f.step(here, f.Theta, o.Prior)
		if err != nil {
			return nil, err
		}
		// Half the decrement is what a quadratic still has to gain, in nats; one more step then
		// squares what is left. Where expected and observed information differ, steps come near only
		// linearly.
		last := decrement < 1e-9 || decrement < 1e-6 && (d.Raters > 0 || d.Ties == ballot.DistanceTies)
		objective := here.value - d.penalty(f.Theta, o.Prior)
		for share := 1.0; ; share /= 2 {
			if share < 1e-10 {
				return f, fmt.Errorf("%w: no step along the gradient raises the likelihood", ErrNotConverged)
			}
			theta := slices.Clone(f.Theta)
			for k, v := range step {
				theta[k] += share * v
			}
			next, err := f.evaluate(ctx, theta, o.Jobs, true)
			if err != nil {
				return nil, err
			}
			if value := next.value - d.penalty(theta, o.Prior); value >= objective-1e-12*math.Abs(objective) {
				f.Theta, here = theta, next
				break
			}
		}
		if f.moveRaters(here, last) { // the integrals were over points that no longer fit
			if here, err = f.evaluate(ctx, f.Theta, o.Jobs, true); err != nil {
				return nil, err
			}
			continue
		}
		if !last {
			continue
		}
		f.LogLikelihood, f.point = here.value, here
		if k := d.runaway(first, here, f.Theta, step, o.Prior); k >= 0 {
			return f, fmt.Errorf("%w: %s runs away to %.3g, because the parameters explain some votes without fault; %s", ErrNotConverged, d.Name(k), f.Theta[k], d.remedy(k))
		}
		return f, f.closeRaters(ctx)
	}
	f.LogLikelihood, f.point = here.value, here
	far := 0 // the parameter that went furthest
	for k := range d.Global {
		if math.Abs(f.Theta[k]) > math.Abs(f.Theta[far]) {
			far = k
		}
	}
	return f, fmt.Errorf("%w after %d steps; %s has come to %.3g, and may run away because it separates the votes: %s", ErrNotConverged, o.Steps, d.Name(far), f.Theta[far], d.remedy(far))
}

// point is the log likelihood at a point, its gradient and the expected information.
type point struct {
	value       float64
	gradient    []float64
	information []float64 // lower triangle
	missing     []float64 // with reliabilities, what is lost of it because they are unknown
	raters      []reliability.Posterior
}

// evaluate sums over all groups.
func (d *Data) evaluate(ctx context.Context, theta []float64, jobs int, information bool) (*point, error) {
	if d.Raters > 0 {
		evaluate := d.raters.Gradient
		if information {
			evaluate = d.raters.Step
		}
		return ofRaters(evaluate(ctx, theta, jobs))
	}
	parts := len(d.Parts) - 1
	points := make([]*point, parts)
	err := parallel.Each(ctx, parts, jobs, func(_, part int) error {
		s := d.newSum(theta, information)
		points[part] = s.point
		for g := d.Parts[part]; g < d.Parts[part+1]; g++ {
			if g%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := s.add(g, 1, information); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return added(points), nil
}

// added is the sum of the points of all parts, in their order; it takes the place of the first.
func added(points []*point) *point {
	total := points[0]
	for _, p := range points[1:] {
		total.value += p.value
		for k, v := range p.gradient {
			total.gradient[k] += v
		}
		for k, v := range p.information {
			total.information[k] += v
		}
	}
	return total
}

// sum accumulates a part of the groups.
type sum struct {
	*ballot.Local
	*point
	theta []float64
}

func (d *Data) newSum(theta []float64, information bool) *sum {
	s := &sum{Local: d.NewLocal(), theta: theta, point: &point{gradient: make([]float64, d.Global)}}
	if information {
		s.information = make([]float64, d.Global*d.Global)
	}
	return s
}

// add adds the votes of a group, counted by a factor: their log probabilities, the gradient, which is the sum of the observed minus
// the expected statistics, and the information, which is the covariance of the statistics under the model.
func (s *sum) add(g int, factor float64, information bool) error {
	each := s.Data.Groups[g]
	s.Load(s.theta, each.Vote)
	if s.ByVote() {
		for _, o := range s.OutcomesOf(g) {
			weight := factor * o.Weight
			s.value += weight * s.OfVote(s.TiersOf(o.Vote), information)
			s.climb(s.Statistic[:s.Dim], weight)
			if information {
				s.scatter(s.Covariance, weight)
			}
		}
		return nil
	}
	if err := s.Expect(information); err != nil {
		return err
	}
	residual, sums := s.Statistic[:s.Dim], s.Mean[:s.Dim]
	for a := range sums {
		sums[a] *= -factor * each.Weight
	}
	for _, o := range s.OutcomesOf(g) {
		tiers := s.TiersOf(o.Vote)
		s.value += factor * o.Weight * (s.LogWeight(tiers) - s.LogZ)
		s.StatisticsOf(tiers, residual)
		for a, v := range residual {
			sums[a] += factor * o.Weight * v
		}
	}
	s.climb(sums, 1)
	if information {
		s.scatter(s.Covariance, factor*each.Weight)
	}
	return nil
}

// climb adds a gradient in local coordinates.
func (s *sum) climb(local []float64, weight float64) {
	for a, v := range local {
		for _, e := range s.Rows[a] {
			s.gradient[e.At] += weight * v * e.By
		}
	}
}

// scatter adds a matrix in local coordinates to the information.
func (s *sum) scatter(local []float64, weight float64) {
	g := s.Global
	for a := range s.Dim {
		for b := range s.Dim {
			c := weight * local[a*s.Dim+b]
			if c == 0 {
				continue
			}
			for _, e := range s.Rows[a] {
				for _, f := range s.Rows[b] {
					if f.At <= e.At {
						s.information[e.At*g+f.At] += c * e.By * f.By
					}
				}
			}
		}
	}
}

// step is the Newton step, and twice the rise in the objective that a quadratic promises.
func (d *Data) step(p *point, theta []float64, prior ballot.Precision) (step []float64, decrement float64, err error) {
	factor := d.regular(p, prior)
	// Far from the maximum the likelihood may be convex along the log spread of reliabilities: its step is made shorter and shorter
	// then, and if that is not enough, nothing is taken to be missing, as EM has it.
	seen := *p
	for more := 1.0; !cholesky.Factorise(factor, d.Global); more *= 10 {
		if seen.missing == nil {
			return nil, 0, d.undetermined(p, prior)
		}
		if more > 1e6 {
			seen.missing = nil
		}
		factor = d.regular(&seen, prior)
		factor[d.Spread*(d.Global+1)] += more
	}
	gradient := slices.Clone(p.gradient)
	for k := range gradient {
		precision, mean := d.prior(k, prior)
		gradient[k] -= precision * (theta[k] - mean)
	}
	step = slices.Clone(gradient)
	cholesky.SolveLower(factor, step)
	cholesky.SolveUpper(factor, step)
	for k, v := range step {
		decrement += v * gradient[k]
	}
	return step, decrement, nil
}

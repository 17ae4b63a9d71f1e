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
	Prior ballot.Precision // of the normal prior; 0 means none
	Steps int              // the largest number of steps
	Jobs  int              // goroutines; 0 means one for each core
	Fixed bool             // [Data.Learn], which estimates the precisions of the prior, keeps that of worths
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
	alike float64 // with reliabilities, the maximum of the log likelihood of raters who are all alike
}

// climb makes steps of Fisher scoring up to the maximum: Newton steps with the expected information in place of the observed one.
// Where raters have reliabilities, the likelihood is an integral whose nodes follow the estimates: moved is called after each step,
// and returns the point computed anew if it has moved the nodes, else nil. Without reliabilities moved is nil.
func (f *Fit) climb(ctx context.Context, o Options, moved func(here *point, last bool) (*point, error)) (*Fit, error) {
	here, err := f.evaluate(ctx, f.Theta, o.Jobs, true)
	if err != nil {
		return nil, err
	}
	first, tabled := here, f.Tabled()
	for ; f.Steps < o.Steps; f.Steps++ {
		step, decrement, err := f.step(here, f.Theta, o.Prior)
		if err != nil {
			return nil, err
		}
		// Half the decrement is what a quadratic still has to gain, in nats; one more step then
		// squares what is left. Where expected and observed information differ, steps come near only
		// linearly.
		last := decrement < 1e-9 || decrement < 1e-6 && (f.Raters > 0 || f.Ties == ballot.DistanceTies)
		// Near the maximum the information hardly changes, and of votes that take a table of subsets it costs several times the gradient.
		kept := !last && tabled && decrement < 0.05*float64(f.Global)
		here, err = f.halve(ctx, here, step, o, kept)
		if errors.Is(err, ErrNotConverged) {
			return f, err
		}
		if err != nil {
			return nil, err
		}
		if moved != nil {
			again, err := moved(here, last)
			if err != nil {
				return nil, err
			}
			if again != nil {
				here = again
				continue
			}
		}
		if !last {
			continue
		}
		f.LogLikelihood, f.point = here.value, here
		if k := f.runaway(first, here, f.Theta, step, o.Prior); k >= 0 {
			return f, fmt.Errorf("%w: %s runs away to %.3g, because the parameters explain some votes without fault; %s", ErrNotConverged, f.Name(k), f.Theta[k], f.remedy(k))
		}
		return f, nil
	}
	f.LogLikelihood, f.point = here.value, here
	far := 0 // the parameter that went furthest
	for k := range f.Global {
		if math.Abs(f.Theta[k]) > math.Abs(f.Theta[far]) {
			far = k
		}
	}
	return f, fmt.Errorf("%w after %d steps; %s has come to %.3g, and may run away because it separates the votes: %s", ErrNotConverged, o.Steps, f.Name(far), f.Theta[far], f.remedy(far))
}

// halve moves the parameters by a step, or by half of it, a quarter and so on until the objective does not fall, and returns the point
// there, with its information or, kept, that of the point before.
func (f *Fit) halve(ctx context.Context, here *point, step []float64, o Options, kept bool) (*point, error) {
	objective := here.value - f.penalty(f.Theta, o.Prior)
	for share := 1.0; share >= 1e-10; share /= 2 {
		theta := slices.Clone(f.Theta)
		for k, v := range step {
			theta[k] += share * v
		}
		next, err := f.evaluate(ctx, theta, o.Jobs, !kept)
		if err != nil {
			return nil, err
		}
		if kept {
			next.information = here.information
		}
		if value := next.value - f.penalty(theta, o.Prior); value >= objective-1e-12*math.Abs(objective) {
			f.Theta = theta
			return next, nil
		}
	}
	return nil, fmt.Errorf("%w: no step along the gradient raises the likelihood", ErrNotConverged)
}

// evaluate is the point of the likelihood at theta, with the reliabilities of raters integrated out if they have some.
func (d *Data) evaluate(ctx context.Context, theta []float64, jobs int, information bool) (*point, error) {
	switch {
	case d.Raters == 0:
		return d.sumGroups(ctx, theta, jobs, information)
	case information:
		return ofRaters(d.raters.Step(ctx, theta, jobs))
	}
	return ofRaters(d.raters.Gradient(ctx, theta, jobs))
}

// ofRaters is the point of a sum over raters.
func ofRaters(s *reliability.Sum, err error) (*point, error) {
	if err != nil {
		return nil, err
	}
	return &point{s.Value, s.Gradient, s.Information, s.Missing, s.Raters}, nil
}

// sumGroups sums the log likelihood, its gradient and its information over all votes. A group is all votes with the same
// distribution: on the same items, with the same covariates. What depends on the parameters is computed once for each group
// ([ballot.Local.Expect]), and added for every outcome with the weight of the votes for it. Groups are divided into parts, one for
// a worker at a time.
func (d *Data) sumGroups(ctx context.Context, theta []float64, jobs int, information bool) (*point, error) {
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

// added sums points into the first of them, in their order, so that rounding does not depend on the number of workers.
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

// sum accumulates the groups of a part. Its Local is the model of one group, in coordinates of the group's own items; row a of
// Rows has the derivatives of coordinate a by the parameters of the whole fit, of which there are Global.
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
			s.addGradient(s.Statistic[:s.Dim], weight)
			if information {
				s.AddInformation(s.information, s.Global, weight)
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
	s.addGradient(sums, 1)
	if information {
		s.AddInformation(s.information, s.Global, factor*each.Weight)
	}
	return nil
}

// addGradient adds a gradient in local coordinates.
func (s *sum) addGradient(local []float64, weight float64) {
	for a, v := range local {
		for _, e := range s.Rows[a] {
			s.gradient[e.At] += weight * v * e.By
		}
	}
}

// step is the step of Fisher scoring: the gradient of the objective times the inverse of the information, both with the prior. The
// decrement is their product, twice the rise if the objective were quadratic.
func (d *Data) step(p *point, theta []float64, prior ballot.Precision) (step []float64, decrement float64, err error) {
	factor := d.regular(p, prior)
	if !cholesky.Factorise(factor, d.Global) {
		if factor = d.damped(p, prior); factor == nil {
			return nil, 0, d.undetermined(p, prior)
		}
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

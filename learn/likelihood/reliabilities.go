package likelihood

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/cholesky"
	"fubini/learn/ballot"
	"fubini/learn/reliability"
	"fubini/use/board"
)

// start is where a fit starts. With reliabilities that is the fit where all raters are alike, whose log likelihood is given too.
func (d *Data) start(ctx context.Context, o Options) (theta []float64, alike float64, err error) {
	theta = d.Start()
	if d.Raters == 0 {
		return theta, 0, nil
	}
	pooled := d.raters.Common
	if pooled == nil { // of other weights
		all, _ := d.Pooled()
		pooled = all.WithoutRaters()
	}
	f, err := (&Data{Data: pooled}).Maximise(ctx, o)
	if err != nil {
		return nil, 0, err
	}
	copy(theta, f.Theta[:d.Spread])
	return theta, f.LogLikelihood, nil
}

// ofRaters is the point of a sum over raters.
func ofRaters(s *reliability.Sum, err error) (*point, error) {
	if err != nil {
		return nil, err
	}
	return &point{s.Value, s.Gradient, s.Information, s.Missing, s.Raters}, nil
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

// climbWithRaters is [Fit.climb] on the likelihood with the reliabilities of raters integrated out. The points of the integrals
// start at those of an earlier fit if there are some, and follow the posteriors of raters. At the maximum it computes the observed
// information, and the posteriors of all raters.
func (f *Fit) climbWithRaters(ctx context.Context, o Options) (*Fit, error) {
	placed, err := f.raters.Placed(ctx, f.Theta, f.jobs)
	if err != nil {
		return nil, err
	}
	f.Data = &Data{f.Data.Data, placed} // others may share the data
	climbed, err := f.climb(ctx, o, func(here *point, last bool) (*point, error) {
		if !f.moveRaters(here, last) {
			return nil, nil
		}
		return f.evaluate(ctx, f.Theta, o.Jobs, true) // the integrals were over points that no longer fit
	})
	if err != nil {
		return climbed, err
	}
	if f.point, err = ofRaters(f.raters.Observed(ctx, f.Theta, f.jobs)); err != nil {
		return f, err
	}
	f.LogLikelihood = f.point.value
	for r := range f.point.raters {
		f.Theta[f.Global+r] = f.point.raters[r].Mean
	}
	return f, nil
}

// damped is the factorised matrix of a step where that of the point is not positive definite: far from the maximum the likelihood may
// be convex along the log spread of reliabilities. The step along it is made shorter and shorter, and if that is not enough, nothing
// is taken to be missing, as EM has it. Nil if that is no remedy either, or there are no reliabilities.
func (d *Data) damped(p *point, prior ballot.Precision) []float64 {
	seen := *p
	for more := 1.0; seen.missing != nil; more *= 10 {
		if more > 1e6 {
			seen.missing = nil
		}
		factor := d.regular(&seen, prior)
		factor[d.Spread*(d.Global+1)] += more
		if cholesky.Factorise(factor, d.Global) {
			return factor
		}
	}
	return nil
}

// moveRaters moves the points of the integrals to the posteriors of raters, and reports whether that was needed. Before the last step
// they may be further away.
func (f *Fit) moveRaters(here *point, last bool) bool {
	slack := 3.0
	if last {
		slack = 1
	}
	moved := f.raters.Moved(f.Theta, here.raters, slack)
	if moved != nil {
		f.Data = &Data{f.Data.Data, moved}
	}
	return moved != nil
}

// Reliabilities are the posterior means of those of the raters, nil if all are equal.
func (f *Fit) Reliabilities() []float64 { return f.Theta[f.Global:] }

// ReliabilityErrors are the standard errors of the reliabilities, where c is the covariance of the parameters: what the votes of
// the rater leave open, and what is unknown of the parameters.
func (f *Fit) ReliabilityErrors(c Covariance) []float64 {
	errors := make([]float64, f.Raters)
	for r := range errors {
		own := &f.point.raters[r]
		variance := own.Variance
		for _, a := range own.Lean {
			for _, b := range own.Lean {
				variance += a.By * b.By * c[a.At*f.Global+b.At]
			}
		}
		errors[r] = math.Sqrt(variance)
	}
	return errors
}

// ReliabilityIntervals are the intervals of the reliabilities, where c is the covariance of the parameters. Where few votes tell of a
// rater, what is unknown of the spread is most of what is unknown, and intervals are by its posterior, not by the estimate alone.
func (f *Fit) ReliabilityIntervals(c Covariance, level float64) (low, high []float64) {
	g, at := f.Global, f.Spread
	of := c[at*g : (at+1)*g] // covariance of the log spread with all parameters
	spreads := reliability.Spreads(of[at])
	for r := range f.Raters {
		own := f.point.raters[r]
		var moves, open float64
		for _, a := range own.Lean {
			if a.At == at {
				continue
			}
			moves += a.By / own.Mean * of[a.At] / of[at]
			for _, b := range own.Lean {
				if b.At != at {
					open += a.By * b.By / (own.Mean * own.Mean) * (c[a.At*g+b.At] - of[a.At]*of[b.At]/of[at])
				}
			}
		}
		from, to := own.Interval(math.Exp(f.Theta[at]), spreads, moves, max(0, open), level)
		low, high = append(low, from), append(high, to)
	}
	return low, high
}

// SpreadOf is the spread of reliabilities, where c is the covariance of the parameters.
func (f *Fit) SpreadOf(c Covariance, level float64) *board.Spread {
	log, reach := f.Theta[f.Spread], distuv.UnitNormal.Quantile((1+level)/2)*math.Sqrt(c[f.Spread*(f.Global+1)])
	s := &board.Spread{Value: math.Exp(log), Low: math.Exp(log - reach), High: math.Exp(log + reach)}
	if !f.Slots && f.Prior.Worth == 0 {
		// No spread is at the edge of what there can be: half of the time the ratio is zero.
		p := 1.0
		if ratio := 2 * (f.LogLikelihood - f.alike); ratio > 0 {
			p = distuv.ChiSquared{K: 1}.Survival(ratio) / 2
		}
		s.P = &p
	}
	return s
}

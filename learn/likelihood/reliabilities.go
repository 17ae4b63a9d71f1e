package likelihood

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/logprob"
)

// start is where a fit starts. With reliabilities that is the fit where all raters are alike, whose log likelihood is given too.
func (d *Data) start(ctx context.Context, o Options) (theta []float64, alike float64, err error) {
	theta = d.Start()
	if d.Raters == 0 {
		return theta, 0, nil
	}
	pooled, _ := d.Pooled()
	f, err := (&Data{Data: pooled.WithoutRaters()}).Maximise(ctx, o)
	if err != nil {
		return nil, 0, err
	}
	copy(theta, f.Theta[:d.Spread])
	return theta, f.LogLikelihood, nil
}

// placeRaters finds places for the integrals over the reliabilities of all raters, from those of an earlier fit if there are
// some. The parameters stay.
func (f *Fit) placeRaters(ctx context.Context) error {
	if f.Raters == 0 {
		return nil
	}
	own := *f.Data // others may share the data
	f.Data = &own
	for range 20 { // by a factor of three each time where a rater has very many votes
		here, err := f.integrate(ctx, f.Theta, f.jobs, pass{})
		if err != nil {
			return err
		}
		if f.moveRaters(here) <= 0.1 {
			break
		}
	}
	return nil
}

// moveRaters moves the places of the integrals to the posteriors, and returns the longest way of any, in standard deviations.
func (f *Fit) moveRaters(here *point) (moved float64) {
	if f.Raters == 0 {
		return 0
	}
	places := make([]place, f.Raters)
	none := f.reliabilityPrior(f.Theta).place()
	for r := range places {
		before := none
		if f.places != nil {
			before = f.places[r]
		}
		if places[r] = here.raters[r].place; places[r].sd == 0 { // a rater without votes
			places[r] = none
		}
		moved = math.Max(moved, math.Abs(places[r].mean-before.mean)/places[r].sd)
		moved = math.Max(moved, math.Abs(math.Log(places[r].sd/before.sd)))
	}
	if f.places == nil || moved > 0.1 {
		f.places = places
	}
	return moved
}

// closeRaters computes the observed information at the maximum, and the posteriors of all raters.
func (f *Fit) closeRaters(ctx context.Context) (err error) {
	if f.Raters == 0 {
		return nil
	}
	if f.point, err = f.integrate(ctx, f.Theta, f.jobs, pass{scores: true, information: true, last: true}); err != nil {
		return err
	}
	f.LogLikelihood = f.point.value
	prior := f.reliabilityPrior(f.Theta)
	for r := range f.point.raters {
		own := &f.point.raters[r]
		if own.place.sd == 0 { // without votes
			own.mean, own.variance = 1, math.Expm1(prior.spread*prior.spread)
			at := f.places[r]
			for q := range own.weights {
				own.weights[q] = spacing * at.sd * math.Exp(prior.log(at.node(q)))
			}
		}
		f.Theta[f.Global+r] = own.mean
	}
	return nil
}

// Reliabilities are the posterior means of those of the raters, nil if all are equal.
func (f *Fit) Reliabilities() []float64 { return f.Theta[f.Global:] }

// ReliabilityErrors are the standard errors of the reliabilities, where c is the covariance of the parameters: what the votes of
// the rater leave open, and what is unknown of the parameters.
func (f *Fit) ReliabilityErrors(c Covariance) []float64 {
	errors := make([]float64, f.Raters)
	for r := range errors {
		own := &f.point.raters[r]
		variance := own.variance
		for _, a := range own.lean {
			for _, b := range own.lean {
				variance += a.By * b.By * c[a.At*f.Global+b.At]
			}
		}
		errors[r] = math.Sqrt(variance)
	}
	return errors
}

// ReliabilityInterval is the interval of a reliability by its posterior mean and standard error, as those of a log-normal
// distribution.
func ReliabilityInterval(mean, stdError, level float64) (low, high float64) {
	spread := math.Sqrt(math.Log1p(stdError * stdError / (mean * mean)))
	reach := distuv.UnitNormal.Quantile((1+level)/2) * spread
	middle := mean * math.Exp(-spread*spread/2)
	return middle * math.Exp(-reach), middle * math.Exp(reach)
}

// Spread is how much the reliabilities of raters vary.
type Spread struct {
	Value     float64 // standard deviation of their logarithms
	Low, High float64
	// P is the probability of a likelihood ratio as large if all raters were alike. NaN with Slots, where the likelihood is not
	// summed up, and with a prior on worths.
	P float64
}

// SpreadOf is the spread of reliabilities, where c is the covariance of the parameters.
func (f *Fit) SpreadOf(c Covariance, level float64) Spread {
	log, reach := f.Theta[f.Spread], distuv.UnitNormal.Quantile((1+level)/2)*math.Sqrt(c[f.Spread*(f.Global+1)])
	s := Spread{Value: math.Exp(log), Low: math.Exp(log - reach), High: math.Exp(log + reach), P: math.NaN()}
	if !f.Slots && f.Prior.Worth == 0 {
		// No spread is at the edge of what there can be: half of the time the ratio is zero.
		s.P = 1
		if ratio := 2 * (f.LogLikelihood - f.alike); ratio > 0 {
			s.P = distuv.ChiSquared{K: 1}.Survival(ratio) / 2
		}
	}
	return s
}

// heldOut is the log likelihood of other votes of the same raters, whose reliabilities have the posteriors of the fit.
func (f *Fit) heldOut(ctx context.Context, other *Data) (float64, error) {
	o := *other
	o.places = f.places
	logs := make([]float64, len(o.Parts)-1)
	err := o.eachRater(ctx, f.Theta, f.jobs, pass{}, func(int, *integral) {}, func(w *integral, part, r, _, _ int) error {
		joint := w.logs
		for q, p := range f.point.raters[r].weights {
			joint[q] += math.Log(p)
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

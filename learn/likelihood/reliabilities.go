package likelihood

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/logprob"
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

// placeRaters finds points for the integrals over the reliabilities of all raters, from those of an earlier fit if there are
// some. The parameters stay.
func (f *Fit) placeRaters(ctx context.Context) error {
	if f.Raters == 0 {
		return nil
	}
	placed, err := f.raters.Placed(ctx, f.Theta, f.jobs)
	if err == nil {
		f.Data = &Data{f.Data.Data, placed} // others may share the data
	}
	return err
}

// moveRaters moves the points of the integrals to the posteriors of raters, and reports whether that was needed. Before the last step
// they may be further away.
func (f *Fit) moveRaters(here *point, last bool) bool {
	if f.Raters == 0 {
		return false
	}
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

// closeRaters computes the observed information at the maximum, and the posteriors of all raters.
func (f *Fit) closeRaters(ctx context.Context) (err error) {
	if f.Raters == 0 {
		return nil
	}
	if f.point, err = ofRaters(f.raters.Observed(ctx, f.Theta, f.jobs)); err != nil {
		return err
	}
	f.LogLikelihood = f.point.value
	for r := range f.point.raters {
		f.Theta[f.Global+r] = f.point.raters[r].Mean
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

// meanSquareSpread is the mean of the squared spread of reliabilities over its posterior, relative to the square of the estimate, by
// the logarithm of the estimate, its variance, and the precision of its prior. The votes are taken to say as much of the spread as n
// reliabilities that were seen, the mean of whose logarithms is unknown, with n by the information that the variance leaves: those
// have 2n. For many raters and without the prior the result is n/(n-3), the variance of Student's distribution.
func meanSquareSpread(log, variance, precision float64) float64 {
	n := math.Max(1, (1/variance-precision)/2)
	var logs, squares []float64
	const low, high, step = -8, 8, 0.01 // of the logarithm of the spread relative to the estimate
	for x := float64(low); x <= high; x += step {
		off := x + log - ballot.CentreOfSpread
		logs = append(logs, -precision*off*off/2-(n-1)*x-n*math.Exp(-2*x)/2)
		squares = append(squares, math.Exp(2*x))
	}
	whole := logprob.SumExp(logs)
	var mean float64
	for k, v := range logs {
		mean += math.Exp(v-whole) * squares[k]
	}
	return mean
}

// ReliabilityInterval is the interval of a reliability by its posterior mean and standard error, as those of a log-normal
// distribution.
func ReliabilityInterval(mean, stdError, level float64) (low, high float64) {
	spread := math.Sqrt(math.Log1p(stdError * stdError / (mean * mean)))
	reach := distuv.UnitNormal.Quantile((1+level)/2) * spread
	middle := mean * math.Exp(-spread*spread/2)
	return middle * math.Exp(-reach), middle * math.Exp(reach)
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

package likelihood

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/cholesky"
	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/learn/ballot"
	"fubini/learn/reliability"
)

// Covariance is the covariance matrix of the estimates of all parameters, square and row by row. Reliabilities are
// integrated out. The inverse is taken on the complement of the redundant directions: worths and
// tie deviations sum to zero.
type Covariance []float64

// Covariance is [Fit.Inverse], and with reliabilities more. How far the reliabilities of a few raters are from those of all is in
// proportion to their spread, which the inverse takes at its estimate: of the variance of the other parameters given the spread, what
// is more than with all reliabilities seen is multiplied by the mean square of the spread over its posterior, relative to that
// of the estimate. See docs/maths.md#raters.
func (f *Fit) Covariance() (Covariance, error) {
	c, err := f.Inverse()
	if err != nil || f.Raters == 0 {
		return c, err
	}
	seen := *f.point
	seen.missing = nil
	known, err := f.inverse(&seen)
	if err != nil {
		return nil, err
	}
	g, at := f.Global, f.Spread
	of := slices.Clone(c[at*g : (at+1)*g]) // covariance of the log spread with all parameters
	more := reliability.MeanSquareSpread(of[at], f.Prior.Spread, f.Raters) - 1
	for i := range g {
		for j := range g {
			if i != at && j != at {
				c[i*g+j] += more * (c[i*g+j] - of[i]*of[j]/of[at] - known[i*g+j])
			}
		}
	}
	return c, nil
}

// Inverse is the inverse of the expected information, with reliabilities of that observed; with a
// prior, the covariance of the posterior by its normal approximation.
func (f *Fit) Inverse() (Covariance, error) { return f.inverse(f.point) }

func (f *Fit) inverse(p *point) (Covariance, error) {
	g := f.Global
	factor, _ := f.matrix(p, f.Prior)
	unit := make([]float64, g)
	for k := range unit { // parameters of few votes count as much as those of many
		unit[k] = math.Sqrt(factor[k*g+k])
	}
	for i := range g {
		for j := range i + 1 {
			factor[i*g+j] /= unit[i] * unit[j]
		}
		factor[i*g+i] -= 1e-11 // no more than rounding
	}
	if !cholesky.Factorise(factor, g) {
		return nil, f.undetermined(p, f.Prior)
	}
	c := make(Covariance, g*g)
	parallel.Do(g, f.jobs, func(_, k int) {
		row := c[k*g : (k+1)*g]
		row[k] = 1
		cholesky.SolveLower(factor, row)
		cholesky.SolveUpper(factor, row)
		for j := range row {
			row[j] /= unit[k] * unit[j]
		}
	})
	for _, r := range f.Redundant() {
		c.holdSum(g, r[0], r[1])
	}
	return c, nil
}

// holdSum makes the covariance that given the sum of the parameters from one to before another: of worths, which have it by convention, and of tie weights, where
// what the sum lacks is in nu.
func (c Covariance) holdSum(g, from, to int) {
	with, own := make([]float64, g), 0.0 // covariances with the sum, and its variance
	for i := range with {
		for _, v := range c[i*g+from : i*g+to] {
			with[i] += v
		}
	}
	for _, v := range with[from:to] {
		own += v
	}
	for i, v := range with {
		vec.AddTimes(c[i*g:(i+1)*g], with, -v/own)
	}
}

// Sandwich is the covariance H⁻¹ B H⁻¹ with B the sum of squares of the scores of votes, or of
// raters where votes are clustered or have reliabilities. It holds where the model is wrong.
func (f *Fit) Sandwich(ctx context.Context) (Covariance, error) {
	inverse, err := f.Inverse()
	if err != nil {
		return nil, err
	}
	squares, err := f.squares(ctx)
	if err != nil {
		return nil, err
	}
	b := squares[0]
	for _, more := range squares[1:] {
		for k, v := range more {
			b[k] += v
		}
	}
	return f.between(inverse, b), nil
}

// between is H⁻¹ B H⁻¹, by the lower triangle of B.
func (f *Fit) between(inverse Covariance, b []float64) Covariance {
	g := f.Global
	for i := range g {
		for j := range i {
			b[j*g+i] = b[i*g+j]
		}
	}
	half, c := make([]float64, g*g), make(Covariance, g*g)
	times := func(out, x, y []float64) {
		parallel.Do(g, f.jobs, func(_, i int) {
			for k, v := range x[i*g : (i+1)*g] {
				if v != 0 {
					for j, w := range y[k*g : (k+1)*g] {
						out[i*g+j] += v * w
					}
				}
			}
		})
	}
	times(half, inverse, b)
	times(c, half, inverse)
	return c
}

// squares are sums of squares of scores, of each part of the work.
func (f *Fit) squares(ctx context.Context) ([][]float64, error) {
	g, parts := f.Global, len(f.Parts)-1
	squares := make([][]float64, parts)
	of := func(part int) *scores {
		s := &scores{Fit: f, squares: make([]float64, g*g), score: make([]float64, g)}
		squares[part] = s.squares
		return s
	}
	if f.Raters > 0 {
		all := make([]*scores, parts)
		for part := range all {
			all[part] = of(part)
		}
		return squares, f.raters.Scores(ctx, f.Theta, f.jobs, func(part int, on []int, score []float64) {
			for j, k := range on {
				all[part].score[k] = score[j]
			}
			all[part].add(1)
		})
	}
	return squares, parallel.Each(ctx, parts, f.jobs, func(_, part int) error {
		s := of(part)
		s.Local = f.Data.NewLocal()
		for each := f.Parts[part]; each < f.Parts[part+1]; each++ {
			if err := s.group(each); err != nil {
				return err
			}
		}
		if s.last > 0 {
			s.add(1)
		}
		return nil
	})
}

// scores sums up squares of scores, of votes or of clusters of them.
type scores struct {
	*Fit
	*ballot.Local
	squares []float64
	score   []float64 // of the rater in hand
	last    int32     // that rater, plus 1
}

func (s *scores) group(g int) error {
	each := s.Fit.Groups[g]
	s.Load(s.Theta, each.Vote)
	if err := s.Expect(false); err != nil {
		return err
	}
	rater := s.Fit.RaterOf(each.Vote) + 1
	if rater != s.last {
		if s.last > 0 {
			s.add(1)
		}
		s.last = rater
	}
	for _, o := range s.Fit.OutcomesOf(g) {
		s.Residual(s.Fit.TiersOf(o.Vote))
		for a, v := range s.Statistic[:s.Dim] {
			for _, e := range s.Rows[a] {
				v := v * e.By
				if rater > 0 {
					v *= o.Weight
				}
				s.score[e.At] += v
			}
		}
		if rater == 0 { // each vote by itself, o.weight times
			s.add(o.Weight)
		}
	}
	return nil
}

// add adds the square of the score in hand and clears it.
func (s *scores) add(weight float64) {
	g := len(s.score)
	for i, v := range s.score {
		if v == 0 {
			continue
		}
		for j, w := range s.score[:i+1] {
			s.squares[i*g+j] += weight * v * w
		}
	}
	clear(s.score)
}

// Bootstrap refits to resampled votes, or to resampled raters where votes are clustered or have
// reliabilities, and returns the estimates of all parameters, a row for each of n resamples.
// Weights are drawn by Poisson's law. A resample without an estimate is drawn anew; redrawn is how
// often that was.
func (f *Fit) Bootstrap(ctx context.Context, n int, seed uint64) (draws [][]float64, redrawn int, err error) {
	draws = make([][]float64, n)
	failed := make([]int, n)
	err = parallel.Each(ctx, n, f.jobs, func(_, k int) error {
		r := rng.Stream(seed, "bootstrap", uint64(k))
		for ; ; failed[k]++ {
			refit, err := f.resampled(r).maximise(ctx, f.Theta, Options{Prior: f.Prior, Steps: 100, Jobs: 1})
			if err == nil {
				draws[k] = refit.Theta
				return nil
			}
			if ctx.Err() != nil || failed[k] == 20 {
				return fmt.Errorf("fit: most resamples have no estimate, there are too few votes or raters; use a prior: %w", err)
			}
		}
	})
	for _, n := range failed {
		redrawn += n
	}
	return draws, redrawn, err
}

// resampled is the data with new weights. A rater with a reliability who is drawn twice is two raters, not one with twice the
// votes.
func (f *Fit) resampled(r *rng.Rand) *Data {
	poisson := func(mean float64) float64 { return distuv.Poisson{Lambda: mean, Src: r}.Rand() }
	if f.Raters > 0 {
		times := make([]float64, f.Raters)
		for k := range times {
			times[k] = poisson(1)
		}
		return &Data{f.Data.Data, f.raters.Times(times)}
	}
	weight := make([]float64, len(f.Orders))
	last, times := int32(-2), 1.0
	for o, each := range f.Orders {
		rater := f.RaterOf(each.Vote)
		if rater >= 0 && rater != last {
			last, times = rater, poisson(1)
		}
		if weight[o] = each.Weight * times; rater < 0 {
			weight[o] = poisson(each.Weight)
		}
	}
	return f.reweighted(weight)
}

// OfDraws is the covariance of resampled estimates, around their mean.
func (f *Fit) OfDraws(draws [][]float64) Covariance {
	g := f.Global
	c, mean := make(Covariance, g*g), make([]float64, g)
	for _, theta := range draws {
		for k := range mean {
			mean[k] += theta[k] / float64(len(draws))
		}
	}
	for _, theta := range draws {
		for i := range g {
			for j := range g {
				c[i*g+j] += (theta[i] - mean[i]) * (theta[j] - mean[j]) / float64(len(draws)-1)
			}
		}
	}
	return c
}

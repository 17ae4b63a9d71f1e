package interest

import (
	"context"
	"fmt"

	"fubini/core/cholesky"
	"fubini/data/ratings"
	"fubini/model/interest"
)

// Fit estimates the model of picks from the lists of a set. Ratings weigh the placements; where all are the same, or
// there is only one, every pick counts as one.
func Fit(ctx context.Context, set *ratings.Set, o Options) (*interest.Model, error) {
	items := set.Items().Len()
	if err := o.check(items); err != nil {
		return nil, err
	}
	l := index(set, o)
	m := &interest.Model{Average: make([]float64, items), Lowest: o.Lowest, Noise: o.Noise, Taste: o.Taste}
	m.Low, m.High = set.Range()
	for i, picks := range l.picks {
		m.Average[i] = float64(len(picks.people)) / float64(max(1, len(l.people)))
	}
	p := make([]float32, len(l.inputs)*len(l.inputs))
	if err := l.precision(ctx, p, o); err != nil {
		return nil, err
	}
	weights, vectors, err := l.weigh(ctx, m, p, o)
	if err != nil {
		return nil, err
	}
	if _, err := l.smooth(ctx, m, l.people, vectors, o); err != nil {
		return nil, err
	}
	weights.apply(m, l)
	if m.Near, err = l.weights(ctx, p, o); err != nil {
		return nil, err
	}
	m.Prepare()
	left, err := l.leaveOut(ctx, m, p, func(u int) []int { return l.known(u, o.Seed) }, o.Jobs)
	if err != nil {
		return nil, err
	}
	m.Calibration = l.calibrate(left, o.Jobs)
	if set.HasTimes() {
		if err := l.order(ctx, m, p, o); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// precision writes P, the inverse of G + κ diag(G) + λ, for the inputs, and keeps its diagonal. Four bytes a number are enough: with κ diag(G), or the ridge, the matrix is
// far from singular, and of P the model keeps ratios with as many.
func (l *lists) precision(ctx context.Context, a []float32, o Options) error {
	n, ridge := len(l.inputs), o.ridge(l.set.Len())
	l.gram(ctx, a, func(own float64) float64 { return own + ((1-o.Share)/o.Share*own + ridge) }, o.Jobs)
	if err := ctx.Err(); err != nil {
		return err
	}
	if !cholesky.InvertSingle(ctx, a, n, o.Jobs) {
		if err := ctx.Err(); err != nil {
			return err
		}
		return fmt.Errorf("interest: the co-occurrence counts of %d items with a ridge of %g are not positive definite in floating point; raise the ridge", n, ridge)
	}
	l.diagonal = make([]float64, n)
	for k := range l.diagonal {
		l.diagonal[k] = float64(a[k*n+k])
	}
	return nil
}

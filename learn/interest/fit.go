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
	m := &interest.Model{Average: make([]float64, items), Noise: o.Noise, Taste: o.Taste}
	m.Low, m.High = set.Range()
	for i, picks := range l.picks {
		m.Average[i] = float64(len(picks)) / float64(max(1, len(l.people)))
	}
	p := make([]float64, len(l.inputs)*len(l.inputs))
	if err := l.precision(p, o); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	weights, vectors, err := l.weigh(ctx, m, p, o)
	if err != nil {
		return nil, err
	}
	l.smooth(m, l.people, vectors, o)
	weights.apply(m, l)
	m.Near = l.weights(p, o)
	m.Prepare()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.Calibration = l.calibrate(l.leaveOut(m, p, o.Jobs), o.Jobs)
	return m, nil
}

// precision writes P, the inverse of G + κ diag(G) + λ, for the inputs.
func (l *lists) precision(a []float64, o Options) error {
	n := len(l.inputs)
	l.gram(a, o.Jobs)
	ridge := o.ridge(l.set.Len())
	for k := range n {
		a[k*n+k] += (1-o.Share)/o.Share*a[k*n+k] + ridge
	}
	if !cholesky.Invert(a, n, o.Jobs) {
		return fmt.Errorf("interest: the co-occurrence counts of %d items with a ridge of %g are not positive definite in floating point; raise the ridge", n, ridge)
	}
	return nil
}

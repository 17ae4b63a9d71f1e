package interest

import (
	"context"
	"fmt"
	"math"
	"slices"

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

// column has the stored weights for one item predicted, by place among the inputs, ascending.
type column struct {
	places []int32
	values []float32
}

// strongest returns the weights of the largest absolute value, at most keep; of equal ones the first.
func strongest(weights []float64, keep int) column {
	sizes := make([]float64, 0, len(weights))
	for _, v := range weights {
		if float32(v) != 0 {
			sizes = append(sizes, math.Abs(v))
		}
	}
	var least float64 // size of the weakest that is kept
	equal := 0        // number of those of that size that are kept
	if len(sizes) > keep {
		slices.Sort(sizes)
		sizes = sizes[len(sizes)-keep:]
		least = sizes[0]
		for equal < keep && sizes[equal] == least {
			equal++
		}
	}
	c := column{make([]int32, 0, len(sizes)), make([]float32, 0, len(sizes))}
	for k, v := range weights {
		size := math.Abs(v)
		if float32(v) == 0 || size < least {
			continue
		}
		if size == least {
			if equal == 0 {
				continue
			}
			equal--
		}
		c.places, c.values = append(c.places, int32(k)), append(c.values, float32(v))
	}
	return c
}

// byRow turns columns into the rows of a sparse matrix.
func byRow(columns []column, inputs []uint32, items int) interest.Weights {
	w := interest.Weights{Start: make([]int64, items+1)}
	for _, c := range columns {
		for _, k := range c.places {
			w.Start[inputs[k]+1]++
		}
	}
	for i := range items {
		w.Start[i+1] += w.Start[i]
	}
	w.Target, w.Value = make([]uint32, w.Start[items]), make([]float32, w.Start[items])
	next := slices.Clone(w.Start)
	for j, c := range columns {
		for at, k := range c.places {
			i := inputs[k]
			w.Target[next[i]], w.Value[next[i]] = uint32(j), c.values[at]
			next[i]++
		}
	}
	return w
}

package interest

import (
	"slices"

	"fubini/core/vec"
)

// absent is the regressions without one person. With v = P x for their list x of weight w, and h = w x·v, leaving out
// the list turns P into P + w v vᵀ / (1 - h) (Sherman and Morrison), which is exact but for κ diag(G), which is kept as
// it was.
type absent struct {
	l      *lists
	p      []float64
	v      []float64
	change float64 // w / (1 - h)
}

// absent leaves out person u.
func (l *lists) absent(u int, p []float64) *absent {
	a := &absent{l: l, p: p, v: make([]float64, len(l.inputs))}
	row := l.set.Row(u).Items
	a.multiply(row, l.x[u], a.v)
	a.change = l.weight[u] / (1 - l.weight[u]*a.along(row, l.x[u]))
	return a
}

// multiply adds P times a list to sum.
func (a *absent) multiply(items []uint32, x, sum []float64) {
	n := len(a.v)
	for k, i := range items {
		if place := int(a.l.place[i]); place >= 0 {
			vec.AddTimes(sum, a.p[place*n:(place+1)*n], x[k])
		}
	}
}

// along is the product of v with a list.
func (a *absent) along(items []uint32, x []float64) (sum float64) {
	for k, i := range items {
		if place := a.l.place[i]; place >= 0 {
			sum += float64(x[k] * a.v[place])
		}
	}
	return sum
}

// near writes the scores of the inputs for a list, in which no item predicts itself: with z = P' x for the changed P',
// x_j - z_j / P'_jj. Scores are by number of item; those of other items are left as they are.
func (a *absent) near(items []uint32, x, scores []float64) {
	z := make([]float64, len(a.v))
	a.multiply(items, x, z)
	a.nearOf(z, items, x, scores)
}

// nearAll writes the scores for the whole list of the person.
func (a *absent) nearAll(items []uint32, x, scores []float64) {
	a.nearOf(slices.Clone(a.v), items, x, scores)
}

// nearOf is near with z = P x, which it spoils.
func (a *absent) nearOf(z []float64, items []uint32, x, scores []float64) {
	n := len(a.v)
	vec.AddTimes(z, a.v, a.change*a.along(items, x))
	for k, j := range a.l.inputs {
		scores[j] = -z[k] / (a.p[k*n+k] + a.change*a.v[k]*a.v[k])
	}
	for k, i := range items {
		if a.l.place[i] >= 0 {
			scores[i] += x[k]
		}
	}
}

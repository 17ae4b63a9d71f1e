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
	p      []float32
	person int
	v      []float64
	change float64 // w / (1 - h)
}

// absent leaves out person u.
func (l *lists) absent(u int, p []float32) *absent {
	a := &absent{l: l, p: p, person: u, v: make([]float64, len(l.inputs))}
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
			vec.AddTimesSingle(sum, a.p[place*n:(place+1)*n], x[k])
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

// near writes the scores of the inputs for a part of the person's list, in which no item predicts itself: with z = P' x
// for the changed P', x_j - z_j / P'_jj. Scores are by number of item; those of other items are left as they are.
func (a *absent) near(items []uint32, x, scores []float64) {
	z := make([]float64, len(a.v))
	if row := a.l.set.Row(a.person).Items; 2*len(items) <= len(row) {
		a.multiply(items, x, z)
	} else { // v less P times the rest is quicker
		copy(z, a.v)
		for k, i := range row {
			if _, there := slices.BinarySearch(items, i); !there {
				a.multiply([]uint32{i}, []float64{-a.l.x[a.person][k]}, z)
			}
		}
	}
	vec.AddTimes(z, a.v, a.change*a.along(items, x))
	for k, j := range a.l.inputs {
		scores[j] = -z[k] / (a.l.diagonal[k] + a.change*a.v[k]*a.v[k])
	}
	for k, i := range items {
		if a.l.place[i] >= 0 {
			scores[i] += x[k]
		}
	}
}

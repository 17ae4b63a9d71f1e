package interest

import (
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/learn/cooccurrence"
	"fubini/model/interest"
)

const (
	// extra is the number of vectors beyond those asked for; with them the leading ones converge faster.
	extra = 8
	// steps is the number of steps of the subspace iteration.
	steps = 30
	// faint is the least sum of squares of an item: those in no list have 0.
	faint = 1e-6
)

// smooth writes the low-rank part of a model.
func (l *lists) smooth(m *interest.Model, o Options) {
	items := l.set.Items().Len()
	m.Units = o.units(len(l.people), items)
	squares := make([]float64, items)
	for _, u := range l.people {
		row := l.set.Row(u)
		for k, i := range row.Items {
			x := l.at(row, k)
			squares[i] += float64(x * x / float64(row.Len()))
		}
	}
	m.Gain = make([]float64, items)
	inverse := make([]float64, items) // of D
	for i, s := range squares {
		d := math.Pow(max(s, faint), o.Scale)
		m.Gain[i], inverse[i] = d*d, 1/d
	}
	width := min(m.Units+extra, items)
	at, next := make([]float64, items*width), make([]float64, items*width)
	r := rng.Stream(o.Seed, "interest")
	for k := range at {
		at[k] = r.NormFloat64()
	}
	for range steps {
		cooccurrence.Orthonormal(at, width)
		l.multiply(at, next, inverse, width, o.Jobs)
		at, next = next, at
	}
	cooccurrence.Orthonormal(at, width)
	l.multiply(at, next, inverse, width, o.Jobs)
	m.Eigen = make([]float64, m.Units)
	for k := range m.Eigen {
		for i := range items {
			m.Eigen[k] += float64(at[i*width+k] * next[i*width+k])
		}
	}
	if largest := slices.Max(m.Eigen); largest > 0 {
		vec.Scale(m.Eigen, 1/largest)
	}
	m.In = make([]float64, items*m.Units)
	for i := range items {
		for k := range m.Units {
			m.In[i*m.Units+k] = float64(float32(at[i*width+k] * inverse[i])) // as a file keeps it
		}
	}
}

// multiply writes AᵀA times vectors, row by row of the items, where A has a row for each list, divided by the root of its
// length, and a column for each item, divided by D. Each goroutine takes some of the vectors, so that every sum has one
// order.
func (l *lists) multiply(vectors, out, inverse []float64, width, jobs int) {
	const chunk = 8
	clear(out)
	parallel.Do((width+chunk-1)/chunk, jobs, func(_, part int) {
		from, to := part*chunk, min((part+1)*chunk, width)
		var room [chunk]float64
		sum := room[:to-from]
		for _, u := range l.people {
			row := l.set.Row(u)
			clear(sum)
			for k, i := range row.Items {
				vec.AddTimes(sum, vectors[int(i)*width+from:int(i)*width+to], l.at(row, k)*inverse[i])
			}
			for k, i := range row.Items {
				vec.AddTimes(out[int(i)*width+from:int(i)*width+to], sum, l.at(row, k)*inverse[i]/float64(row.Len()))
			}
		}
	})
}

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
	// steps is the number of steps of the subspace iteration from random vectors, and again that from near ones.
	steps, again = 15, 6
	// faint is the least sum of squares of an item: those in no list have 0.
	faint = 1e-6
)

// smooth writes the low-rank part of a model, fitted to some people. The search begins with the vectors from, or with
// random ones where there are none; it returns those that it ends with, for another one.
func (l *lists) smooth(m *interest.Model, people []int, from []float64, o Options) []float64 {
	items := l.set.Items().Len()
	m.Units = o.units(len(l.people), items)
	squares := make([]float64, items)
	for _, u := range people {
		row := l.set.Row(u)
		for k, i := range row.Items {
			x := l.x[u][k]
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
	at, next, count := from, make([]float64, items*width), again
	if from == nil {
		at, count = make([]float64, items*width), steps
		r := rng.Stream(o.Seed, "interest")
		for k := range at {
			at[k] = r.NormFloat64()
		}
	}
	for step := range count {
		if step%2 == 0 { // two steps between leave the vectors far enough from each other
			cooccurrence.Orthonormal(at, width)
		}
		l.multiply(people, at, next, inverse, width, o.Jobs)
		at, next = next, at
	}
	cooccurrence.Orthonormal(at, width)
	l.multiply(people, at, next, inverse, width, o.Jobs)
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
	return at
}

// multiply writes AᵀA times vectors, row by row of the items, where A has a row for each list, divided by the root of its
// length, and a column for each item, divided by D. Only the lists of some people count. Every sum is in the order of
// people, or of a list.
func (l *lists) multiply(people []int, vectors, out, inverse []float64, width, jobs int) {
	const piece = 64
	sums := make([]float64, len(l.weight)*width) // of each person: A times the vectors, over the root of the length
	size := parallel.Size(max(len(people), len(l.picks)), jobs)
	places, factors := make([][]uint32, size), make([][]float64, size) // of each worker
	parallel.Do((len(people)+piece-1)/piece, jobs, func(worker, part int) {
		for _, u := range people[part*piece : min((part+1)*piece, len(people))] {
			row, of := l.set.Row(u).Items, factors[worker][:0]
			for k, i := range row {
				of = append(of, l.x[u][k]*inverse[i]/float64(len(row)))
			}
			vec.AddRowsAt(sums[u*width:(u+1)*width], vectors, row, of)
			factors[worker] = of
		}
	})
	clear(out)
	parallel.Do(len(l.picks), jobs, func(worker, i int) {
		at, of := places[worker][:0], factors[worker][:0]
		for _, pick := range l.picks[i] { // a sum is 0 for a person who does not count
			at, of = append(at, pick.person), append(of, float64(pick.weight)*inverse[i])
		}
		vec.AddRowsAt(out[i*width:(i+1)*width], sums, at, of)
		places[worker], factors[worker] = at, of
	})
}

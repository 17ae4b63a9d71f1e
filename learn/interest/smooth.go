package interest

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/learn/cooccurrence"
	"fubini/model/interest"
)

const (
	// extra is the number of vectors beyond those asked for; with them the leading ones converge faster. Their number is filled up to
	// a multiple of lanes, because that is fastest.
	extra, lanes = 16, 8
	// steps is the number of steps of the subspace iteration from random vectors, and again that from near ones.
	steps, again = 5, 2
	// faint is the least sum of squares of an item: those in no list have 0.
	faint = 1e-6
)

// smooth writes the low-rank part of a model, fitted to some people. The search begins with the vectors from, or with
// random ones where there are none; it returns those that it ends with, for another one.
func (l *lists) smooth(ctx context.Context, m *interest.Model, people []int, from []float64, o Options) ([]float64, error) {
	items := l.set.Items().Len()
	m.Units = o.units(len(l.people), items)
	squares := make([]float64, items)
	for _, u := range people {
		row := l.set.Row(u)
		for k, i := range row.Items {
			x := float64(l.x(row.Values[k]))
			squares[i] += float64(x * x / float64(row.Len()))
		}
	}
	m.Gain = make([]float64, items)
	inverse := make([]float64, items) // of D
	for i, s := range squares {
		d := math.Pow(max(s, faint), o.Scale)
		m.Gain[i], inverse[i] = d*d, 1/d
	}
	width := min((m.Units+extra+lanes-1)/lanes*lanes, items)
	at, next, count := from, make([]float64, items*width), again
	if from == nil {
		at, count = make([]float64, items*width), steps
		r := rng.Stream(o.Seed, "interest")
		for k := range at {
			at[k] = r.NormFloat64()
		}
	}
	for step := range count {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if step > 0 && step%2 == 0 { // two steps between leave the vectors far enough from each other
			cooccurrence.Orthonormal(at, width)
		}
		l.multiply(people, at, next, inverse, width, o.Jobs)
		at, next = next, at
	}
	cooccurrence.Orthonormal(at, width)
	l.multiply(people, at, next, inverse, width, o.Jobs)
	var values []float64
	at, values = ritz(at, next, width)
	m.Eigen = values[:m.Units]
	if largest := slices.Max(m.Eigen); largest > 0 {
		vec.Scale(m.Eigen, 1/largest)
	}
	m.In = make([]float64, items*m.Units)
	for i := range items {
		for k := range m.Units {
			m.In[i*m.Units+k] = float64(float32(at[i*width+k] * inverse[i])) // as a file keeps it
		}
	}
	return at, nil
}

// ritz returns the eigenvectors of a symmetric matrix B within the span of orthonormal columns, and their eigenvalues, falling and at least 0. B times
// the columns is given.
func ritz(columns, product []float64, width int) (vectors, values []float64) {
	h := make([]float64, width*width)
	for at := 0; at < len(columns); at += width {
		for k, v := range columns[at : at+width] {
			vec.AddTimes(h[k*width:(k+1)*width], product[at:at+width], v)
		}
	}
	var eigen mat.EigenSym
	var axes mat.Dense
	if !eigen.Factorize(mat.NewSymDense(width, h), true) {
		panic("interest: eigenvalues that are no numbers")
	}
	eigen.VectorsTo(&axes)
	values, rotation := make([]float64, width), make([]float64, width*width)
	ascending := eigen.Values(nil)
	for k := range values {
		values[k] = max(0, ascending[width-1-k])
		for j := range width {
			rotation[j*width+k] = axes.At(j, width-1-k)
		}
	}
	vectors = make([]float64, len(columns))
	for at := 0; at < len(columns); at += width {
		vec.AddRows(vectors[at:at+width], rotation, columns[at:at+width])
	}
	return vectors, values
}

// multiply writes AᵀA times vectors, row by row of the items, where A has a row for each list, divided by the root of its
// length, and a column for each item, divided by D. Only the lists of some people count. Sums have four bytes; each is in the order of
// people, or of a list.
func (l *lists) multiply(people []int, vectors, out, inverse []float64, width, jobs int) {
	const piece = 64
	scaled := make([]float32, len(vectors)) // rows divided by D
	for i, d := range inverse {
		for k := i * width; k < (i+1)*width; k++ {
			scaled[k] = float32(vectors[k] * d)
		}
	}
	l.sums = sized(l.sums, len(l.weight)*width)
	sums := l.sums // of each person: A times the vectors, over the root of the length; 0 for one who does not count
	clear(sums)
	parallel.Do((len(people)+piece-1)/piece, jobs, func(_, part int) {
		var x []float32 // of a list
		for _, u := range people[part*piece : min((part+1)*piece, len(people))] {
			row, sum := l.set.Row(u), sums[u*width:(u+1)*width]
			x = x[:0]
			for _, rating := range row.Values {
				x = append(x, l.x(rating))
			}
			vec.AddRowsAtSingle(sum, scaled, width, row.Items, x)
			for k := range sum {
				sum[k] /= float32(row.Len())
			}
		}
	})
	parallel.Do((len(l.picks)+piece-1)/piece, jobs, func(_, part int) {
		sum := make([]float32, width)
		for i := part * piece; i < min((part+1)*piece, len(l.picks)); i++ {
			clear(sum)
			vec.AddRowsAtSingle(sum, sums, width, l.picks[i].people, l.picks[i].weights)
			for k, v := range sum {
				out[i*width+k] = float64(v) * inverse[i]
			}
		}
	})
}

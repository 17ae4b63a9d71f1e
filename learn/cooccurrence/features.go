// Package cooccurrence computes features of items from the incidence table of lists and items,
// by correspondence analysis; the order within lists plays no part. Items listed by the same
// people have similar features. See docs/maths.md#co-occurrence.
package cooccurrence

import (
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Features are the co-occurrence features of items, and the coefficients of the regression of
// their parameters on them. The score of a list is the mean loading of its items. The features
// of an item are the sum of the scores of its lists, divided by their number plus 8: the shrinkage
// is that of 8 empty lists.
type Features struct {
	Dims     int       // number of features of an item
	Loadings []float64 // loadings [item*Dims+d]; nil if only the features are known
	Items    []float64 // features [item*Dims+d]

	// Regression coefficients of u (Dims by 1), W and V (Dims by units); nil before training.
	U, W, V []float64
}

// shrinkage is the number of empty pseudo-lists added to each item's count.
const shrinkage = 8

// Compute computes features with dims dimensions: approximately the leading singular vectors of
// correspondence analysis, by 12 steps of subspace iteration from a random start.
func Compute(items int, lists []osm.Packed, dims int, seed uint64, jobs int) *Features {
	f := &Features{Dims: dims, Loadings: make([]float64, items*dims)}
	counts := Counts(items, lists)
	scale, places := scales(counts), total(counts)
	by := newTable(counts, lists)
	r := rng.Stream(seed, "company") // fixed: another name changes results
	at, next := make([]float64, items*dims), make([]float64, items*dims)
	for k := range at {
		at[k] = r.NormFloat64()
	}
	// A dozen steps find directions with nearly the largest singular values; where many are alike,
	// the seed decides which.
	const steps = 12
	for range steps {
		Orthonormal(at, dims)
		f.load(at, scale, counts, places)
		f.addScores(by, next, jobs)
		for i, v := range scale {
			vec.Scale(f.row(next, i), v)
		}
		at, next = next, at
	}
	Orthonormal(at, dims)
	f.standardise(by, places, f.load(at, scale, counts, places))
	f.addScores(by, next, jobs)
	f.SetItems(next, counts)
	return f
}

// Counts returns the number of lists that each item is in.
func Counts(items int, lists []osm.Packed) []float64 {
	counts := make([]float64, items)
	for _, list := range lists {
		for _, i := range list.Items {
			counts[i]++
		}
	}
	return counts
}

func total(counts []float64) (places float64) {
	for _, n := range counts {
		places += n
	}
	return places
}

// scales is the factor on the vector of each item; zero for those in no list.
func scales(counts []float64) []float64 {
	scale := make([]float64, len(counts))
	for i, n := range counts {
		if n > 0 {
			scale[i] = 1 / math.Sqrt(n+shrinkage)
		}
	}
	return scale
}

func (f *Features) row(of []float64, i int) []float64 { return of[i*f.Dims : (i+1)*f.Dims] }

// Of returns the features of item i.
func (f *Features) Of(i int) []float64 { return f.row(f.Items, i) }

// load sets the loadings to scaled vectors, less their mean over the places of all lists,
// and returns their mean squares before that.
func (f *Features) load(vectors, scale, counts []float64, places float64) (squares []float64) {
	mean := make([]float64, f.Dims)
	squares = make([]float64, f.Dims)
	for i, v := range scale {
		to := f.row(f.Loadings, i)
		copy(to, f.row(vectors, i))
		vec.Scale(to, v)
		vec.AddTimes(mean, to, counts[i]/places)
		for k, v := range to {
			squares[k] += v * v * counts[i] / places
		}
	}
	for i, n := range counts {
		if n > 0 {
			vec.AddTimes(f.row(f.Loadings, i), mean, -1)
		}
	}
	return squares
}

// ListSums returns, for every item, the sum of the scores of its lists.
func (f *Features) ListSums(lists []osm.Packed, jobs int) []float64 {
	sums := make([]float64, len(f.Loadings))
	f.addScores(newTable(Counts(len(sums)/f.Dims, lists), lists), sums, jobs)
	return sums
}

// table is the incidence table by list and by item: item i is in the lists by[start[i]:start[i+1]], ascending.
type table struct {
	lists []osm.Packed
	start []int
	by    []uint32
	ones  []float64 // as many as the longest row or column has
}

// newTable is the table of some lists, with the number of lists that each item is in.
func newTable(counts []float64, lists []osm.Packed) *table {
	t := &table{lists: lists, start: make([]int, len(counts)+1)}
	longest := 0
	for i, n := range counts {
		t.start[i+1] = t.start[i] + int(n)
		longest = max(longest, int(n))
	}
	t.by = make([]uint32, t.start[len(counts)])
	next := slices.Clone(t.start)
	for l, list := range lists {
		longest = max(longest, len(list.Items))
		for _, i := range list.Items {
			t.by[next[i]] = uint32(l)
			next[i]++
		}
	}
	t.ones = slices.Repeat([]float64{1}, longest)
	return t
}

// addScores is ListSums: the scores of lists first, and then their sums by item. One goroutine adds up all of a sum, in order.
func (f *Features) addScores(t *table, sums []float64, jobs int) {
	const piece = 64 // lists or items that a goroutine takes at once
	scores := make([]float64, len(t.lists)*f.Dims)
	pieces := func(n int, work func(k int)) {
		parallel.Do((n+piece-1)/piece, jobs, func(_, part int) {
			for k := part * piece; k < min((part+1)*piece, n); k++ {
				work(k)
			}
		})
	}
	pieces(len(t.lists), func(l int) {
		items, own := t.lists[l].Items, f.row(scores, l)
		vec.AddRowsAt(own, f.Loadings, items, t.ones[:len(items)])
		for k := range own {
			own[k] /= float64(len(items))
		}
	})
	clear(sums)
	pieces(len(t.start)-1, func(i int) {
		lists := t.by[t.start[i]:t.start[i+1]]
		vec.AddRowsAt(f.row(sums, i), scores, lists, t.ones[:len(lists)])
	})
}

// standardise turns and stretches the loadings so that the scores of lists are
// uncorrelated with a mean square of one over places. Directions without variance, measured
// by the mean squares of the loadings, become zero.
func (f *Features) standardise(t *table, places float64, squares []float64) {
	n := f.Dims
	root, own := make([]float64, n*n), make([]float64, n)
	for _, list := range t.lists {
		clear(own)
		vec.AddRowsAt(own, f.Loadings, list.Items, t.ones[:len(list.Items)])
		for k, v := range own { // of the mean, for every place of the list
			vec.AddTimes(root[k*n:k*n+k+1], own[:k+1], v/(float64(len(list.Items))*places))
		}
	}
	// The lower triangle of products becomes its Cholesky factor, with a zero on the
	// diagonal where nothing is left.
	const least = 1e-9
	for k := range n {
		for j := range k {
			if root[k*n+j] -= vec.Dot(root[k*n:k*n+j], root[j*n:j*n+j]); root[j*n+j] > 0 {
				root[k*n+j] /= root[j*n+j]
			} else {
				root[k*n+j] = 0
			}
		}
		left := root[k*n+k] - vec.Dot(root[k*n:k*n+k], root[k*n:k*n+k])
		if root[k*n+k] = 0; left > least*squares[k] {
			root[k*n+k] = math.Sqrt(left)
		}
	}
	for first := 0; first < len(f.Loadings); first += n {
		row := f.Loadings[first : first+n]
		for k := range row {
			if row[k] -= vec.Dot(root[k*n:k*n+k], row[:k]); root[k*n+k] > 0 {
				row[k] /= root[k*n+k]
			} else {
				row[k] = 0
			}
		}
	}
}

// SetItems computes the features of items from the sums of the scores of their lists and the
// numbers of these lists.
func (f *Features) SetItems(sums, counts []float64) {
	f.Items = make([]float64, len(sums))
	for i, n := range counts {
		vec.AddTimes(f.row(f.Items, i), f.row(sums, i), 1/(n+shrinkage))
	}
}

// PredictNew sets the parameters of new items, numbered from `from` on, to their prior means.
// Their features come from lists, whose scores are the mean loadings of the items that have
// loadings.
func (f *Features) PredictNew(c *latent.Catalogue, from int, lists []osm.Packed) {
	known := len(f.Loadings) / f.Dims
	sums, counts := make([]float64, c.Items*f.Dims), make([]float64, c.Items)
	score := make([]float64, f.Dims)
	for _, list := range lists {
		clear(score)
		n := 0.0
		for _, i := range list.Items {
			if int(i) < known {
				vec.AddTimes(score, f.row(f.Loadings, int(i)), 1)
				n++
			}
		}
		for _, i := range list.Items {
			if n > 0 {
				vec.AddTimes(f.row(sums, int(i)), score, 1/n)
				counts[i]++
			}
		}
	}
	for i := from; i < c.Items; i++ {
		features := f.row(sums, i)
		vec.Scale(features, 1/(counts[i]+shrinkage))
		c.U[i] = vec.Dot(f.U, features)
		vec.AddRows(c.W[i*c.K:(i+1)*c.K], f.W, features)
		if c.V != nil {
			vec.AddRows(c.V[i*c.K:(i+1)*c.K], f.V, features)
		}
	}
}

// Orthonormal makes the columns of rows of this width orthonormal, each against those
// before it; twice, because of rounding.
func Orthonormal(rows []float64, width int) {
	n := len(rows) / max(1, width)
	columns := make([]float64, len(rows)) // one after another, for long sums
	for at, v := range rows {
		columns[at%width*n+at/width] = v
	}
	for k := range width {
		own := columns[k*n : (k+1)*n]
		for range 2 {
			for j := range k {
				other := columns[j*n : (j+1)*n]
				vec.AddTimes(own, other, -vec.Dot(own, other))
			}
		}
		factor, square := 0.0, vec.Dot(own, own)
		if square > 0 {
			factor = 1 / math.Sqrt(square)
		}
		vec.Scale(own, factor)
	}
	for at := range rows {
		rows[at] = columns[at%width*n+at/width]
	}
}

// Clone returns a copy that shares nothing with f; nil for nil.
func (f *Features) Clone() *Features {
	if f == nil {
		return nil
	}
	copied := *f
	for _, list := range []*[]float64{&copied.Loadings, &copied.Items, &copied.U, &copied.W, &copied.V} {
		*list = slices.Clone(*list)
	}
	return &copied
}

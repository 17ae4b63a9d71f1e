package cooccurrence

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"fubini/core/vec"
)

// Where no machine has all lists, features are found pass by pass: every shard computes
// ListSums and Moments of its own lists, their sums over shards give SetItems, and NextPass
// starts another. Each pass is a step of the subspace iteration in Find; after the last
// Leading keeps the dimensions with the largest variance.

// NextPass computes loadings from the features, given the number of lists that each item is in:
// orthonormal vectors, scaled to a mean square of at most one over the items of all lists.
func (f *Features) NextPass(counts []float64) {
	scale, places := scales(counts), total(counts)
	vectors := make([]float64, len(f.Items))
	for i, v := range scale {
		if v > 0 {
			vec.AddTimes(f.row(vectors, i), f.row(f.Items, i), 1/v)
		}
	}
	Orthonormal(vectors, f.Dims)
	f.Loadings, f.Items = make([]float64, len(vectors)), nil
	f.load(vectors, scale, counts, places)
	vec.Scale(f.Loadings, math.Sqrt(places))
}

// Moments is the contribution of some lists, given their sums, to the second moments of list
// scores, weighted by length. A list of length n with score vector s adds n s s', which is the
// sum of g s' over the loadings g of its items.
func (f *Features) Moments(sums, counts []float64) []float64 {
	n := f.Dims
	moments := make([]float64, n*n)
	for i := range counts {
		for k, v := range f.row(f.Loadings, i) {
			vec.AddTimes(moments[k*n:(k+1)*n], f.row(sums, i), v)
		}
	}
	vec.Scale(moments, 1/total(counts))
	return moments
}

// Leading rotates the features so that list scores are uncorrelated, keeps the dims dimensions
// with the largest second moments, and scales these to one. Dimensions without variance become
// zero. The loadings are dropped.
func (f *Features) Leading(dims int, moments []float64) error {
	wide := f.Dims
	all := mat.NewSymDense(wide, nil)
	for k := range wide {
		for j := range k + 1 {
			all.SetSym(k, j, (moments[k*wide+j]+moments[j*wide+k])/2)
		}
	}
	var values mat.EigenSym
	if !values.Factorize(all, true) {
		return fmt.Errorf("cooccurrence: the second moments of %d scores have no eigenvectors", wide)
	}
	var vectors mat.Dense
	values.VectorsTo(&vectors)
	const least = 1e-9 // of vectors of length one: no variance at all
	turn := make([]float64, wide*dims)
	for d := range min(wide, dims) {
		at := wide - 1 - d // the largest comes last
		value := values.Values(nil)[at]
		if !(value > least) {
			break
		}
		for k := range wide {
			turn[k*dims+d] = vectors.At(k, at) / math.Sqrt(value)
		}
	}
	items := make([]float64, len(f.Items)/wide*dims)
	for i := range len(f.Items) / wide {
		vec.AddRows(items[i*dims:(i+1)*dims], turn, f.row(f.Items, i))
	}
	f.Dims, f.Loadings, f.Items = dims, nil, items
	return nil
}

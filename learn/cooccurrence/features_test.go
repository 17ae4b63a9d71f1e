package cooccurrence

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fubini/core/partition"
	"fubini/core/vec"
	"fubini/model/latent/planted"
	"fubini/model/osm"
)

// byDecomposition computes features by the singular vectors of the whole matrix.
func byDecomposition(items int, lists []osm.List, numbers int, centred bool) (of *mat.Dense, values []float64) {
	times := Counts(items, osm.Pack(lists))
	places := total(times)
	m := mat.NewDense(len(lists), items, nil)
	trivial := mat.NewVecDense(len(lists), nil)
	for l, list := range lists {
		length := float64(len(list.Items))
		trivial.SetVec(l, math.Sqrt(length/places))
		for _, i := range list.Items {
			m.Set(l, i, 1/math.Sqrt(length*(times[i]+shrinkage)))
		}
	}
	if centred {
		var along mat.VecDense
		along.MulVec(m.T(), trivial)
		m.RankOne(m, -1, trivial, &along)
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThin) {
		panic("no decomposition")
	}
	var left mat.Dense
	svd.UTo(&left)
	values = svd.Values(nil)
	of = mat.NewDense(items, numbers, nil)
	for l, list := range lists {
		for _, i := range list.Items {
			for d := range numbers {
				of.Set(i, d, of.At(i, d)+left.At(l, d)*math.Sqrt(places/float64(len(list.Items)))/(times[i]+shrinkage))
			}
		}
	}
	return of, values
}

// The features of any two items have the inner product
// that singular vectors give them, in whichever basis. Without centring the first of
// these only tells how long lists are.
func TestCorrespondenceAnalysis(t *testing.T) {
	const items, numbers = 40, 3
	lists, _ := planted.Circles(400, items, numbers+1, 0.95, 1)
	for _, jobs := range []int{1, 3} {
		c := Compute(items, osm.Pack(lists), numbers, 7, jobs)
		apart := func(centred bool) (most float64) {
			exact, _ := byDecomposition(items, lists, numbers, centred)
			for i := range items {
				for j := range items {
					most = math.Max(most, math.Abs(vec.Dot(c.Of(i), c.Of(j))-mat.Dot(exact.RowView(i), exact.RowView(j))))
				}
			}
			return most
		}
		if off, twin := apart(true), apart(false); !(off < 1e-4) || !(twin > 0.1) {
			t.Errorf("inner products of features are %g off, and %g without centring", off, twin)
		}
	}
}

// Where no direction stands out, those that are found tell nearly as much as the best:
// the sum of the squares of their singular values. Directions at random would not.
func TestNearlyTheBestDirections(t *testing.T) {
	const items, numbers = 60, 6
	lists, _ := planted.Circles(400, items, 2, 0, 1) // nobody keeps to their circle
	c := Compute(items, osm.Pack(lists), numbers, 7, 1)
	times := Counts(items, osm.Pack(lists))
	places := total(times)
	var caught, best, all float64
	for i, n := range times {
		caught += (n + shrinkage) * vec.Dot(c.Of(i), c.Of(i)) / places
	}
	_, values := byDecomposition(items, lists, numbers, true)
	for k, v := range values {
		if all += v * v; k < numbers {
			best += v * v
		}
	}
	if random := all * numbers / items; !(caught > 0.95*best) || !(caught < best*(1+1e-9)) || !(random < 0.8*best) {
		t.Errorf("%g explained, the best directions have %g, some at random %g", caught, best, random)
	}
}

// The scores of lists are uncorrelated over places, with a mean square of one.
func TestScoresOfListsAreStandardised(t *testing.T) {
	const items, numbers = 40, 3
	lists, _ := planted.Circles(400, items, numbers+1, 0.95, 1)
	c := Compute(items, osm.Pack(lists), numbers, 7, 1)
	var product [numbers][numbers]float64
	places := total(Counts(items, osm.Pack(lists)))
	for _, list := range lists {
		var own [numbers]float64
		for _, i := range list.Items {
			for d, v := range c.row(c.Loadings, i) {
				own[d] += v / float64(len(list.Items))
			}
		}
		for d := range own {
			for e := range own {
				product[d][e] += own[d] * own[e] * float64(len(list.Items)) / places
			}
		}
	}
	for d := range numbers {
		for e := range numbers {
			want := 0.0
			if d == e {
				want = 1
			}
			if !(math.Abs(product[d][e]-want) < 1e-9) {
				t.Errorf("numbers %d and %d have mean product %g", d, e, product[d][e])
			}
		}
	}
}

// Where everybody placed everything, and where there are fewer people than features,
// features without variance are zero.
func TestNoFeaturesWhereAllPlacedAll(t *testing.T) {
	all := []int{0, 1, 2, 3, 4}
	x := partition.OneBlock(5)
	lists := []osm.List{{Items: all, Order: x}, {Items: all, Order: x}, {Items: all, Order: x}}
	for _, v := range Compute(5, osm.Pack(lists), 4, 1, 1).Items {
		if v != 0 {
			t.Fatalf("a number %g of items that all have placed", v)
		}
	}
	some := osm.List{Items: []int{5, 6}, Order: partition.OneBlock(2)}
	c := Compute(8, osm.Pack(append(lists, some)), 4, 1, 1)
	used := 0
	for d := range c.Dims {
		if c.Items[d] != 0 {
			used++
		}
	}
	if used != 1 {
		t.Errorf("two kinds of lists have %d features", used)
	}
	for _, v := range c.Of(7) {
		if v != 0 {
			t.Errorf("an item that nobody placed has a number %g", v)
		}
	}
}

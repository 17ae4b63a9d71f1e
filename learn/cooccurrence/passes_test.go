package cooccurrence

import (
	"math"
	"testing"

	"fubini/model/latent/planted"

	"gonum.org/v1/gonum/mat"

	"fubini/core/vec"
	"fubini/model/osm"
)

// Passes over lists that are divided, from the features of some of them, find those
// of all lists. Two are much nearer to it than none.
func TestPassesFind(t *testing.T) {
	const items, numbers = 40, 3
	lists, _ := planted.Circles(400, items, numbers+1, 0.95, 1)
	times := Counts(items, osm.Pack(lists))
	places := total(times)
	exact, _ := byDecomposition(items, lists, numbers, true)
	apart := func(c *Features) (most float64) {
		for i := range items {
			for j := range items {
				most = math.Max(most, math.Abs(vec.Dot(c.Of(i), c.Of(j))-mat.Dot(exact.RowView(i), exact.RowView(j))))
			}
		}
		return most
	}
	after := func(passes int) *Features {
		c := Compute(items, osm.Pack(lists)[:40], 2*numbers, 7, 1)
		for pass := range passes {
			c.NextPass(times)
			var said float64
			for i, n := range times {
				said = math.Max(said, n/places*vec.Dot(c.row(c.Loadings, i), c.row(c.Loadings, i)))
			}
			if !(said <= 2*numbers) {
				t.Fatalf("an item says %g", said)
			}
			sums, products := make([]float64, len(c.Loadings)), make([]float64, 4*numbers*numbers)
			for _, part := range [][]osm.List{lists[:100], lists[100:]} {
				own := c.ListSums(osm.Pack(part), 1)
				vec.AddTimes(sums, own, 1)
				vec.AddTimes(products, c.Moments(own, times), 1)
			}
			c.SetItems(sums, times)
			if pass+1 == passes {
				if err := c.Leading(numbers, products); err != nil {
					t.Fatal(err)
				}
			}
		}
		return c
	}
	if off, two, none := apart(after(12)), apart(after(2)), apart(Compute(items, osm.Pack(lists)[:40], numbers, 7, 1)); !(off < 1e-6) || !(two < none/5) {
		t.Errorf("inner products of features are %g off after twelve passes, %g after two, %g before", off, two, none)
	}
}

// Where there is less to tell than numbers to tell it with, the rest are zero; and no
// number is made of nothing.
func TestLeadingOfLittle(t *testing.T) {
	lists, _ := planted.Circles(3, 12, 1, 0, 1)
	times := Counts(12, osm.Pack(lists))
	c := Compute(12, osm.Pack(lists), 8, 1, 1)
	c.NextPass(times)
	sums := c.ListSums(osm.Pack(lists), 1)
	c.SetItems(sums, times)
	if err := c.Leading(4, c.Moments(sums, times)); err != nil {
		t.Fatal(err)
	}
	used := 0
	for d := range c.Dims {
		var square float64
		for i, n := range times {
			if square += c.Items[i*c.Dims+d] * c.Items[i*c.Dims+d]; n == 0 && c.Items[i*c.Dims+d] != 0 {
				t.Errorf("item %d, which nobody placed, has a number", i)
			}
		}
		if math.IsNaN(square) {
			t.Fatal("numbers are not numbers")
		}
		if square > 0 {
			used++
		}
	}
	if c.Dims != 4 || used != 2 { // three lists, without what they have in common
		t.Errorf("three lists have %d features of %d", used, c.Dims)
	}
}

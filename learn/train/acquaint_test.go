package train

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fubini/core/vec"
	"fubini/model/osm"
)

// Passes over lists that are divided, from what some of them speak of, find the company
// that the singular vectors of all are. Two are much nearer to it than none.
func TestPassesFindCompany(t *testing.T) {
	const items, numbers = 40, 3
	lists, _ := circles(400, items, numbers+1, 0.95, 1)
	times := timesOf(items, lists)
	places := placesIn(times)
	exact, _ := byDecomposition(items, lists, numbers, true)
	apart := func(c *Company) (most float64) {
		for i := range items {
			for j := range items {
				most = math.Max(most, math.Abs(vec.Dot(c.row(c.Of, i), c.row(c.Of, j))-mat.Dot(exact.RowView(i), exact.RowView(j))))
			}
		}
		return most
	}
	after := func(passes int) *Company {
		c := FindCompany(items, lists[:40], 2*numbers, 7, 1)
		for pass := range passes {
			c.Next(times)
			var said float64
			for i, n := range times {
				said = math.Max(said, n/places*vec.Dot(c.row(c.Loads, i), c.row(c.Loads, i)))
			}
			if !(said <= 2*numbers) {
				t.Fatalf("an item says %g", said)
			}
			sums, products := make([]float64, len(c.Loads)), make([]float64, 4*numbers*numbers)
			for _, part := range [][]osm.List{lists[:100], lists[100:]} {
				own := c.Share(part, 1)
				vec.AddTimes(sums, own, 1)
				vec.AddTimes(products, c.Products(own, times), 1)
			}
			c.Meet(sums, times)
			if pass+1 == passes {
				if err := c.Lead(numbers, products); err != nil {
					t.Fatal(err)
				}
			}
		}
		return c
	}
	if off, two, none := apart(after(12)), apart(after(2)), apart(FindCompany(items, lists[:40], numbers, 7, 1)); !(off < 1e-6) || !(two < none/5) {
		t.Errorf("inner products of numbers are %g off after twelve passes, %g after two, %g before", off, two, none)
	}
}

// Where there is less to tell than numbers to tell it with, the rest are zero; and no
// number is made of nothing.
func TestLeadOfLittle(t *testing.T) {
	lists, _ := circles(3, 12, 1, 0, 1)
	times := timesOf(12, lists)
	c := FindCompany(12, lists, 8, 1, 1)
	c.Next(times)
	sums := c.Share(lists, 1)
	c.Meet(sums, times)
	if err := c.Lead(4, c.Products(sums, times)); err != nil {
		t.Fatal(err)
	}
	told := 0
	for d := range c.Numbers {
		var square float64
		for i, n := range times {
			if square += c.Of[i*c.Numbers+d] * c.Of[i*c.Numbers+d]; n == 0 && c.Of[i*c.Numbers+d] != 0 {
				t.Errorf("item %d, which nobody placed, has a number", i)
			}
		}
		if math.IsNaN(square) {
			t.Fatal("numbers are not numbers")
		}
		if square > 0 {
			told++
		}
	}
	if c.Numbers != 4 || told != 2 { // three lists, without what they have in common
		t.Errorf("three lists have %d numbers of %d", told, c.Numbers)
	}
}

// A state that knows nothing of company is no state to resume from with it, once it has
// learned something.
func TestCompanyIsNotMadeUpOnResuming(t *testing.T) {
	lists, _ := circles(20, 12, 3, 0.5, 1)
	for epoch, refused := range []bool{false, true} {
		o := with(LatentDefaults(), func(o *LatentOptions) { o.Company, o.Hidden, o.Epochs, o.Seed = 2, 2, 2, 1 })
		o.Resume = StartLatent(12, o)
		o.Resume.Epoch = epoch
		if _, err := FitLatent(t.Context(), 12, lists, o); (err != nil) != refused {
			t.Errorf("at epoch %d: %v", epoch, err)
		}
	}
}

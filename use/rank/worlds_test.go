package rank_test

import (
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
)

// The worlds that the tests of this package share.

// bothUnits are the kinds of hidden units.
var bothUnits = []latent.Units{latent.Binary, latent.Gaussian}

// catalogue has worths, units and biases, and no ties.
func catalogue(units latent.Units, items, k int) *latent.Catalogue {
	c := latent.NewCatalogue(items, k, units, latent.Options{Size: 2, Centred: true})
	r := rng.Stream(1, "rank")
	for _, list := range [][]float64{c.U, c.W, c.B} {
		for i := range list {
			list[i] = r.NormFloat64()
		}
	}
	return c
}

func list(t testing.TB, text string, items ...int) osm.List {
	t.Helper()
	x, err := partition.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return osm.List{Items: items, Order: x}
}

// full has every kind of parameter.
func full(units latent.Units, items, k int) *latent.Catalogue {
	plain := catalogue(units, items, k)
	shape := plain.Shape
	shape.Presence = true
	c := shape.New()
	*c.Nu = 0.3
	copy(c.U, plain.U)
	copy(c.W, plain.W)
	copy(c.B, plain.B)
	r := rng.Stream(2, "full")
	for _, list := range [][]float64{c.V, c.NuK} {
		for i := range list {
			list[i] = 0.5 * r.NormFloat64()
		}
	}
	return c
}

// kinds runs a test in a world of each kind of units, with every kind of parameter, and with weights by tier size.
func kinds(t *testing.T, f func(t *testing.T, c *latent.Catalogue)) {
	for _, units := range bothUnits {
		t.Run(units.String(), func(t *testing.T) { f(t, full(units, 8, 3)) })
		t.Run(units.String()+" with sizes", func(t *testing.T) {
			c := full(units, 8, 3)
			c.Sizes = osm.NewSizes(3) // larger tiers have no weight
			r := rng.Stream(3, "sizes")
			for k := range c.Sizes {
				if k%4 != 0 {
					c.Sizes[k] = 1.5 * r.NormFloat64()
				}
			}
			f(t, c)
		})
	}
}

// unitForEach has a unit for every item, which says nothing of the others.
func unitForEach(n int) *latent.Catalogue {
	c := latent.NewCatalogue(n, n, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	for i := range n {
		c.W[i*n+i] = 1 // unit i is the score of item i
	}
	return c
}

// person has the preferences of a list.
func person(list osm.List) model.Person {
	p := model.Person{Index: -1, TiersOnly: true}
	for k, i := range list.Items {
		p.Known.Items, p.Known.Values = append(p.Known.Items, uint32(i)), append(p.Known.Values, -float32(list.Order.BlockOf(k)))
	}
	return p
}

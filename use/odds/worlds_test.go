package odds

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

// person has the preferences of a list; ratings, best first, are those of its tiers, and nil makes them bare.
func person(list osm.List, of []float64) model.Person {
	p := model.Person{Index: -1, TiersOnly: of == nil}
	for k, i := range list.Items {
		value := -float64(list.Order.BlockOf(k))
		if of != nil {
			value = of[list.Order.BlockOf(k)]
		}
		p.Known.Items, p.Known.Values = append(p.Known.Items, uint32(i)), append(p.Known.Values, float32(value))
	}
	return p
}

func placer(t testing.TB, c *latent.Catalogue, calibration *Calibration, person model.Person) *Placer {
	t.Helper()
	p, err := NewPlacer(c, calibration, person)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// placed is a person with some items of a world of [kinds] in these tiers. Items 1, 3 and 7 are never among them.
func placed(t *testing.T, c *latent.Catalogue, text string) (*Placer, osm.List) {
	t.Helper()
	order, err := partition.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	tiers := osm.List{Items: []int{4, 0, 6, 2}[:order.N()], Order: order}
	return placer(t, c, nil, person(tiers, nil)), tiers
}

// Package planted is support for tests: small catalogues with parameters drawn at random, lists of people with planted tastes, and small
// tables of ratings.
package planted

import (
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Units are the kinds of hidden units.
var Units = []latent.Units{latent.Binary, latent.Gaussian}

// Catalogue has worths, units and biases, and no ties.
func Catalogue(units latent.Units, items, k int) *latent.Catalogue {
	c := latent.NewCatalogue(items, k, units, latent.Options{Size: 2, Centred: true})
	r := rng.Stream(1, "rank")
	for _, list := range [][]float64{c.U, c.W, c.B} {
		for i := range list {
			list[i] = r.NormFloat64()
		}
	}
	return c
}

// List parses a tier list: tiers between bars, best first, and items between spaces, as in "0 1|2".
func List(t testing.TB, text string, items ...int) osm.List {
	t.Helper()
	x, err := partition.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return osm.List{Items: items, Order: x}
}

// Full has every kind of parameter.
func Full(units latent.Units, items, k int) *latent.Catalogue {
	plain := Catalogue(units, items, k)
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

// Kinds runs a test in a world of each kind of units, with every kind of parameter, and with weights by tier size.
func Kinds(t *testing.T, f func(t *testing.T, c *latent.Catalogue)) {
	for _, units := range Units {
		t.Run(units.String(), func(t *testing.T) { f(t, Full(units, 8, 3)) })
		t.Run(units.String()+" with sizes", func(t *testing.T) {
			c := Full(units, 8, 3)
			c.Sizes = osm.NewSizeWeights(3) // larger tiers have no weight
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

// WithPopulation is a copy of a catalogue with Gaussian units whose training lists had this length, with moments of people's lists that are
// drawn at random.
func WithPopulation(t testing.TB, c *latent.Catalogue, length float64) *latent.Catalogue {
	t.Helper()
	r := rng.Stream(4, "population")
	mean, moments := make([]float64, c.K*latent.Terms), [2][]float64{}
	for i := range mean {
		mean[i] = 0.3 * r.NormFloat64()
	}
	for m := range moments {
		for range c.K {
			var root [latent.Terms * latent.Terms]float64
			for i := range root {
				root[i] = 0.5 * r.NormFloat64()
			}
			for a := range latent.Terms {
				for b := range latent.Terms {
					var sum float64
					for d := range latent.Terms {
						sum += root[a*latent.Terms+d] * root[b*latent.Terms+d]
					}
					moments[m] = append(moments[m], sum)
				}
			}
		}
	}
	next := c.Clone()
	var err error
	if next.Population, err = latent.NewPopulation(c.K, length, mean, moments[0], moments[1]); err != nil {
		t.Fatal(err)
	}
	return next
}

// WithTogether is a copy of a catalogue with a population whose first units are read together: with these ridges, and as scatter that of lists of
// all items but one.
func WithTogether(t testing.TB, c *latent.Catalogue, ridge ...float64) *latent.Catalogue {
	t.Helper()
	next := c.Clone()
	mean, scatter := make([]float64, len(ridge)), make([]float64, len(ridge)*len(ridge))
	for left := range c.Items {
		var items []int
		for i := range c.Items {
			if i != left {
				items = append(items, i)
			}
		}
		c.Scatter(items, c.Population.Length/float64(len(items)), mean, scatter)
	}
	for k := range scatter {
		scatter[k] /= float64(c.Items)
	}
	people := *c.Population
	var err error
	if people.Together, err = latent.NewTogether(c.K, ridge, scatter); err != nil {
		t.Fatal(err)
	}
	next.Population = &people
	return next
}

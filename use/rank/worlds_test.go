package rank_test

import (
	"fubini/model/latent/planted"

	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
)

// The worlds that the tests of this package share with others.
var (
	bothUnits = planted.Units
	catalogue = planted.Catalogue
	full      = planted.Full
	kinds     = planted.Kinds
	list      = planted.List
)

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

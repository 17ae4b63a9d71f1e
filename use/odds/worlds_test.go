package odds

import (
	"testing"

	"fubini/core/partition"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/latent/planted"
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

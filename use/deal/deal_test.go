package deal

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/odds"
)

// world has five items and one unit: the first and the last are loved by some and hated by others, the second is like the
// first and less so, and of the rest everybody thinks the same.
func world() *latent.Catalogue {
	c := latent.NewCatalogue(5, 1, latent.Binary, latent.Options{})
	copy(c.W, []float64{4, 2, 0, 0, -4})
	*c.Nu = -1
	return c
}

func placer(t *testing.T, c *latent.Catalogue, values map[int]float32) *odds.Placer {
	t.Helper()
	person := model.Person{Index: -1, TiersOnly: true}
	for i := range 5 {
		if v, placed := values[i]; placed {
			person.Known = ratings.Row{Items: append(person.Known.Items, uint32(i)), Values: append(person.Known.Values, v)}
		}
	}
	p, err := odds.NewPlacer(c, nil, person)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func order(t *testing.T, p *odds.Placer, items []int, known ...float64) []Card {
	t.Helper()
	cards, err := Order(p, items, known, rng.Stream(1, "deal"))
	if err != nil {
		t.Fatal(err)
	}
	return cards
}

// An item on which people differ is worth more than one on which they agree, unless hardly anybody knows it.
func TestOrder(t *testing.T) {
	c := world()
	for name, tiers := range map[string]map[int]float32{"nothing placed": nil, "one placed": {2: 1}} {
		p := placer(t, c, tiers)
		cards := order(t, p, []int{0, 1, 3}, 1, 1, 1)
		if cards[0].Item != 0 || cards[1].Item != 1 || !(cards[2].Information <= 0.02) {
			t.Errorf("%s: %+v", name, cards)
		}
		if cards := order(t, p, []int{0, 1}, 0.01, 1); cards[0].Item != 1 {
			t.Errorf("%s: an item that nobody knows comes first: %+v", name, cards)
		}
	}
}

// What is known of a person is not asked again: once the first item stands far above the rest, the last tells less.
func TestAnswersTeach(t *testing.T) {
	c := world()
	before := order(t, placer(t, c, map[int]float32{2: 1}), []int{4}, 1)[0]
	after := order(t, placer(t, c, map[int]float32{2: 1, 3: 1, 0: 2}), []int{4}, 1)[0]
	if !(after.Information < before.Information/2) {
		t.Errorf("%g nats before the answer, %g after it", before.Information, after.Information)
	}
}

// The information is the exact one, which for a single binary unit is a sum over its two values.
func TestInformationIsExact(t *testing.T) {
	c := world()
	p := placer(t, c, map[int]float32{2: 2, 3: 1})
	const item = 1
	got, err := p.Information([]int{item}, 200_000, rng.Stream(1, "exact"))
	if err != nil {
		t.Fatal(err)
	}
	on := p.Embedding[0]
	var conditional [2][]float64
	for h := range conditional {
		fixed := world() // the unit is on or off for sure
		fixed.B[0] = []float64{-60, 60}[h]
		q := placer(t, fixed, map[int]float32{2: 2, 3: 1})
		conditional[h] = q.Place(item).Slots()
	}
	var want float64
	for s := range conditional[0] {
		mean := (1-on)*conditional[0][s] + on*conditional[1][s]
		for h, weight := range []float64{1 - on, on} {
			if v := conditional[h][s]; v > 0 {
				want += weight * v * math.Log(v/mean)
			}
		}
	}
	if !(math.Abs(got[0]-want) <= 0.005) { // a term of the mean is below 2 nats: one standard error of 200,000 draws is below 0.005
		t.Errorf("%g nats, want %g", got[0], want)
	}
}

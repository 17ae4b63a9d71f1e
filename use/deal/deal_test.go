package deal

import (
	"math"
	"slices"
	"testing"

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

// Before anything is placed an item on which people differ comes first; later the item whose place is least sure. Either gives
// way to one that more people know, and of equal cards the first stays first.
func TestOrder(t *testing.T) {
	c := world()
	for name, at := range map[string]struct {
		tiers       map[int]float32
		first, last int
	}{"nothing placed": {nil, 0, 1}, "two placed": {map[int]float32{2: 2, 3: 1}, 1, 0}} {
		p := placer(t, c, at.tiers)
		cards := Order(p, []int{at.last, at.first}, []float64{1, 1})
		if cards[0].Item != at.first || !(cards[0].Information > cards[1].Information) {
			t.Errorf("%s: %+v", name, cards)
		}
		if len(at.tiers) > 0 && !(slices.Max(p.Place(at.first).Slots()) < slices.Max(p.Place(at.last).Slots())) {
			t.Errorf("%s: the place of item %d is surer", name, at.first)
		}
		if cards := Order(p, []int{at.first, at.last}, []float64{0.01, 1}); cards[0].Item != at.last {
			t.Errorf("%s: an item that nobody knows comes first: %+v", name, cards)
		}
		if cards := Order(p, []int{at.last, at.first}, []float64{0, 0}); cards[0].Item != at.last || cards[0].Value() != 0 {
			t.Errorf("%s: equal cards change places: %+v", name, cards)
		}
	}
	if cards := Order(placer(t, c, nil), []int{3, 0}, []float64{1, 1}); cards[0].Item != 0 || cards[1].Information != 0 {
		t.Errorf("of an item on which all agree nothing is learned at first: %+v", cards)
	}
}

// The information is the entropy of the place, by the odds of the slots, and at most that of equal odds.
func TestInformationIsTheEntropyOfThePlace(t *testing.T) {
	p := placer(t, world(), map[int]float32{2: 2, 3: 1})
	for item, got := range map[int]float64{0: p.Information([]int{0})[0], 4: p.Information([]int{1, 4})[1]} {
		var want float64
		for _, v := range p.Place(item).Slots() {
			want += v * math.Log(1/v)
		}
		if !(math.Abs(got-want) <= 1e-12) || !(got > 0 && got <= math.Log(5)) {
			t.Errorf("item %d: %g nats, want %g", item, got, want)
		}
	}
}

// Answers that change nothing move nothing; an answer that turns a unit on moves guesses of what the unit weighs, and only the
// first of many items are compared.
func TestMoved(t *testing.T) {
	c := world()
	few, more := placer(t, c, map[int]float32{2: 2, 3: 1}), placer(t, c, map[int]float32{2: 2, 3: 1, 0: 3})
	if got := Moved(few, few, []int{0, 1}, []int{0, 1}, 2, slices.Values([]int{0, 1, 4})); got != 0 {
		t.Errorf("nothing was answered, and guesses moved by %g", got)
	}
	var want float64
	was := few.Place(1).Over([]int{1, 2}, 3)
	for k, p := range more.Place(1).Over([]int{0, 1, 2}, 3) {
		want += math.Abs(p-was[k]) / 2
	}
	items := slices.Repeat([]int{1}, compared)
	if got := Moved(more, few, []int{0, 1, 2}, []int{1, 2}, 3, slices.Values(append(items, 4))); !(math.Abs(got-want) <= 1e-12) || !(want > 0.05 && want <= 1) {
		t.Errorf("moved by %g, want %g", got, want)
	}
	if got := Moved(more, few, nil, nil, 0, slices.Values([]int{})); got != 0 {
		t.Errorf("nothing is left, and guesses moved by %g", got)
	}
}

func TestEnough(t *testing.T) {
	for _, c := range []struct {
		answers int
		moved   float64
		want    bool
	}{{4, 0, false}, {5, 0.119, true}, {5, 0.12, false}, {14, 0.5, false}, {15, 0.5, true}} {
		if got := Enough(c.answers, c.moved); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

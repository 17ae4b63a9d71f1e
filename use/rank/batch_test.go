package rank_test

import (
	"fmt"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/odds"
	"fubini/use/rank"
)

// batch draws lists of 0 to 6 of some items.
func batch(t testing.TB, items, people int) []osm.List {
	t.Helper()
	r := rng.Stream(5, "crowd")
	lists := make([]osm.List, people)
	all := make([]int, items)
	for l := range lists {
		rng.Permutation(r, all)
		if n := r.IntN(7); n > 0 {
			order := partition.OneBlock(n)
			partition.NewUniform(n).Draw(r, order)
			lists[l] = osm.List{Items: slices.Clone(all[:n]), Order: order}
		}
	}
	return lists
}

// Everybody gets what they get alone, whoever stands beside them, and no block but
// the first allocates.
func TestBatchAgainstOneByOne(t *testing.T) {
	for _, units := range bothUnits {
		c := full(units, 90, 5)
		index, err := rank.NewIndex(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		lists := batch(t, 90, 50)
		var scratch rank.Scratch
		together, err := index.ForLists(lists, 7, nil, &scratch)
		if err != nil {
			t.Fatal(err)
		}
		hide := []int{together[0][0].Item, together[1][1].Item}
		hidden, err := index.ForLists(lists, 7, hide, &rank.Scratch{})
		if err != nil {
			t.Fatal(err)
		}
		for l, list := range lists {
			embedding, err := rank.Fold(c, list)
			if err != nil {
				t.Fatal(err)
			}
			alone := make([][]rank.Scored, 1)
			index.Best([]rank.Query{{Embedding: embedding, Listed: len(list.Items), Hide: list.Items}}, 7, &rank.Scratch{}, alone)
			if !slices.Equal(together[l], alone[0]) {
				t.Errorf("person %d: %v in the batch, %v alone", l, together[l], alone[0])
			}
			index.Best([]rank.Query{{Embedding: embedding, Listed: len(list.Items), Hide: list.Items}}, 9, &rank.Scratch{}, alone[:1])
			rest := slices.DeleteFunc(alone[0][7:], func(s rank.Scored) bool { return slices.Contains(hide, s.Item) })
			if !slices.Equal(hidden[l], rest[:7]) {
				t.Errorf("person %d: %v without %v, by hand %v", l, hidden[l], hide, rest[:7])
			}
		}
		known := slices.DeleteFunc(lists, func(l osm.List) bool { return len(l.Items) == 0 })
		if a := testing.AllocsPerRun(5, func() { _, err = index.ForLists(known, 7, nil, &scratch) }); a != 0 || err != nil {
			t.Errorf("%g allocations, %v", a, err)
		}
	}
}

func TestBatchRefuses(t *testing.T) {
	index, err := rank.NewIndex(full(latent.Gaussian, 4, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]osm.List{
		"an item outside":       {Items: []int{4}, Order: partition.OneBlock(1)},
		"no order":              {Items: []int{1}},
		"an order of another n": {Items: []int{1}, Order: partition.OneBlock(2)},
	} {
		if _, err := index.ForLists([]osm.List{{}, bad}, 1, nil, &rank.Scratch{}); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

// Somebody may have placed ten thousand items.
func TestTenThousandPlaced(t *testing.T) {
	const placed = 10_000
	c := full(latent.Gaussian, placed+3, 4)
	list := osm.List{Order: partition.OneBlock(placed)}
	for i := range placed {
		list.Items = append(list.Items, i)
	}
	levels := make([]int, placed)
	for i := range levels {
		levels[i] = i % 7
	}
	var err error
	if list.Order, err = partition.FromLevels(levels); err != nil {
		t.Fatal(err)
	}
	index, err := rank.NewIndex(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := index.ForLists([]osm.List{list}, 10, nil, &rank.Scratch{})
	if err != nil || len(answers[0]) != 3 {
		t.Fatalf("%v, %v", answers, err)
	}
	placer, err := odds.NewPlacer(c, nil, person(list))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	found := placer.Place(answers[0][0].Item)
	for _, v := range found.Slots() {
		sum += v
	}
	if len(found.Tiers) != 7 || !(sum > 1-1e-9 && sum < 1+1e-9) {
		t.Errorf("odds %+v", found)
	}
}

func ExampleIndex_ForLists() {
	c := latent.NewCatalogue(5, 1, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	copy(c.W, []float64{1, -1, 0.5, 0.8, -0.7}) // items 0, 2 and 3 are of one kind, 1 and 4 of another
	index, err := rank.NewIndex(c, nil)
	if err != nil {
		panic(err)
	}
	order, err := partition.Parse("0 > 1")
	if err != nil {
		panic(err)
	}
	answers, err := index.ForLists([]osm.List{
		{Items: []int{0, 1}, Order: order},
		{Items: []int{1, 0}, Order: order},
	}, 2, nil, &rank.Scratch{})
	if err != nil {
		panic(err)
	}
	for _, best := range answers {
		fmt.Printf("item %d with %.1f, item %d with %.1f\n", best[0].Item, best[0].Score, best[1].Item, best[1].Score)
	}
	// Output:
	// item 3 with 1.6, item 2 with 1.0
	// item 4 with 1.4, item 2 with -1.0
}

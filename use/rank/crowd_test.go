package rank_test

import (
	"fmt"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// crowd draws lists of 0 to 6 of some items.
func crowd(t testing.TB, items, people int) []osm.List {
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
func TestCrowdAgainstOneByOne(t *testing.T) {
	for _, units := range bothUnits {
		c := full(units, 90, 5)
		shelf, err := rank.NewShelf(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		lists := crowd(t, 90, 50)
		block := rank.NewCrowd(shelf)
		together, err := block.Best(lists, 7)
		if err != nil {
			t.Fatal(err)
		}
		for l, list := range lists {
			taste, err := rank.Fold(c, list)
			if err != nil {
				t.Fatal(err)
			}
			alone := make([][]rank.Scored, 1)
			shelf.Best([]rank.Query{{Taste: taste, Listed: len(list.Items), Hide: list.Items}}, 7, &rank.Room{}, alone)
			if !slices.Equal(together[l], alone[0]) {
				t.Errorf("person %d: %v in the crowd, %v alone", l, together[l], alone[0])
			}
		}
		known := slices.DeleteFunc(lists, func(l osm.List) bool { return len(l.Items) == 0 })
		if a := testing.AllocsPerRun(5, func() { _, err = block.Best(known, 7) }); a != 0 || err != nil {
			t.Errorf("%g allocations, %v", a, err)
		}
	}
}

func TestCrowdRefuses(t *testing.T) {
	shelf, err := rank.NewShelf(full(latent.Gaussian, 4, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]osm.List{
		"an item outside":       {Items: []int{4}, Order: partition.OneBlock(1)},
		"no order":              {Items: []int{1}},
		"an order of another n": {Items: []int{1}, Order: partition.OneBlock(2)},
	} {
		if _, err := rank.NewCrowd(shelf).Best([]osm.List{{}, bad}, 1); err == nil {
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
	shelf, err := rank.NewShelf(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := rank.NewCrowd(shelf).Best([]osm.List{list}, 10)
	if err != nil || len(answers[0]) != 3 {
		t.Fatalf("%v, %v", answers, err)
	}
	p, err := rank.Read(c, list)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	odds := p.Place(answers[0][0].Item)
	for _, v := range append(odds.Tiers, odds.Gaps...) {
		sum += v
	}
	if len(odds.Tiers) != 7 || !(sum > 1-1e-9 && sum < 1+1e-9) {
		t.Errorf("odds %+v", odds)
	}
}

func ExampleCrowd() {
	c := latent.NewCatalogue(5, 1, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	copy(c.W, []float64{1, -1, 0.5, 0.8, -0.7}) // items 0, 2 and 3 are of one kind, 1 and 4 of another
	shelf, err := rank.NewShelf(c, nil)
	if err != nil {
		panic(err)
	}
	order, err := partition.Parse("0 > 1")
	if err != nil {
		panic(err)
	}
	answers, err := rank.NewCrowd(shelf).Best([]osm.List{
		{Items: []int{0, 1}, Order: order},
		{Items: []int{1, 0}, Order: order},
	}, 2)
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

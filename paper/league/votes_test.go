package league

import (
	"context"
	"fmt"
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/learn/ballot"
	"fubini/model/osm"
)

// listsOf are lists of items 0 to n-1.
func listsOf(t testing.TB, orders ...[][]int) (lists []osm.List) {
	t.Helper()
	for _, blocks := range orders {
		x, err := partition.FromBlocks(blocks)
		if err != nil {
			t.Fatal(err)
		}
		list := osm.List{Order: x}
		for k := range x.N() {
			list.Items = append(list.Items, k)
		}
		lists = append(lists, list)
	}
	return lists
}

// The space is the smallest that has all training lists.
func TestFormOfLists(t *testing.T) {
	picks := listsOf(t, [][]int{{0}, {1, 2, 3}}, [][]int{{0, 1, 2, 3}}, [][]int{{1, 2}, {0, 3}}, [][]int{{2}, {0, 1, 3}})
	for want, lists := range map[ballot.Space][]osm.List{
		ballot.TwoTiers:    picks,
		ballot.WithoutTies: listsOf(t, [][]int{{0}, {1}, {2}}, [][]int{{1}, {0}}),
		ballot.AllOrders:   append(listsOf(t, [][]int{{0}, {1}}), picks...), // pairs are no picks
	} {
		f := formOf(lists, false)
		if f.space != want {
			t.Errorf("space %v of %d lists, want %v", f.space, len(lists), want)
		}
		if want == ballot.TwoTiers && f.tied != 0.25 {
			t.Errorf("%g of the lists are tied", f.tied)
		}
	}
	if f := formOf(listsOf(t, [][]int{{0, 1, 2}}, [][]int{{0}, {1}, {2}}), true); f.space != ballot.WithoutTies {
		t.Error("a tie of three was taken for choices that have none of two")
	}
}

// Under every contender, whatever the training lists leave out, all weak orders have a probability, and these sum to one.
// The counts of training lists make those more probable that were seen.
func TestPredictedOrdersAreADistribution(t *testing.T) {
	var held []heldOrder
	for x := range partition.All(4) {
		held = append(held, heldOrder{List: osm.List{Items: []int{0, 1, 2, 3}, Order: x.Clone()}})
	}
	r := rng.Stream(1, "training")
	for name, of := range map[string]func() int{ // tier of an item
		"all": func() int { return r.IntN(4) }, "picks": func() int { return r.IntN(2) },
	} {
		b := ratings.NewBuilder()
		for u := range 80 {
			for i := range 4 {
				if err := b.Add(fmt.Append(nil, u), fmt.Append(nil, i), float32(of()+1), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		set, _, err := b.Build(ratings.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		l := Likelihood{Seed: 1, Jobs: 1}
		for _, c := range fitContenders(set) {
			for _, settings := range c.Settings {
				logs, err := l.predicted(context.Background(), settings, set, held)
				if err != nil {
					t.Fatalf("%s, %s %v: %v", name, c.Name, settings, err)
				}
				var total, least float64
				for _, log := range logs {
					total += math.Exp(log)
					least = math.Min(least, log)
				}
				if !(math.Abs(total-1) <= 1e-9) || math.IsInf(least, -1) {
					t.Errorf("%s, %s %v: the probabilities of all orders sum to %g, the least is e^%g", name, c.Name, settings, total, least)
				}
			}
		}
	}
}

// Errors are over people: the same values again, of the same people, leave them alone; of others they do not.
func TestErrorsAreOverPeople(t *testing.T) {
	values := []float64{1, 2, 4, 8}
	mean, se := overPeople(values, []int{0, 1, 2, 3})
	twice := append(append([]float64{}, values...), values...)
	again, same := overPeople(twice, []int{0, 1, 2, 3, 0, 1, 2, 3})
	_, fewer := overPeople(twice, []int{0, 1, 2, 3, 4, 5, 6, 7})
	if mean != 3.75 || again != mean || !(math.Abs(same-se) <= 1e-12) || !(fewer < 0.75*se) {
		t.Errorf("mean %g ± %g, twice %g ± %g, of others ± %g", mean, se, again, same, fewer)
	}
	if want := math.Sqrt((2.75*2.75 + 1.75*1.75 + 0.25*0.25 + 4.25*4.25) / 3 / 4); !(math.Abs(se-want) <= 1e-12) {
		t.Errorf("standard error %g, of independent values %g", se, want)
	}
}

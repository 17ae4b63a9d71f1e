package servertest

import (
	"fmt"
	"testing"

	"fubini/core/rng"
	"fubini/data/modelfile"
	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/leaderboard/boardtest"
	"fubini/learn/modelstore"
)

// Board is the model file of a board, fitted to made-up votes on pairs of items item-0, item-1 and so on, the best first by
// their true worths. Two items out of three met in pairs, and one vote of six or so is a tie; in the space of two tiers
// there are votes on four items.
func Board(t testing.TB, items int, ties ballot.Ties, space ballot.Space) *modelfile.File {
	t.Helper()
	set := &votes.Set{Start: []int32{0}}
	for i := range items {
		set.Items = append(set.Items, fmt.Sprintf("item-%d", i))
		set.Names = append(set.Names, fmt.Sprintf("Item <%d> & more", i))
	}
	r := rng.Stream(1, "board")
	vote := func(weight float64, tiers []int32, items ...int32) {
		set.Item, set.Tier = append(set.Item, items...), append(set.Tier, tiers...)
		set.Start, set.Weight = append(set.Start, int32(len(set.Item))), append(set.Weight, weight)
		set.Counts.Weight += weight
	}
	for i := range int32(items) {
		for j := range i {
			if items > 4 && (i+j)%3 == 2 {
				continue
			}
			vote(float64(6+i-j+int32(r.IntN(6))), []int32{0, 1}, j, i)
			vote(float64(2+r.IntN(4)), []int32{0, 1}, i, j)
			switch tied := float64(1 + r.IntN(4)); space {
			case ballot.AllOrders:
				vote(tied, []int32{0, 0}, i, j)
				set.Counts.Ties += tied
			case ballot.TwoTiers:
				last := (i + 1) % int32(items)
				for k := range j { // four items: with fewer, every outcome has the same number of ties
					if k == last || j == last {
						continue
					}
					vote(tied, []int32{0, 0, 1, 1}, k, j, i, last)
					vote(1, []int32{0, 1, 1, 1}, k, j, i, last)
					set.Counts.Ties += tied + 1
				}
			}
		}
	}
	_, b := boardtest.Fit(t, set, ballot.Design{Items: items, Ties: ties, Space: space}, ballot.Precision{Worth: 0.1, Tie: 1}, 0.95, 1)
	file, err := modelstore.NewFitted(b, nil).File()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

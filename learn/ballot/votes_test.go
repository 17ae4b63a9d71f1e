package ballot

import (
	"fmt"
	"math"
	"testing"
)

// Votes that cannot be fitted are refused by number, with the reason.
func TestBadVotesAreRefused(t *testing.T) {
	pair := func(i, j, a, b int32, weight float64) Votes {
		return Votes{Start: []int32{0, 2}, Item: []int32{i, j}, Tier: []int32{a, b}, Weight: []float64{weight}}
	}
	for want, c := range map[string]struct {
		Design
		Votes
	}{
		"fit: vote 1: item 2 is there twice":                                                                          {Design{Items: 3}, pair(2, 2, 0, 1, 1)},
		"fit: vote 1: item 3 is outside the catalogue of 3":                                                           {Design{Items: 3}, pair(2, 3, 0, 1, 1)},
		"fit: vote 1: weight -1; it must be positive and finite":                                                      {Design{Items: 3}, pair(1, 2, 0, 1, -1)},
		"fit: vote 1: weight NaN; it must be positive and finite":                                                     {Design{Items: 3}, pair(1, 2, 0, 1, math.NaN())},
		"fit: vote 1: it has a tie, and the sample space is orders without ties: choose the space of all weak orders": {Design{Items: 3, Space: WithoutTies}, pair(1, 2, 0, 0, 1)},
		"fit: vote 1: it has one tier, which tells nothing of the order, and the sample space is two tiers: leave it out, or choose the space of all weak orders": {Design{Items: 3, Space: TwoTiers}, pair(1, 2, 0, 0, 1)},
		"fit: no vote compares two items": {Design{Items: 3}, Votes{Start: []int32{0}}},
	} {
		if _, err := Gather(c.Design, c.Votes); fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

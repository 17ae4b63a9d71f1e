package odds

import (
	"slices"

	"fubini/data/ratings"
)

// tierRatings are the ratings of a row, each once, best first: those that its tiers stand for.
func tierRatings(row ratings.Row) []float64 {
	values := make([]float64, row.Len())
	for k, v := range row.Values {
		values[k] = float64(v)
	}
	slices.Sort(values)
	slices.Reverse(values)
	return slices.Compact(values)
}

// slotOf is where a rating stands among those of tiers, best first: 2t in the gap above tier t, 2t+1 in it, 2T below
// all.
func slotOf(tiers []float64, rating float64) int {
	for t, v := range tiers {
		switch {
		case rating > v:
			return 2 * t
		case rating == v:
			return 2*t + 1
		}
	}
	return 2 * len(tiers)
}

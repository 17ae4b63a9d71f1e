package calibrate

import (
	"cmp"
	"slices"

	"fubini/data/ratings"
)

// Tiers are the values of a row, each once, best first.
func Tiers(row ratings.Row) []float32 {
	values := slices.Clone(row.Values)
	slices.SortFunc(values, func(a, b float32) int { return cmp.Compare(b, a) })
	return slices.Compact(values)
}

// Slot is where a value stands among tiers, best first: 2t in the gap above tier t,
// 2t+1 in it, 2T below all.
func Slot(tiers []float32, value float32) int {
	for t, v := range tiers {
		switch {
		case value > v:
			return 2 * t
		case value == v:
			return 2*t + 1
		}
	}
	return 2 * len(tiers)
}

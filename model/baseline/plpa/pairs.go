package plpa

import (
	"cmp"
	"slices"

	"fubini/data/ratings"
)

// pair is two places in a row of ratings.
type pair struct{ better, worse int32 }

// partners bounds the comparisons of one item of a long list on each side, so that work grows with the list and not
// with its square. Lists of up to 51 items have all their pairs.
const partners = 25

// pairsOf appends the pairs of a row with different ratings: all of them, or in a long list those of items that are
// near each other on a circle in a random order.
func pairsOf(row ratings.Row, order []uint32, pairs []pair) []pair {
	add := func(a, b int) {
		switch va, vb := row.Values[a], row.Values[b]; {
		case va > vb:
			pairs = append(pairs, pair{int32(a), int32(b)})
		case va < vb:
			pairs = append(pairs, pair{int32(b), int32(a)})
		}
	}
	n := row.Len()
	if n <= 2*partners+1 {
		for a := range n {
			for b := range a {
				add(a, b)
			}
		}
		return pairs
	}
	circle := make([]int, n)
	for k := range circle {
		circle[k] = k
	}
	slices.SortFunc(circle, func(a, b int) int { return cmp.Compare(order[row.Items[a]], order[row.Items[b]]) })
	for k, a := range circle {
		for step := 1; step <= partners; step++ {
			add(a, circle[(k+step)%n])
		}
	}
	return pairs
}

package rival

import (
	"cmp"
	"slices"

	"fubini/data/ratings"
)

// plpaPair is two places in a row.
type plpaPair struct{ better, worse int32 }

// plpaPartners bounds the items that one item of a long list is compared with on
// each side, so that work grows with the list and not with its square. Lists of up
// to 51 items have all their pairs.
const plpaPartners = 25

// plpaPairs appends the pairs of a row with different ratings: all of them, or in a
// long list those of items that are near each other on a circle in a random order.
func plpaPairs(row ratings.Row, order []uint32, pairs []plpaPair) []plpaPair {
	add := func(a, b int) {
		switch va, vb := row.Values[a], row.Values[b]; {
		case va > vb:
			pairs = append(pairs, plpaPair{int32(a), int32(b)})
		case va < vb:
			pairs = append(pairs, plpaPair{int32(b), int32(a)})
		}
	}
	n := row.Len()
	if n <= 2*plpaPartners+1 {
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
		for step := 1; step <= plpaPartners; step++ {
			add(a, circle[(k+step)%n])
		}
	}
	return pairs
}

package leaderboard

import (
	"cmp"
	"slices"

	"fubini/learn/likelihood"
	"fubini/model/osm"
	"fubini/use/board"
)

// open is what the votes leave to the prior; nil where they put all items on one scale.
func open(d *likelihood.Data, ids []string) *board.Undecided {
	edges := d.Comparisons()
	strong := osm.Components(edges)
	if len(strong) == 1 {
		return nil
	}
	both := make([][]int, len(edges))
	for i, below := range edges {
		for _, j := range below {
			both[i], both[j] = append(both[i], j), append(both[j], i)
		}
	}
	o := &board.Undecided{Apart: [][]string{}, OneSided: [][]string{}}
	joined := osm.Components(both)
	if len(joined) > 1 {
		o.Apart = groupsByID(joined, ids)
	}
	if len(strong) > len(joined) {
		o.OneSided = groupsByID(strong, ids)
	}
	return o
}

// groupsByID are groups of items by their ids, the largest group first.
func groupsByID(groups [][]int, ids []string) [][]string {
	var out [][]string
	for _, group := range groups {
		slices.Sort(group)
	}
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0])) })
	for _, group := range groups {
		var of []string
		for _, i := range group {
			of = append(of, ids[i])
		}
		out = append(out, of)
	}
	return out
}

package likelihood

import (
	"cmp"
	"slices"

	"fubini/model/osm"
	"fubini/use/board"
)

// comparisons is the graph with an edge from each item to those that some vote has below it or tied with it, as far as it
// decides which items can be reached from which: neighbours in the order of a vote reach whatever all its pairs would.
func (d *Data) comparisons() [][]int {
	edges := make([][]int, d.Items)
	seen := map[[2]int]bool{}
	edge := func(i, j int) {
		if !seen[[2]int{i, j}] {
			seen[[2]int{i, j}] = true
			edges[i] = append(edges[i], j)
		}
	}
	var order []int
	for _, o := range d.Orders {
		items, tiers := d.ItemsOf(o.Vote), d.TiersOf(o.Vote)
		order = order[:0]
		for k := range items {
			order = append(order, k)
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(tiers[a], tiers[b]) })
		for at := 1; at < len(order); at++ {
			upper, lower := order[at-1], order[at]
			edge(int(items[upper]), int(items[lower]))
			if tiers[upper] == tiers[lower] {
				edge(int(items[lower]), int(items[upper]))
			}
		}
	}
	return edges
}

// Exists returns an error with the groups of items and the remedy where the likelihood without
// a prior has no maximum.
func (d *Data) Exists(names []string) error {
	c := &osm.Connected{Groups: osm.Components(d.comparisons())}
	if err := c.Err(false, names); err != nil {
		return err
	}
	return d.checkTies()
}

// open is what the votes leave to the prior; nil where they put all items on one scale.
func (d *Data) open(ids []string) *board.Open {
	edges := d.comparisons()
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
	o := &board.Open{Apart: [][]string{}, OneSided: [][]string{}}
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

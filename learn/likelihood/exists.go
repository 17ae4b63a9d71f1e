package likelihood

import (
	"cmp"
	"slices"

	"fubini/model/osm"
)

// Comparisons is the graph with an edge from each item to those that some vote has below it or tied with it, as far as it
// decides which items can be reached from which: neighbours in the order of a vote reach whatever all its pairs would.
func (d *Data) Comparisons() [][]int {
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
	c := &osm.Connected{Groups: osm.Components(d.Comparisons())}
	if err := c.Err(false, names); err != nil {
		return err
	}
	return d.checkTies()
}

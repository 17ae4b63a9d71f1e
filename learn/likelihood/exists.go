package likelihood

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"fubini/learn/ballot"
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

// check refuses a design that does not fit the votes, priors that are no precisions, and votes that say nothing of the
// weight of ties: it has no prior, and would rise or fall without end.
func (d *Data) check(p ballot.Precision) error {
	if err := d.Design.Check(p); err != nil {
		return err
	}
	if d.Global > MaxParameters {
		return fmt.Errorf("fit: %d parameters beside reliabilities; errors need a matrix of all of them, and the limit is %d: use fubini train --model osm, which has none", d.Global, MaxParameters)
	}
	return d.checkTies()
}

func (d *Data) checkTies() error {
	if d.Space != ballot.AllOrders {
		return nil
	}
	switch ties, orders := d.tiesAndOrders(); {
	case !ties:
		return ErrNoTies
	case !orders:
		return errors.New("fit: all items were always tied, so the weight of ties rises for ever, and there is nothing to rank; add votes in which one item is above another")
	}
	return nil
}

// tiesAndOrders are whether any pair of items is tied, and whether any is ordered.
func (d *Data) tiesAndOrders() (ties, orders bool) {
	for _, o := range d.Orders {
		tiers := slices.Clone(d.TiersOf(o.Vote))
		slices.Sort(tiers)
		kinds := len(slices.Compact(tiers))
		ties, orders = ties || kinds < len(tiers), orders || kinds > 1
		if ties && orders {
			break
		}
	}
	return ties, orders
}

// ErrNoTies is the error of votes without ties in a sample space with ties: the log weight of a tie falls for ever.
var ErrNoTies = errors.New("fit: no two items were ever tied, so the weight of ties falls for ever; choose the space of orders without ties")

// MaxParameters is the largest number of parameters beside reliabilities.
const MaxParameters = 5000

package osm

import (
	"fmt"
	"slices"

	"fubini/core/partition"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
)

// Model is an unnormalised distribution over the ordered partitions of one list, with pairwise
// potentials, with the methods that exact sums and all samplers need.
type Model interface {
	exact.Weigher
	exact.Pairwise
	mcmc.SplitTarget
	mcmc.SlotTarget
}

// List is one observation, a tier list: an ordered partition of some items of a catalogue.
// Item k of the partition is item Items[k] of the catalogue.
type List struct {
	Items []int
	Order *partition.Partition
}

// NewList returns the list; it is an error if items repeat, or their number is not that of the partition.
func NewList(items []int, order *partition.Partition) (List, error) {
	if len(items) != order.N() {
		return List{}, fmt.Errorf("osm: %d items, but an order of %d", len(items), order.N())
	}
	sorted := slices.Sorted(slices.Values(items))
	for k := 1; k < len(sorted); k++ {
		if sorted[k] == sorted[k-1] {
			return List{}, fmt.Errorf("osm: item %d is listed twice", sorted[k])
		}
	}
	return List{Items: items, Order: order}, nil
}

func checkItems(n int, items []int) error {
	for _, item := range items {
		if item < 0 || item >= n {
			return fmt.Errorf("osm: item %d is outside the catalogue of %d", item, n)
		}
	}
	return nil
}

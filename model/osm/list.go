package osm

import (
	"fmt"

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

func checkItems(n int, items []int) error {
	for _, item := range items {
		if item < 0 || item >= n {
			return fmt.Errorf("osm: item %d is outside the catalogue of %d", item, n)
		}
	}
	return nil
}

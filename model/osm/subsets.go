package osm

import (
	"fmt"
	"slices"

	"fubini/core/partition"
	"fubini/infer/mcmc"
)

// Subsets is the model as the paper defines it before it factorises: any
// potential Phi of a block and any potential Psi of a block above another. Only
// whole partitions can be weighed, so every gain costs two weighings: use it
// where nothing faster will do. It serves one goroutine at a time.
type Subsets struct {
	*mcmc.Slow
}

// NewSubsets returns the model of n items. Both functions return logarithms and
// get their items ascending; a nil function stands for the constant 0.
func NewSubsets(n int, block func(items []int) float64, order func(upper, lower []int) float64) (*Subsets, error) {
	if n < 1 {
		return nil, fmt.Errorf("osm: %d items; at least one is needed", n)
	}
	return &Subsets{mcmc.NewSlow(subsetWeigher{n, block, order})}, nil
}

type subsetWeigher struct {
	n     int
	block func(items []int) float64
	order func(upper, lower []int) float64
}

func (m subsetWeigher) N() int { return m.n }

func (m subsetWeigher) LogWeight(x *partition.Partition) float64 {
	var weight float64
	blocks := x.Blocks()
	for t, upper := range blocks {
		if m.block != nil {
			weight += m.block(upper)
		}
		if m.order != nil {
			for _, lower := range blocks[t+1:] {
				weight += m.order(upper, lower)
			}
		}
	}
	return weight
}

// Groups is a model with any potential Phi of a block, and pairwise orders. The
// subset table of package exact can still sum over it.
type Groups struct {
	*Subsets
	block func(items []int) float64
	above func(i, j int) float64
}

// NewGroups returns the model of n items from logarithms of its potentials; a
// nil function stands for the constant 0.
func NewGroups(n int, block func(items []int) float64, above func(i, j int) float64) (*Groups, error) {
	if block == nil {
		block = func([]int) float64 { return 0 }
	}
	if above == nil {
		above = func(int, int) float64 { return 0 }
	}
	subsets, err := NewSubsets(n, block, func(upper, lower []int) float64 {
		var weight float64
		for _, i := range upper {
			for _, j := range lower {
				weight += above(i, j)
			}
		}
		return weight
	})
	if err != nil {
		return nil, err
	}
	return &Groups{subsets, block, above}, nil
}

// LogBlock is the log potential of a block.
func (m *Groups) LogBlock(items []int) float64 {
	if !slices.IsSorted(items) {
		items = slices.Sorted(slices.Values(items))
	}
	return m.block(items)
}

// LogAbove is the log potential of item i above item j.
func (m *Groups) LogAbove(i, j int) float64 { return m.above(i, j) }

// LogTie is 0: what ties weigh is in LogBlock.
func (m *Groups) LogTie(int, int) float64 { return 0 }

package osm

import (
	"fmt"
	"math"

	"fubini/core/partition"
)

// SizeWeights are additions to the log weight by block size, in two rows of equal length: element s
// of the first row for every block of s items, and element s of the second row also for the
// last (worst) block. Element 0 of both rows is 0. Larger blocks have weight 0; nil means no
// weights. See docs/maths.md#tier-sizes.
type SizeWeights []float64

// NewSizeWeights returns zero weights for blocks of up to n items.
func NewSizeWeights(n int) SizeWeights { return make(SizeWeights, 2*(n+1)) }

// Most is the largest block size with a weight; 0 for none.
func (g SizeWeights) Most() int { return max(0, len(g)/2-1) }

// Rows returns the two rows: the weights of every block, and the additional weights of the
// last.
func (g SizeWeights) Rows() (every, last []float64) { return g[:len(g)/2], g[len(g)/2:] }

// Check returns an error unless the rows have equal length, all weights are finite, and element
// 0 is 0.
func (g SizeWeights) Check() error {
	every, last := g.Rows()
	if len(every) != len(last) {
		return fmt.Errorf("osm: weights by tier size in rows of %d and %d numbers; they must be as long as each other", len(every), len(last))
	}
	for s := range every {
		if !finite(every[s]) || !finite(last[s]) {
			return fmt.Errorf("osm: a tier of %d has the weights %g and %g; they must be finite", s, every[s], last[s])
		}
	}
	if len(every) > 0 && (every[0] != 0 || last[0] != 0) {
		return fmt.Errorf("osm: an empty tier has the weights %g and %g; there is none, and they must be 0", every[0], last[0])
	}
	return nil
}

// At is the weight of a block of s items; last is whether it is the last block.
func (g SizeWeights) At(s int, last bool) float64 {
	half := len(g) / 2
	switch {
	case s >= half:
		return 0
	case last:
		return g[s] + g[half+s]
	}
	return g[s]
}

// Total is the sum of the weights of all blocks of x.
func (g SizeWeights) Total(x *partition.Partition) (total float64) {
	if len(g) == 0 {
		return 0
	}
	for t := range x.Len() {
		total += g.At(x.Size(t), t == x.Len()-1)
	}
	return total
}

// Cut is the change in the total when a block splits into two of these sizes; last is whether
// it is the last block.
func (g SizeWeights) Cut(upper, lower int, last bool) float64 {
	if len(g) == 0 {
		return 0
	}
	return g.At(upper, false) + g.At(lower, last) - g.At(upper+lower, last)
}

// SizeChange describes a slot by what changes in the tier sizes: joining a tier of Size items (Joins;
// Last if that is the last tier), a new last tier below one of Size items (Last alone), or neither,
// the zero value.
type SizeChange struct {
	Size        int
	Joins, Last bool
}

// Gain is the change in the total when a lifted item goes to a slot, relative to a gap above
// some block.
func (g SizeWeights) Gain(p SizeChange) float64 {
	switch {
	case len(g) == 0 || p == SizeChange{}:
		return 0
	case p.Joins:
		return -g.Cut(1, p.Size, p.Last)
	}
	return (g.At(1, true) - g.At(1, false)) - (g.At(p.Size, true) - g.At(p.Size, false))
}

// AddGains adds a factor times the gain of every slot of the lifted item to the log weights of
// slots.
func (g SizeWeights) AddGains(x *partition.Partition, times float64, weights []float64) {
	blocks := x.Len()
	if len(g) == 0 || blocks == 0 {
		return
	}
	for t := range blocks {
		weights[2*t+1] += times * g.Gain(SizeChange{x.Size(t), true, t == blocks-1})
	}
	weights[2*blocks] += times * g.Gain(SizeChange{x.Size(blocks - 1), false, true})
}

// Add adds a number to the weight of blocks of s items, and if last is set to that of last
// blocks: for tables that hold gradients.
func (g SizeWeights) Add(s int, last bool, times float64) {
	half := len(g) / 2
	if s >= half {
		return
	}
	g[s] += times
	if last {
		g[half+s] += times
	}
}

// Count adds a factor times the number of blocks of x of every size: the gradient of
// [SizeWeights.Total].
func (g SizeWeights) Count(x *partition.Partition, times float64) {
	if len(g) == 0 {
		return
	}
	for t := range x.Len() {
		g.Add(x.Size(t), t == x.Len()-1, times)
	}
}

// AddChange adds a factor times the gradient of [SizeWeights.Gain].
func (g SizeWeights) AddChange(p SizeChange, times float64) {
	switch {
	case len(g) == 0 || p == SizeChange{}:
	case p.Joins:
		g.Add(p.Size+1, p.Last, times)
		g.Add(p.Size, p.Last, -times)
		g.Add(1, false, -times)
	default:
		g.Add(1, true, times)
		g.Add(1, false, -times)
		g.Add(p.Size, true, -times)
		g.Add(p.Size, false, times)
	}
}

// most is a bound on what the place of an item can change.
func (g SizeWeights) most() float64 {
	var most float64
	for _, v := range g {
		most = math.Max(most, math.Abs(v))
	}
	return 6 * most // three blocks, and each may be the last
}

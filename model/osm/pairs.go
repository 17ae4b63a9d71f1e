package osm

import (
	"math"

	"fubini/core/partition"
	"fubini/infer/mcmc"
)

// pairs is a model with any potential for each pair of items, kept as two dense
// matrices. See docs/maths.md#osm.
type pairs struct {
	n     int
	tie   []float64 // symmetric
	above []float64 // above[i*n+j]: i above j
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// NewPairwise returns the model of n items with these log potentials: tie[i*n+j], symmetric, for items i and j in one
// block, above[i*n+j] for item i above item j. The model reads the matrices, it does not copy them.
func NewPairwise(n int, tie, above []float64) Model { return &pairs{n: n, tie: tie, above: above} }

func newPairs(n int) *pairs {
	return &pairs{n: n, tie: make([]float64, n*n), above: make([]float64, n*n)}
}

// temper sets the log potentials to tau times those of another model of as many items.
func (m *pairs) temper(from *pairs, tau float64) {
	for k := range m.tie {
		m.tie[k], m.above[k] = tau*from.tie[k], tau*from.above[k]
	}
}

// N is the number of items.
func (m *pairs) N() int { return m.n }

// LogTie is the log potential of items i and j in one block.
func (m *pairs) LogTie(i, j int) float64 { return m.tie[i*m.n+j] }

// LogAbove is the log potential of item i above item j.
func (m *pairs) LogAbove(i, j int) float64 { return m.above[i*m.n+j] }

// LogWeight is the log weight of x, in O(N^2).
func (m *pairs) LogWeight(x *partition.Partition) float64 {
	var weight float64
	for t := range x.Len() {
		block := x.Block(t)
		for k, i := range block {
			for _, j := range block[:k] {
				weight += m.LogTie(i, j)
			}
			for lower := t + 1; lower < x.Len(); lower++ {
				for _, j := range x.Block(lower) {
					weight += m.LogAbove(i, j)
				}
			}
		}
	}
	return weight
}

// SplitGain is the change in log weight when the items of upper leave block t
// upwards, in O(|upper| |block|).
func (m *pairs) SplitGain(x *partition.Partition, t int, upper []int) float64 {
	var gain float64
	for _, i := range upper {
		for _, j := range x.Block(t) {
			gain += m.swap(i, j)
		}
		for _, j := range upper {
			gain -= m.swap(i, j)
		}
	}
	return gain
}

// MergeGain is the change in log weight when block t merges with the next.
func (m *pairs) MergeGain(x *partition.Partition, t int) float64 {
	var gain float64
	for _, i := range x.Block(t) {
		for _, j := range x.Block(t + 1) {
			gain -= m.swap(i, j)
		}
	}
	return gain
}

// swap is the gain of a pair when a tie gives way to i above j.
func (m *pairs) swap(i, j int) float64 {
	return m.above[i*m.n+j] - m.tie[i*m.n+j]
}

// NewSlots weighs all slots of an item in O(N): going down past an item j
// exchanges "i above j" for "j above i".
func (m *pairs) NewSlots() mcmc.Slots { return pairSlots{m} }

type pairSlots struct{ *pairs }

func (pairSlots) Load(*partition.Partition)               {}
func (pairSlots) Lifted(*partition.Partition, int, int)   {}
func (pairSlots) Inserted(*partition.Partition, int, int) {}

func (m pairSlots) Weigh(x *partition.Partition, i int, weights []float64) (logs bool) {
	over, tie := m.above[i*m.n:(i+1)*m.n], m.tie[i*m.n:(i+1)*m.n]
	var gap float64
	for t := range x.Len() {
		join, past := gap, gap
		for _, j := range x.Block(t) {
			join += tie[j] - over[j]
			past += m.above[j*m.n+i] - over[j]
		}
		weights[2*t], weights[2*t+1] = gap, join
		gap = past
	}
	weights[len(weights)-1] = gap
	return true
}

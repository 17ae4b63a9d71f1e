package stattest

import (
	"fubini/core/partition"
	"fubini/infer/mcmc"
)

// A Weigher is any model of ordered partitions: it gives the log weight of one.
type Weigher interface {
	N() int
	LogWeight(x *partition.Partition) float64
}

// Slow computes gains from whole log weights: the reference that fast implementations are tested
// against. It serves one goroutine at a time.
type Slow struct {
	Weigher
	scratch *partition.Partition
}

// NewSlow returns the target of a model.
func NewSlow(model Weigher) *Slow {
	return &Slow{Weigher: model, scratch: partition.OneBlock(model.N())}
}

// SplitGain implements [mcmc.SplitTarget].
func (s *Slow) SplitGain(x *partition.Partition, t int, upper []int) float64 {
	s.scratch.CopyFrom(x)
	s.scratch.Split(t, upper)
	return s.LogWeight(s.scratch) - s.LogWeight(x)
}

// MergeGain implements [mcmc.SplitTarget].
func (s *Slow) MergeGain(x *partition.Partition, t int) float64 {
	s.scratch.CopyFrom(x)
	s.scratch.Merge(t)
	return s.LogWeight(s.scratch) - s.LogWeight(x)
}

// NewSlots implements [mcmc.SlotTarget].
func (s *Slow) NewSlots() mcmc.Slots { return slowSlots{s} }

type slowSlots struct{ *Slow }

func (slowSlots) Load(*partition.Partition)               {}
func (slowSlots) Lifted(*partition.Partition, int, int)   {}
func (slowSlots) Inserted(*partition.Partition, int, int) {}

func (s slowSlots) Weigh(x *partition.Partition, _ int, weights []float64) (logs bool) {
	for slot := range weights {
		s.scratch.CopyFrom(x)
		s.scratch.Insert(slot)
		weights[slot] = s.LogWeight(s.scratch)
	}
	return true
}

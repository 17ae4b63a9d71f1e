package mcmc

import (
	"fubini/core/partition"
	"fubini/core/rng"
)

// Reinsert gives tests the move of one chosen item.
func (k *Reinsertion) Reinsert(d rng.Dice, x *partition.Partition, item int) {
	k.slots.Load(x)
	k.move(d, x, item, nil)
}

// DrawUpper gives tests the draw of a split, and SplitLogProb what it claims.
func (k *SplitMerge) DrawUpper(d rng.Dice, block []int) []int {
	k.drawUpper(d, block)
	return k.upper
}

var (
	SplitLogProb        = splitLogProb
	PrintedSplitLogProb = printedSplitLogProb
)

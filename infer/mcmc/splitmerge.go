package mcmc

import (
	"fmt"

	"fubini/core/partition"
	"fubini/core/rng"
)

// SplitTarget is a distribution on ordered partitions, given by the change in log weight by a
// split or a merge.
type SplitTarget interface {
	N() int // number of items
	// SplitGain is the change when block t splits into the items of upper, which become
	// the better block, and the rest.
	SplitGain(x *partition.Partition, t int, upper []int) float64
	// MergeGain is the change when block t merges with the next.
	MergeGain(x *partition.Partition, t int) float64
}

// SplitMerge is the paper's Metropolis-Hastings sampler: with equal chance a
// random block of two items or more is split at random, or two neighbours are
// merged. If the chosen move is impossible (one block left, or only single items) the state
// stays, so that both operators are always chosen with probability one half.
type SplitMerge struct {
	target    SplitTarget
	low, high int
	logProb   func(upper, lower int) float64
	upper     []int
}

// NewSplitMerge returns the sampler with the corrected proposal probability. A space with a
// fixed number of blocks is an error, because every move changes that number: use [Reinsertion].
func NewSplitMerge(target SplitTarget, space partition.Space) (*SplitMerge, error) {
	n := target.N()
	low, high, err := space.Bounds(n)
	if err != nil {
		return nil, fmt.Errorf("mcmc: %w", err)
	}
	if low == high && n > 1 {
		return nil, fmt.Errorf("mcmc: split and merge change the number of blocks, which this space fixes at %d; use reinsertion", low)
	}
	return &SplitMerge{target: target, low: low, high: high, logProb: splitLogProb, upper: make([]int, 0, n)}, nil
}

// NewPrintedSplitMerge returns the sampler with the acceptance ratio as the
// paper prints it. It does not leave its target unchanged and is here only to
// reproduce the paper; see docs/maths.md#split-proposal.
func NewPrintedSplitMerge(target SplitTarget, space partition.Space) (*SplitMerge, error) {
	k, err := NewSplitMerge(target, space)
	if err != nil {
		return nil, err
	}
	k.logProb = printedSplitLogProb
	return k, nil
}

// Step tries one split or one merge.
func (k *SplitMerge) Step(d rng.Dice, x *partition.Partition, seen *Tally) {
	if d.Coins(1) == 0 {
		k.split(d, x, seen)
	} else {
		k.merge(d, x, seen)
	}
}

// split proposes to split a random block of two items or more. The log acceptance ratio is the
// gain plus the log ratio of proposal probabilities (the paper's l and p).
func (k *SplitMerge) split(d rng.Dice, x *partition.Partition, seen *Tally) {
	blocks, splittable := x.Len(), splittable(x)
	if splittable == 0 || blocks >= k.high {
		seen.noteImpossible(Split)
		return
	}
	t := nthSplittable(x, d.IntN(splittable))
	k.drawUpper(d, x.Block(t))
	q := k.logProb(len(k.upper), x.Size(t)-len(k.upper))
	logRatio := k.target.SplitGain(x, t, k.upper) + splitLogRatio(blocks, splittable, q)
	moved := d.Accept(logRatio)
	if moved {
		x.Split(t, k.upper)
	}
	seen.note(Split, moved)
}

// merge proposes to merge a random block with the next.
func (k *SplitMerge) merge(d rng.Dice, x *partition.Partition, seen *Tally) {
	blocks := x.Len()
	if blocks <= k.low {
		seen.noteImpossible(Merge)
		return
	}
	t := d.IntN(blocks - 1)
	upper, lower := x.Size(t), x.Size(t+1)
	after := splittable(x) + 1 // the merged block can be split
	if upper > 1 {
		after--
	}
	if lower > 1 {
		after--
	}
	logRatio := k.target.MergeGain(x, t) + mergeLogRatio(blocks, after, k.logProb(upper, lower))
	moved := d.Accept(logRatio)
	if moved {
		x.Merge(t)
	}
	seen.note(Merge, moved)
}

// drawUpper draws the items of the upper part into k.upper: one random item goes up, another
// down, and a fair coin decides for each of the rest.
func (k *SplitMerge) drawUpper(d rng.Dice, block []int) {
	up := d.IntN(len(block))
	down := d.IntN(len(block) - 1)
	if down >= up {
		down++
	}
	k.upper = append(k.upper[:0], block[up])
	var coins uint64
	left := 0
	rest := len(block) - 2
	for i, item := range block {
		if i == up || i == down {
			continue
		}
		if left == 0 {
			left = min(rest, 64)
			coins = d.Coins(left)
			rest -= left
		}
		if coins&1 == 1 {
			k.upper = append(k.upper, item)
		}
		coins >>= 1
		left--
	}
}

func splittable(x *partition.Partition) (count int) {
	for t := range x.Len() {
		if x.Size(t) > 1 {
			count++
		}
	}
	return count
}

func nthSplittable(x *partition.Partition, n int) int {
	for t := range x.Len() {
		if x.Size(t) > 1 {
			if n == 0 {
				return t
			}
			n--
		}
	}
	panic("mcmc: fewer blocks to split than were counted")
}

package mcmc

import (
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
)

// A SlotTarget can weigh the slots of a lifted item.
type SlotTarget interface {
	N() int // number of items
	NewSlots() Slots
}

// Slots weighs the slots of a lifted item. It may keep sums over blocks and is
// therefore notified of every move; a target without such sums ignores that.
type Slots interface {
	// Load reads the partition, nothing lifted, and the target's parameters.
	Load(x *partition.Partition)
	// Lifted is called after the item was taken out of slot of x.
	Lifted(x *partition.Partition, item, slot int)
	// Weigh writes the weights of all 2T+1 slots of x, up to one common factor,
	// or their logarithms, and returns which. Weights that are not logarithms must
	// all be positive and finite.
	Weigh(x *partition.Partition, item int, weights []float64) (logs bool)
	// Inserted is called after the item was put into slot of x.
	Inserted(x *partition.Partition, item, slot int)
}

// Reinsertion is a Gibbs sampler over the place of one item: the item is lifted
// and its slot drawn from the exact conditional distribution over all 2T+1, so
// nothing is ever rejected. Slots that lead out of the space weigh nothing. See
// docs/maths.md#reinsertion.
type Reinsertion struct {
	slots     Slots
	low, high int
	weights   []float64
}

// NewReinsertion returns the sampler.
func NewReinsertion(target SlotTarget, space partition.Space) (*Reinsertion, error) {
	n := target.N()
	low, high, err := space.Bounds(n)
	if err != nil {
		return nil, fmt.Errorf("mcmc: %w", err)
	}
	return &Reinsertion{slots: target.NewSlots(), low: low, high: high, weights: make([]float64, 2*n)}, nil
}

// Step reinserts every item once, in the order of their numbers: a sweep. It
// reads the target afresh, so parameters may change between steps.
func (k *Reinsertion) Step(d rng.Dice, x *partition.Partition, seen *Tally) {
	k.slots.Load(x)
	for item := range x.N() {
		k.move(d, x, item, seen)
	}
}

// One returns the kernel that reinserts a single item, drawn uniformly. It
// reads the partition afresh each time, so a sweep costs less than N of these.
func (k *Reinsertion) One() Kernel[partition.Partition] { return (*reinsertOne)(k) }

type reinsertOne Reinsertion

func (k *reinsertOne) Step(d rng.Dice, x *partition.Partition, seen *Tally) {
	k.slots.Load(x)
	(*Reinsertion)(k).move(d, x, d.IntN(x.N()), seen)
}

func (k *Reinsertion) move(d rng.Dice, x *partition.Partition, item int, seen *Tally) {
	from := x.Lift(item)
	k.slots.Lifted(x, item, from)
	blocks := x.Len()
	weights := k.weights[:2*blocks+1]
	logs := k.slots.Weigh(x, item, weights)
	if blocks < k.low { // the item must make a block of its own
		forbid(weights[1:], logs)
	}
	if blocks >= k.high { // it must not
		forbid(weights, logs)
	}
	to := from
	if !logs || exponentiate(weights) {
		to = d.Pick(weights)
	}
	x.Insert(to)
	k.slots.Inserted(x, item, to)
	seen.note(Reinsert, to != from)
}

// forbid gives every second slot the weight zero.
func forbid(weights []float64, logs bool) {
	nothing := 0.0
	if logs {
		nothing = logprob.Zero
	}
	for slot := 0; slot < len(weights); slot += 2 {
		weights[slot] = nothing
	}
}

// exponentiate turns log weights into weights, the largest of which is 1, or
// returns false when all are zero: a chain that stands where its target has no
// weight stays there. A weight that is not a number, or infinite, is a fault of
// the target.
func exponentiate(weights []float64) bool {
	largest := logprob.Zero
	for slot, w := range weights {
		if w != w || w > math.MaxFloat64 {
			panic(fmt.Sprintf("mcmc: the log weight of slot %d is %g; are all potentials of the target finite?", slot, w))
		}
		if w > largest {
			largest = w
		}
	}
	if math.IsInf(largest, -1) {
		return false
	}
	for i, w := range weights {
		weights[i] = math.Exp(w - largest)
	}
	return true
}

// NewMixed returns a sweep of reinsertions followed by some split-and-merge
// moves, a quarter as many: small steps that are always right and now and then
// a large one. In a space that fixes the number of blocks it is the sweep alone.
func NewMixed(target Target, space partition.Space) (Kernel[partition.Partition], error) {
	sweep, err := NewReinsertion(target, space)
	if err != nil {
		return nil, err
	}
	if sweep.low == sweep.high {
		return sweep, nil
	}
	jumps, err := NewSplitMerge(target, space)
	if err != nil {
		return nil, err
	}
	return Cycle[partition.Partition](sweep, Repeat[partition.Partition](jumps, max(1, target.N()/4))), nil
}

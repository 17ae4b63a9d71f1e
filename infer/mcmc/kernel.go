package mcmc

import (
	"fmt"

	"fubini/core/rng"
)

// Kernel is a Markov kernel: Step moves the state once and leaves the target distribution
// unchanged. Moves are counted in seen, which may be nil. A kernel may hold scratch space:
// use one for each goroutine.
type Kernel[S any] interface {
	Step(d rng.Dice, x *S, seen *Tally)
}

// Operator names an elementary move.
type Operator uint8

// The elementary moves of the kernels in this package.
const (
	Split Operator = iota
	Merge
	Reinsert
	operators
)

// String is the name of the move.
func (o Operator) String() string {
	switch o {
	case Split:
		return "split"
	case Merge:
		return "merge"
	case Reinsert:
		return "reinsert"
	}
	return fmt.Sprintf("Operator(%d)", uint8(o))
}

// Count has the numbers of moves of one operator, by outcome.
type Count struct {
	Tried      int // moves attempted, impossible ones included
	Impossible int // there was nothing to split or merge, or the space forbids it
	Moved      int // proposals accepted; for Reinsert, items that changed their slot
}

// Rate is the share of moves that changed the state; 0 when none was tried.
func (c Count) Rate() float64 {
	if c.Tried == 0 {
		return 0
	}
	return float64(c.Moved) / float64(c.Tried)
}

// Tally counts moves by operator. The zero value is ready.
type Tally [operators]Count

// Of returns the count of one operator.
func (t *Tally) Of(o Operator) Count { return t[o] }

// Moves is the number of elementary moves tried.
func (t *Tally) Moves() int {
	total := 0
	for _, c := range t {
		total += c.Tried
	}
	return total
}

// Add adds the counts of another tally.
func (t *Tally) Add(other *Tally) {
	for o := range t {
		t[o].Tried += other[o].Tried
		t[o].Impossible += other[o].Impossible
		t[o].Moved += other[o].Moved
	}
}

func (t *Tally) note(o Operator, moved bool) {
	if t == nil {
		return
	}
	t[o].Tried++
	if moved {
		t[o].Moved++
	}
}

func (t *Tally) noteImpossible(o Operator) {
	if t == nil {
		return
	}
	t[o].Tried++
	t[o].Impossible++
}

// Cycle steps each kernel once, in order.
func Cycle[S any](kernels ...Kernel[S]) Kernel[S] { return cycle[S](kernels) }

type cycle[S any] []Kernel[S]

func (c cycle[S]) Step(d rng.Dice, x *S, seen *Tally) {
	for _, k := range c {
		k.Step(d, x, seen)
	}
}

// Repeat steps one kernel n times.
func Repeat[S any](k Kernel[S], n int) Kernel[S] { return repeat[S]{k, n} }

type repeat[S any] struct {
	kernel Kernel[S]
	n      int
}

func (p repeat[S]) Step(d rng.Dice, x *S, seen *Tally) {
	for range p.n {
		p.kernel.Step(d, x, seen)
	}
}

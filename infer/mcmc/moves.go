package mcmc

import (
	"fmt"
	"slices"
	"strings"

	"fubini/core/partition"
)

// Moves names a Markov chain on ordered partitions by the moves it makes.
type Moves int

// The moves: single-item Gibbs, split and merge, the same with the printed ratio, and both.
const (
	ReinsertionMoves Moves = iota
	SplitMergeMoves
	PrintedMoves // biased; for reproduction of the paper only
	MixedMoves   // a sweep of reinsertions, then some splits and merges
)

// MoveNames are the names of all moves, in the order of their numbers.
var MoveNames = []string{"reinsertion", "split-merge", "split-merge-paper", "mixed"}

// ParseMoves finds moves by their name.
func ParseMoves(name string) (Moves, error) {
	at := slices.Index(MoveNames, name)
	if at < 0 {
		return 0, fmt.Errorf("mcmc: no moves %q; there are %s", name, strings.Join(MoveNames, ", "))
	}
	return Moves(at), nil
}

// Target is a model that every kernel of this package can sample from.
type Target interface {
	SplitTarget
	SlotTarget
}

// Sweep returns the kernel whose step is a sweep, N moves.
func (m Moves) Sweep(target Target, space partition.Space) (Kernel[partition.Partition], error) {
	return m.Kernel(target, space, target.N())
}

// Kernel returns the kernel whose step is count splits and merges, or a sweep of other moves.
func (m Moves) Kernel(target Target, space partition.Space, count int) (Kernel[partition.Partition], error) {
	build := NewSplitMerge
	switch m {
	case ReinsertionMoves:
		return NewReinsertion(target, space)
	case MixedMoves:
		return NewMixed(target, space)
	case PrintedMoves:
		build = NewPrintedSplitMerge
	case SplitMergeMoves:
	default:
		return nil, fmt.Errorf("mcmc: no moves %d", m)
	}
	single, err := build(target, space)
	if err != nil {
		return nil, err
	}
	return Repeat[partition.Partition](single, count), nil
}

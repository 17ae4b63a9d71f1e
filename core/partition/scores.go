package partition

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// FromScores ranks items by score, higher first; equal scores tie.
func FromScores(scores []float64) (*Partition, error) {
	for i, s := range scores {
		if math.IsNaN(s) {
			return nil, fmt.Errorf("partition: the score of item %d is not a number", i)
		}
	}
	return fromOrdered(scores)
}

// FromLevels ranks items by level, higher first; equal levels tie. Which
// numbers are used does not matter, only their order: stars, 0 to 10, tiers.
func FromLevels(levels []int) (*Partition, error) { return fromOrdered(levels) }

func fromOrdered[V cmp.Ordered](values []V) (*Partition, error) {
	if len(values) == 0 {
		return nil, fmt.Errorf("partition: no items")
	}
	levels := Distinct(values)
	rank := make([]int, len(values))
	for i, v := range values {
		level, _ := slices.BinarySearch(levels, v)
		rank[i] = len(levels) - 1 - level
	}
	x := OneBlock(len(values))
	x.SetRanks(rank)
	return x, nil
}

// Distinct returns the values that occur, each once, ascending.
func Distinct[V cmp.Ordered](values []V) []V {
	const few = 32 // up to so many, finding the place of each is faster than sorting all
	found := make([]V, 0, 8)
	for _, v := range values {
		if len(found) <= 8 && slices.Contains(found, v) { // as of most ratings; a search takes twice as long
			continue
		}
		at, known := slices.BinarySearch(found, v)
		if known {
			continue
		}
		if len(found) == few {
			found = slices.Clone(values)
			slices.Sort(found)
			return slices.Compact(found)
		}
		found = slices.Insert(found, at, v)
	}
	return found
}

// SetRanks overwrites x, without allocating: item i goes to block rank[i], 0 for
// the best. Every number up to the largest must occur.
func (x *Partition) SetRanks(rank []int) {
	if len(rank) != x.N() {
		panic(fmt.Sprintf("partition: %d ranks for %d items", len(rank), x.N()))
	}
	blocks := slices.Max(rank) + 1
	if slices.Min(rank) < 0 || blocks > len(rank) {
		panic(fmt.Sprintf("partition: ranks from %d to %d of %d items", slices.Min(rank), blocks-1, len(rank)))
	}
	start := x.start[:blocks+1]
	clear(start)
	for _, r := range rank {
		start[r+1]++
	}
	for t := range blocks {
		if start[t+1] == 0 {
			panic(fmt.Sprintf("partition: no item has rank %d", t))
		}
		start[t+1] += start[t]
	}
	for i := len(rank) - 1; i >= 0; i-- { // fills each block from its end
		start[rank[i]+1]--
		x.put(i, start[rank[i]+1])
	}
	copy(start[1:blocks], start[2:blocks+1]) // ends have moved to starts
	start[blocks] = len(rank)
	x.start, x.lifted = start, -1
}

// Levels returns the level of every item: T for the best block down to 1.
func (x *Partition) Levels() []int {
	levels := make([]int, x.N())
	for t := range x.Len() {
		for _, item := range x.Block(t) {
			levels[item] = x.Len() - t
		}
	}
	return levels
}

// Scores writes the mid-rank score of every item into out and returns it: the
// number of items below plus half the number tied. They sum to N(N-1)/2
// whatever x is. See docs/maths.md#scores.
func (x *Partition) Scores(out []float64) []float64 {
	for t := range x.Len() {
		s := float64(x.Below(t)) + float64(x.Size(t)-1)/2
		for _, item := range x.Block(t) {
			out[item] = s
		}
	}
	return out
}

// Relation is the order of two items: the one below the other, tied with it, or above.
type Relation int8

// The three relations of a pair in a weak order.
const (
	Below Relation = iota - 1
	Tied
	Above
)

// String is the name of the relation: below, tied or above.
func (r Relation) String() string {
	switch r {
	case Below:
		return "below"
	case Tied:
		return "tied"
	case Above:
		return "above"
	}
	return fmt.Sprintf("Relation(%d)", int8(r))
}

// Relation returns whether item i stands above item j, below it, or is tied with it.
func (x *Partition) Relation(i, j int) Relation {
	return Relation(cmp.Compare(x.BlockOf(j), x.BlockOf(i)))
}

// Distance is the share of item pairs whose relation differs between x and y,
// the paper's Dist: 0 for equal partitions, 1 for a strict order and its
// reverse. A single item has no pairs and distance 0.
func Distance(x, y *Partition) float64 {
	n := x.N()
	if y.N() != n {
		panic(fmt.Sprintf("partition: distance between %d and %d items", n, y.N()))
	}
	if n < 2 {
		return 0
	}
	return float64(n*(n-1)/2-agreeing(x, y)) / float64(n*(n-1)/2)
}

// agreeing counts the pairs that have the same relation in both. It climbs the
// blocks of x with a count, for every block of y, of the items met there: of two
// items ordered alike the lower one was met before, in a block below. O(N + T T').
func agreeing(x, y *Partition) (pairs int) {
	const few = 128 // no allocations up to this number of items
	var rankBuffer, metBuffer, belowBuffer, hereBuffer [few + 1]int
	rank, met, below, here := rankBuffer[:], metBuffer[:], belowBuffer[:], hereBuffer[:]
	if x.N() > few {
		size := x.N() + 1
		rank, met, below, here = make([]int, size), make([]int, size), make([]int, size), make([]int, size)
	}
	blocks := y.Len()
	for t := range blocks {
		for _, item := range y.Block(t) {
			rank[item] = t
		}
	}
	for t := x.Len() - 1; t >= 0; t-- {
		lower := 0
		for b := blocks - 1; b >= 0; b-- {
			below[b] = lower // met, and below block b
			lower += met[b]
		}
		for _, item := range x.Block(t) {
			b := rank[item]
			pairs += below[b] + here[b] // ordered in both, and tied in both
			here[b]++
		}
		for _, item := range x.Block(t) {
			b := rank[item]
			met[b] += here[b]
			here[b] = 0
		}
	}
	return pairs
}

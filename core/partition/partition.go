package partition

import (
	"fmt"
	"slices"
)

// Partition is an ordered partition of the items 0..N-1, best block first.
// Equality of two values is [Partition.Equal]: the order of items inside a
// block carries no meaning and changes as the partition is edited. The zero
// value has no items and is good only to be read into.
type Partition struct {
	order  []int // items, best block first
	place  []int // place[order[k]] == k
	start  []int // block t is order[start[t]:start[t+1]]
	lifted int   // the item taken out by Lift, which waits at the end of order; -1 for none
}

// OneBlock returns the partition of n items that are all tied.
func OneBlock(n int) *Partition {
	x := &Partition{}
	x.Reset(n)
	return x
}

// Reset overwrites x with the partition of n items that are all tied. It allocates only where x has never had as many.
func (x *Partition) Reset(n int) {
	if n < 1 {
		panic(fmt.Sprintf("partition: %d items; at least one is needed", n))
	}
	if n > cap(x.order) {
		x.order, x.place, x.start = make([]int, n), make([]int, n), make([]int, 2, n+1)
	}
	x.order, x.place, x.start, x.lifted = x.order[:n], x.place[:n], x.start[:2], -1
	for i := range n {
		x.order[i], x.place[i] = i, i
	}
	x.start[0], x.start[1] = 0, n
}

// FromBlocks builds the partition with these blocks, best first. Together they
// must hold each of 0..N-1 once.
func FromBlocks(blocks [][]int) (*Partition, error) {
	n := 0
	for _, block := range blocks {
		n += len(block)
	}
	if n == 0 {
		return nil, fmt.Errorf("partition: no items")
	}
	x := &Partition{order: make([]int, 0, n), place: make([]int, n), start: make([]int, 1, n+1), lifted: -1}
	for i := range x.place {
		x.place[i] = -1
	}
	for t, block := range blocks {
		if len(block) == 0 {
			return nil, fmt.Errorf("partition: block %d is empty", t)
		}
		for _, item := range block {
			if item < 0 || item >= n {
				return nil, fmt.Errorf("partition: block %d holds item %d; %d items are numbered 0 to %d", t, item, n, n-1)
			}
			if x.place[item] >= 0 {
				return nil, fmt.Errorf("partition: item %d stands in two places", item)
			}
			x.place[item] = len(x.order)
			x.order = append(x.order, item)
		}
		x.start = append(x.start, len(x.order))
	}
	return x, nil
}

// N is the number of items, a lifted one included.
func (x *Partition) N() int { return len(x.order) }

// Len is the number of blocks, T in the formulas.
func (x *Partition) Len() int { return len(x.start) - 1 }

// Size is the number of items in block t.
func (x *Partition) Size(t int) int { return x.start[t+1] - x.start[t] }

// Block returns the items of block t, in no particular order. It is a view:
// read it, do not change it, and do not keep it past the next edit.
func (x *Partition) Block(t int) []int { return x.order[x.start[t]:x.start[t+1]:x.start[t+1]] }

// Below is the number of placed items in the blocks after block t.
func (x *Partition) Below(t int) int { return x.start[len(x.start)-1] - x.start[t+1] }

// BlockOf returns the block that holds an item. It panics for a lifted item.
func (x *Partition) BlockOf(item int) int {
	if item == x.lifted {
		panic(fmt.Sprintf("partition: item %d is lifted and stands in no block", item))
	}
	k := x.place[item]
	low, high := 0, x.Len()-1 // the last block that starts at or before k
	for low < high {
		middle := int(uint(low+high+1) >> 1)
		if x.start[middle] <= k {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// Lifted returns the item taken out by [Partition.Lift], or -1.
func (x *Partition) Lifted() int { return x.lifted }

// Blocks returns the blocks as new slices, best first, items ascending.
func (x *Partition) Blocks() [][]int {
	blocks := make([][]int, x.Len())
	for t := range blocks {
		blocks[t] = slices.Clone(x.Block(t))
		slices.Sort(blocks[t])
	}
	return blocks
}

// Clone returns a copy that shares nothing with x.
func (x *Partition) Clone() *Partition {
	n := x.N()
	return &Partition{order: slices.Clone(x.order), place: slices.Clone(x.place), start: append(make([]int, 0, n+1), x.start...), lifted: x.lifted}
}

// CopyFrom makes x equal to y, a partition of as many items, without allocating.
func (x *Partition) CopyFrom(y *Partition) {
	if x.N() != y.N() {
		panic(fmt.Sprintf("partition: copy of %d items into room for %d", y.N(), x.N()))
	}
	copy(x.order, y.order)
	copy(x.place, y.place)
	x.start = append(x.start[:0], y.start...)
	x.lifted = y.lifted
}

// Equal reports whether x and y have the same blocks in the same order.
func (x *Partition) Equal(y *Partition) bool {
	if x.lifted != y.lifted || !slices.Equal(x.start, y.start) || x.N() != y.N() {
		return false
	}
	for t := range x.Len() {
		for _, item := range x.Block(t) {
			if k := y.place[item]; k < y.start[t] || k >= y.start[t+1] {
				return false
			}
		}
	}
	return true
}

// TiedPairs is the number of item pairs that share a block, C in the formulas.
func (x *Partition) TiedPairs() int {
	pairs := 0
	for t := range x.Len() {
		n := x.Size(t)
		pairs += n * (n - 1) / 2
	}
	return pairs
}

// Check reports what is wrong with the inner state of x; nil if nothing is.
// Only a mistake in this package can make it fail.
func (x *Partition) Check() error {
	n := x.N()
	placed := n
	if x.lifted >= 0 {
		placed--
		if x.order[n-1] != x.lifted {
			return fmt.Errorf("partition: lifted item %d does not wait at the end", x.lifted)
		}
	}
	for k, item := range x.order {
		if item < 0 || item >= n || x.place[item] != k {
			return fmt.Errorf("partition: place %d holds item %d, which stands at %d", k, item, x.place[item])
		}
	}
	if x.start[0] != 0 || x.start[x.Len()] != placed {
		return fmt.Errorf("partition: blocks span %d to %d of %d items", x.start[0], x.start[x.Len()], placed)
	}
	for t := range x.Len() {
		if x.Size(t) < 1 {
			return fmt.Errorf("partition: block %d has %d items", t, x.Size(t))
		}
	}
	return nil
}

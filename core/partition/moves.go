package partition

import (
	"fmt"
	"slices"
)

// Split cuts block t in two: the items of upper become block t, the others
// block t+1. upper must name some but not all items of the block, each once.
func (x *Partition) Split(t int, upper []int) {
	cut := x.start[t]
	for _, item := range upper {
		k := x.place[item]
		if k < cut || k >= x.start[t+1] {
			panic(fmt.Sprintf("partition: item %d is not in the rest of block %d, or is named twice", item, t))
		}
		x.exchange(k, cut)
		cut++
	}
	if cut == x.start[t] || cut == x.start[t+1] {
		panic(fmt.Sprintf("partition: a split of block %d must leave both parts an item", t))
	}
	x.start = slices.Insert(x.start, t+1, cut)
}

// Merge makes one block of block t and the next.
func (x *Partition) Merge(t int) {
	if t < 0 || t+1 >= x.Len() {
		panic(fmt.Sprintf("partition: no block to merge block %d of %d with", t, x.Len()))
	}
	x.start = slices.Delete(x.start, t+1, t+2)
}

// Lift takes an item out and returns the slot, in what remains, that it came
// from: Insert of that slot undoes the lift. A block left empty is removed.
// Instead of moving everything below, one item of each lower block changes
// place, which costs O(T).
func (x *Partition) Lift(item int) (slot int) {
	if x.lifted >= 0 {
		panic(fmt.Sprintf("partition: item %d is still lifted", x.lifted))
	}
	t := x.BlockOf(item)
	hole := x.place[item]
	for b := t; b < x.Len(); b++ {
		last := x.start[b+1] - 1
		x.put(x.order[last], hole)
		hole = last
		x.start[b+1] = last
	}
	x.put(item, hole)
	x.lifted = item
	if x.Size(t) > 0 {
		return 2*t + 1
	}
	x.start = slices.Delete(x.start, t+1, t+2)
	return 2 * t
}

// Insert puts the lifted item into a slot, 0 to 2T: even slot 2t makes a block
// of its own above block t, odd slot 2t+1 joins block t.
func (x *Partition) Insert(slot int) {
	if x.lifted < 0 || slot < 0 || slot > 2*x.Len() {
		panic(fmt.Sprintf("partition: item %d into slot %d of %d", x.lifted, slot, 2*x.Len()+1))
	}
	item, hole := x.lifted, x.N()-1
	first := (slot + 1) / 2 // the first block that makes room
	for b := x.Len() - 1; b >= first; b-- {
		x.start[b+1]++
		x.put(x.order[x.start[b]], hole)
		hole = x.start[b]
	}
	x.put(item, hole)
	x.lifted = -1
	if slot%2 == 1 {
		x.start[first]++
	} else {
		x.start = slices.Insert(x.start, first+1, hole+1)
	}
}

func (x *Partition) put(item, k int) {
	x.order[k], x.place[item] = item, k
}

func (x *Partition) exchange(k, l int) {
	a, b := x.order[k], x.order[l]
	x.put(b, k)
	x.put(a, l)
}

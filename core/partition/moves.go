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
	order, place, start := x.order, x.place, x.start
	hole := place[item]
	alone := start[t+1]-start[t] == 1
	slot = 2*t + 1
	if alone { // the boundaries after it move up one place as well
		slot = 2 * t
		for b := t + 1; b < len(start)-1; b++ {
			last := start[b+1] - 1
			order[hole] = order[last]
			place[order[hole]] = hole
			hole = last
			start[b] = last
		}
		x.start = start[:len(start)-1]
	} else {
		for b := t; b < len(start)-1; b++ {
			last := start[b+1] - 1
			order[hole] = order[last]
			place[order[hole]] = hole
			hole = last
			start[b+1] = last
		}
	}
	x.put(item, hole)
	x.lifted = item
	return slot
}

// Insert puts the lifted item into a slot, 0 to 2T: even slot 2t makes a block
// of its own above block t, odd slot 2t+1 joins block t.
func (x *Partition) Insert(slot int) {
	blocks := x.Len()
	if x.lifted < 0 || slot < 0 || slot > 2*blocks {
		panic(fmt.Sprintf("partition: item %d into slot %d of %d", x.lifted, slot, 2*blocks+1))
	}
	order, place := x.order, x.place
	item, hole := x.lifted, len(order)-1
	first := (slot + 1) / 2 // the first block that makes room
	if slot%2 == 0 {        // the boundaries after it move down one place as well
		start := x.start[:blocks+2]
		for b := blocks - 1; b >= first; b-- {
			start[b+2] = start[b+1] + 1
			order[hole] = order[start[b]]
			place[order[hole]] = hole
			hole = start[b]
		}
		start[first+1] = hole + 1
		x.start = start
	} else {
		start := x.start
		for b := blocks - 1; b >= first; b-- {
			start[b+1]++
			order[hole] = order[start[b]]
			place[order[hole]] = hole
			hole = start[b]
		}
		start[first]++
	}
	x.put(item, hole)
	x.lifted = -1
}

func (x *Partition) put(item, k int) {
	x.order[k], x.place[item] = item, k
}

func (x *Partition) exchange(k, l int) {
	a, b := x.order[k], x.order[l]
	x.put(b, k)
	x.put(a, l)
}

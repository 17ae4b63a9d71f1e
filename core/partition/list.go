package partition

import (
	"fmt"
	"iter"
	"math/bits"
)

// maxListed bounds All: Fubini(12) is 2.8e13, more than anyone waits for.
const maxListed = 12

// All lists every ordered partition of n items, Fubini(n) of them, by choosing
// the top block among all subsets of what is left. The value handed out is
// edited for the next one: Clone what you keep.
func All(n int) iter.Seq[*Partition] {
	if n < 1 || n > maxListed {
		panic(fmt.Sprintf("partition: All lists 1 to %d items, not %d", maxListed, n))
	}
	return func(yield func(*Partition) bool) {
		x := OneBlock(n)
		x.start = x.start[:1]
		x.fill(1<<n-1, yield)
	}
}

// fill appends every arrangement of the items in rest; false means stop.
func (x *Partition) fill(rest uint, yield func(*Partition) bool) bool {
	if rest == 0 {
		return yield(x)
	}
	from, blocks := x.start[len(x.start)-1], len(x.start)
	for top := rest; top > 0; top = (top - 1) & rest {
		end := from
		for members := top; members > 0; members &= members - 1 {
			x.put(bits.TrailingZeros(members), end)
			end++
		}
		x.start = append(x.start[:blocks], end)
		if !x.fill(rest&^top, yield) {
			return false
		}
	}
	return true
}

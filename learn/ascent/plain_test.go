package ascent

import (
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/model/osm"
)

// Breaking ties at random keeps every order between tiers, leaves no tie, depends on the seed, and prefers no item.
func TestPlainLists(t *testing.T) {
	order, err := partition.Parse("3~1~4 > 0 > 5~2")
	if err != nil {
		t.Fatal(err)
	}
	const lists = 3000
	all := slices.Repeat(osm.Pack([]osm.List{{Items: []int{7, 8, 9, 10, 11, 12}, Order: order}}), lists)
	first := map[int]int{}
	var unpacker osm.Unpacker
	for _, packed := range plain(all, 1) {
		list := unpacker.List(packed)
		if list.Order.Len() != 6 || list.Order.Block(3)[0] != 0 {
			t.Fatalf("%v of %v", list.Order, order)
		}
		top := list.Order.Block(0)[0]
		if !slices.Contains([]int{3, 1, 4}, top) {
			t.Fatalf("%v of %v", list.Order, order)
		}
		first[top]++
	}
	for item, times := range first {
		if !(times > lists/3-130 && times < lists/3+130) { // five standard deviations
			t.Errorf("item %d is first %d times in %d", item, times, lists)
		}
	}
	if slices.EqualFunc(plain(all, 1), plain(all, 2), func(a, b osm.Packed) bool { return slices.Equal(a.Tiers, b.Tiers) }) {
		t.Error("two seeds give the same orders")
	}
	if unpacker.List(all[0]).Order.Len() != 3 {
		t.Error("the list itself has changed")
	}
}

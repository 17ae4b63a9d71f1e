package osm_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/latent/planted"
	"fubini/model/osm"
)

// randomLists are lists of 1 to 9 of 12 items, in random tiers.
func randomLists(t testing.TB, count int) []osm.List {
	t.Helper()
	r, all := rng.Stream(1, "packed"), make([]int, 12)
	lists := make([]osm.List, count)
	for l := range lists {
		n := 1 + r.IntN(9)
		rng.Permutation(r, all)
		levels := make([]int, n)
		for k := range levels {
			levels[k] = r.IntN(4)
		}
		lists[l] = osm.List{Items: slices.Clone(all[:n]), Order: must[*partition.Partition](t)(partition.FromLevels(levels))}
	}
	return lists
}

// A packed list is the same list, and a part of it the list of these items alone, though one unpacker serves lists of any length.
func TestPackedLists(t *testing.T) {
	lists := randomLists(t, 300)
	var unpacker osm.Unpacker
	for l, packed := range osm.Pack(lists) {
		want := lists[l]
		if got := unpacker.List(packed); !slices.Equal(got.Items, want.Items) || got.Order.String() != want.Order.String() {
			t.Fatalf("%v %v, unpacked as %v %v", want.Items, want.Order, got.Items, got.Order)
		}
		var places, items, levels []int
		for k, level := range want.Order.Levels() {
			if k%2 == 0 {
				places, items, levels = append(places, k), append(items, want.Items[k]), append(levels, level)
			}
		}
		order := must[*partition.Partition](t)(partition.FromLevels(levels))
		if got := unpacker.Part(packed, places); !slices.Equal(got.Items, items) || got.Order.String() != order.String() {
			t.Fatalf("%v of %v %v: %v %v", places, want.Items, want.Order, got.Items, got.Order)
		}
	}
}

// The packed lists of a set are those of its users with two ratings or more.
func TestPackedOfASet(t *testing.T) {
	set := planted.Table(t, []float32{4, 2, 2, 3, 4}, []float32{3, 0, 0, 0, 0}, []float32{1, 5, 0, 2, 2}, []float32{0, 0, 3, 3, 0})
	want := must[[]osm.List](t)(osm.ListsOf(set))
	got := must[[]osm.Packed](t)(osm.PackedOf(set))
	if len(got) != 3 || len(want) != 3 {
		t.Fatalf("%d and %d lists of 3", len(got), len(want))
	}
	for l, packed := range osm.Pack(want) {
		if !slices.Equal(packed.Items, got[l].Items) || !slices.Equal(packed.Tiers, got[l].Tiers) {
			t.Errorf("list %d: %v, packed %v", l, got[l], packed)
		}
	}
}

// Renumbering leaves the list itself alone.
func TestRenumbered(t *testing.T) {
	p := osm.Packed{Items: []uint32{0, 2}, Tiers: []uint16{1, 0}}
	if got := p.Renumbered([]int{7, 8, 9}); !slices.Equal(got.Items, []uint32{7, 9}) || !slices.Equal(got.Tiers, p.Tiers) || p.Items[1] != 2 {
		t.Errorf("%v of %v", got, p)
	}
}

func TestBadPackedLists(t *testing.T) {
	for says, p := range map[string]osm.Packed{
		"0 items with 0 tiers":       {},
		"2 items with 1 tiers":       {Items: []uint32{0, 1}, Tiers: []uint16{0}},
		"outside the catalogue of 3": {Items: []uint32{0, 3}, Tiers: []uint16{0, 1}},
		"item 2 is listed twice":     {Items: []uint32{2, 2}, Tiers: []uint16{0, 1}},
		"tier 2 of 3 is empty":       {Items: []uint32{0, 1}, Tiers: []uint16{0, 2}},
		"outside the catalogue":      {Items: []uint32{math.MaxUint32}, Tiers: []uint16{0}},
	} {
		good := osm.Packed{Items: []uint32{0, 2}, Tiers: []uint16{1, 0}}
		if err := osm.ValidatePacked(3, []osm.Packed{good, p}); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "list 1") {
			t.Errorf("%v: %v; expected it to say %q", p, err, says)
		}
	}
}

// Lists of all lengths in turn take no memory once the longest has been unpacked.
func TestUnpackingDoesNotAllocate(t *testing.T) {
	lists := osm.Pack(randomLists(t, 50))
	var unpacker osm.Unpacker
	all := func() {
		for _, p := range lists {
			unpacker.List(p)
			unpacker.Part(p, []int{0})
		}
	}
	all()
	if n := testing.AllocsPerRun(10, all); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

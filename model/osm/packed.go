package osm

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fubini/core/partition"
	"fubini/data/ratings"
)

// Packed is a tier list in six bytes an item: a hundred million of them fit into memory.
type Packed struct {
	Items []uint32 // of the catalogue
	Tiers []uint16 // of each item, 0 for the best
}

// MostTiers is the largest number of tiers of a packed list.
const MostTiers = math.MaxUint16 + 1

// Pack returns the packed forms of lists. It panics for a list without an order or with more than 65,536 tiers, and for items
// below 0.
func Pack(lists []List) []Packed {
	all := make([]Packed, len(lists))
	for l, list := range lists {
		if list.Order.Len() > MostTiers {
			panic(fmt.Sprintf("osm: a list of %d tiers; at most %d can be packed", list.Order.Len(), MostTiers))
		}
		p := Packed{Items: make([]uint32, len(list.Items)), Tiers: make([]uint16, list.Order.N())}
		for k, i := range list.Items {
			if i < 0 || uint64(i) > math.MaxUint32 {
				panic(fmt.Sprintf("osm: item %d cannot be packed", i))
			}
			p.Items[k] = uint32(i)
		}
		for t := range list.Order.Len() {
			for _, k := range list.Order.Block(t) {
				p.Tiers[k] = uint16(t)
			}
		}
		all[l] = p
	}
	return all
}

// PackedOf returns the tier lists of all users with at least two ratings; a single rating has no order. Their items are those of
// the set itself, and must not be changed.
func PackedOf(set *ratings.Set) ([]Packed, error) {
	count, places := 0, 0
	for u := range set.Users().Len() {
		if n := set.Row(u).Len(); n > 1 {
			count++
			places += n
		}
	}
	lists, tiers := make([]Packed, 0, count), make([]uint16, places)
	var levels []float32
	for u := range set.Users().Len() {
		row := set.Row(u)
		n := row.Len()
		if n < 2 {
			continue
		}
		levels = append(levels[:0], row.Values...)
		slices.SortFunc(levels, func(a, b float32) int { return cmp.Compare(b, a) })
		levels = slices.Compact(levels)
		if last := levels[len(levels)-1]; last != last { // not a number is sorted last
			return nil, fmt.Errorf("osm: a rating of user %d is not a number", u)
		}
		if len(levels) > MostTiers {
			return nil, fmt.Errorf("osm: user %d has %d different ratings; a list has at most %d tiers", u, len(levels), MostTiers)
		}
		for k, v := range row.Values {
			t, _ := slices.BinarySearchFunc(levels, v, func(level, v float32) int { return cmp.Compare(v, level) })
			tiers[k] = uint16(t)
		}
		lists = append(lists, Packed{Items: row.Items, Tiers: tiers[:n:n]})
		tiers = tiers[n:]
	}
	return lists, nil
}

// Renumbered returns the list with item place[i] in place of item i, in memory of its own.
func (p Packed) Renumbered(place []int) Packed {
	items := make([]uint32, len(p.Items))
	for k, i := range p.Items {
		items[k] = uint32(place[i])
	}
	return Packed{Items: items, Tiers: p.Tiers}
}

// ValidatePacked returns an error for an invalid list, or one with items outside a catalogue of n.
func ValidatePacked(n int, lists []Packed) error {
	seen := make([]int, n) // the number of the last list, from 1, with the item
	var used []bool        // tiers
	for l, list := range lists {
		if len(list.Items) == 0 || len(list.Items) != len(list.Tiers) {
			return fmt.Errorf("list %d: osm: %d items with %d tiers; a list has one or more, each with a tier", l, len(list.Items), len(list.Tiers))
		}
		for _, i := range list.Items {
			switch {
			case int64(i) >= int64(n):
				return fmt.Errorf("list %d: osm: item %d is outside the catalogue of %d", l, i, n)
			case seen[i] == l+1:
				return fmt.Errorf("list %d: osm: item %d is listed twice", l, i)
			}
			seen[i] = l + 1
		}
		count := int(slices.Max(list.Tiers)) + 1
		used = append(used[:0], make([]bool, count)...)
		for _, t := range list.Tiers {
			used[t] = true
		}
		if empty := slices.Index(used, false); empty >= 0 {
			return fmt.Errorf("list %d: osm: tier %d of %d is empty", l, empty+1, count)
		}
	}
	return nil
}

// Unpacker turns packed lists into [List], one at a time: the next call overwrites the list. The zero value is ready for use.
type Unpacker struct {
	list  List
	ranks []int
	among []int // of every tier, its number among those of a part
}

// List is the list itself.
func (u *Unpacker) List(p Packed) List {
	u.sized(len(p.Items))
	for k, i := range p.Items {
		u.list.Items[k], u.ranks[k] = int(i), int(p.Tiers[k])
	}
	u.list.Order.SetRanks(u.ranks)
	return u.list
}

// Part is the list restricted to the items at these places, in the same order. Places ascend.
func (u *Unpacker) Part(p Packed, places []int) List {
	u.sized(len(places))
	u.among = append(u.among[:0], make([]int, int(slices.Max(p.Tiers))+1)...)
	for _, place := range places {
		u.among[p.Tiers[place]] = 1
	}
	count := 0
	for t, used := range u.among {
		u.among[t] = count
		count += used
	}
	for k, place := range places {
		u.list.Items[k], u.ranks[k] = int(p.Items[place]), u.among[p.Tiers[place]]
	}
	u.list.Order.SetRanks(u.ranks)
	return u.list
}

// sized makes room for a list of n items.
func (u *Unpacker) sized(n int) {
	if u.list.Order == nil {
		u.list.Order = partition.OneBlock(n)
	}
	u.list.Order.Reset(n)
	u.list.Items = slices.Grow(u.list.Items[:0], n)[:n]
	u.ranks = slices.Grow(u.ranks[:0], n)[:n]
}

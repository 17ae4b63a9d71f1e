// Package kinds has what is known of items beside who picked them: the groups that each is in, such as genres, and its year.
//
// A catalogue says so by id ([fubini/data/catalogue]); ratings carry it by the numbers of their items (ratings.Set.Described), so that it stays with
// the items when ratings are divided and filtered; the model of what people pick takes every group and every year for a list (learn/interest).
package kinds

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// Kinds are the groups and years of items.
type Kinds struct {
	Groups int        // number of groups
	of     [][]uint32 // groups of each item, ascending
	years  []int      // of each item, 0 where it is not known
}

// New returns what a function says of the items with some ids: the names of groups, and the year, 0 where it is not known. Groups are numbered
// in the order of their names. It is nil where nothing is known of any item.
func New(ids []string, about func(item string) (groups []string, year int)) *Kinds {
	k := &Kinds{of: make([][]uint32, len(ids)), years: make([]int, len(ids))}
	numbers, names, known := map[string]uint32{}, make([][]string, len(ids)), false
	for i, id := range ids {
		names[i], k.years[i] = about(id)
		known = known || len(names[i]) > 0 || k.years[i] != 0
		for _, name := range names[i] {
			numbers[name] = 0
		}
	}
	if !known {
		return nil
	}
	for n, name := range slices.Sorted(maps.Keys(numbers)) {
		numbers[name] = uint32(n)
	}
	for i, of := range names {
		for _, name := range of {
			k.of[i] = append(k.of[i], numbers[name])
		}
		slices.Sort(k.of[i])
		k.of[i] = slices.Compact(k.of[i])
	}
	k.Groups = len(numbers)
	return k
}

// Len returns the number of items.
func (k *Kinds) Len() int { return len(k.of) }

// Dated returns the number of items whose year is known.
func (k *Kinds) Dated() (n int) {
	for _, year := range k.years {
		if year != 0 {
			n++
		}
	}
	return n
}

// Of returns the groups of an item, ascending, and its year, 0 where it is not known.
func (k *Kinds) Of(item uint32) (groups []uint32, year int) { return k.of[item], k.years[item] }

// Some returns the kinds of some items, in an order; nil of nil.
func (k *Kinds) Some(items []uint32) *Kinds {
	if k == nil {
		return nil
	}
	out := &Kinds{Groups: k.Groups, of: make([][]uint32, len(items)), years: make([]int, len(items))}
	for n, i := range items {
		out.of[n], out.years[n] = k.of[i], k.years[i]
	}
	return out
}

// Fingerprint returns a digest of the groups, by number, and the years of all items; empty where nothing is known.
func (k *Kinds) Fingerprint() string {
	if k == nil {
		return ""
	}
	h := sha256.New()
	for i, groups := range k.of {
		fmt.Fprintln(h, groups, k.years[i])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

package ratings

import (
	"slices"
	"strings"
)

// Vocabulary has the ids of users or items, numbered from 0 to Len-1 in their order as strings.
type Vocabulary struct {
	ids   []string
	index map[string]uint32 // nil: by binary search
	names map[uint32]string // titles, where known
}

func newVocabulary() *Vocabulary {
	return &Vocabulary{index: map[string]uint32{}}
}

// Len returns the number of ids.
func (v *Vocabulary) Len() int { return len(v.ids) }

// ID returns the id with a number.
func (v *Vocabulary) ID(n uint32) string { return v.ids[n] }

// IDs returns all ids, in their order.
func (v *Vocabulary) IDs() []string { return slices.Clone(v.ids) }

// Find returns the number of an id.
func (v *Vocabulary) Find(id string) (n uint32, known bool) {
	if v.index == nil {
		at, known := slices.BinarySearch(v.ids, id)
		return uint32(at), known
	}
	n, known = v.index[id]
	return n, known
}

// Name returns the title of the id with a number, or the id if it has no title.
func (v *Vocabulary) Name(n uint32) string {
	if name, known := v.names[n]; known {
		return name
	}
	return v.ids[n]
}

// Named returns the number of ids with a title.
func (v *Vocabulary) Named() int { return len(v.names) }

// add returns the number of an id, a new one if need be. The id may be a
// passing view of a buffer: it is copied when kept.
func (v *Vocabulary) add(id []byte) uint32 {
	if n, known := v.index[string(id)]; known { // no copy for a look-up
		return n
	}
	n := uint32(len(v.ids))
	kept := string(id)
	v.ids = append(v.ids, kept)
	v.index[kept] = n
	return n
}

// sort renumbers the ids in their order as strings and returns the new number
// of each old one.
func (v *Vocabulary) sort() (renumbered []uint32) {
	order := make([]uint32, len(v.ids))
	for n := range order {
		order[n] = uint32(n)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(v.ids[a], v.ids[b]) })
	return v.reorder(order)
}

// reorder makes order[k] the k-th id and drops those not mentioned, whose new
// number is dropped.
func (v *Vocabulary) reorder(order []uint32) (renumbered []uint32) {
	renumbered = make([]uint32, len(v.ids))
	for n := range renumbered {
		renumbered[n] = dropped
	}
	ids := make([]string, len(order))
	index := make(map[string]uint32, len(order))
	var names map[uint32]string
	if v.names != nil {
		names = make(map[uint32]string, len(order))
	}
	for k, old := range order {
		renumbered[old] = uint32(k)
		ids[k] = v.ids[old]
		index[ids[k]] = uint32(k)
		if name, known := v.names[old]; known {
			names[uint32(k)] = name
		}
	}
	v.ids, v.index, v.names = ids, index, names
	return renumbered
}

// keep returns a vocabulary of some of the ids, in the same order, and the new
// number of each old one, or dropped.
func (v *Vocabulary) keep(wanted []bool) (*Vocabulary, []uint32) {
	var order []uint32
	for n, w := range wanted {
		if w {
			order = append(order, uint32(n))
		}
	}
	kept := &Vocabulary{ids: v.ids, names: v.names}
	return kept, kept.reorder(order)
}

const dropped = ^uint32(0)

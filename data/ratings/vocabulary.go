package ratings

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"fubini/data/kinds"
)

// Vocabulary has the ids of users or items, numbered from 0 to Len-1 in their order as strings.
type Vocabulary struct {
	ids   []string
	names map[uint32]string // titles, where known
	kinds *kinds.Kinds      // of items, where known

	// While the set is built, and the ids are in no order: numbers of the short ids, and of all others.
	short shortIDs
	long  map[string]uint32
}

func newVocabulary() *Vocabulary {
	return &Vocabulary{long: map[string]uint32{}, short: newShortIDs()}
}

// Len returns the number of ids.
func (v *Vocabulary) Len() int { return len(v.ids) }

// ID returns the id with a number.
func (v *Vocabulary) ID(n uint32) string { return v.ids[n] }

// IDs returns all ids, in their order.
func (v *Vocabulary) IDs() []string { return slices.Clone(v.ids) }

// Find returns the number of an id.
func (v *Vocabulary) Find(id string) (n uint32, known bool) {
	at, known := slices.BinarySearch(v.ids, id)
	return uint32(at), known
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

// Kinds returns what is known of the items beside who picked them, nil for nothing.
func (v *Vocabulary) Kinds() *kinds.Kinds { return v.kinds }

// add returns the number of an id, a new one if need be. The id may be a
// passing view of a buffer: it is copied when kept.
func (v *Vocabulary) add(id []byte) uint32 {
	if short := ShortID(id); short != 0 {
		return v.addShort(short)
	}
	if n, known := v.long[string(id)]; known { // no copy for a look-up
		return n
	}
	n := uint32(len(v.ids))
	kept := string(id)
	v.ids = append(v.ids, kept)
	v.long[kept] = n
	return n
}

// addShort is add for a [ShortID].
func (v *Vocabulary) addShort(id uint64) uint32 {
	n, known := v.short.number(id)
	if !known {
		n = uint32(len(v.ids))
		v.ids = append(v.ids, shortText(id))
		v.short.enter(id, n)
	}
	return n
}

// sort renumbers the ids in their order as strings and returns the new number
// of each old one.
func (v *Vocabulary) sort() (renumbered []uint32) {
	type numbered struct {
		start uint64 // the first eight bytes, the first one highest, as they compare
		n     uint32
	}
	byStart := make([]numbered, len(v.ids))
	for n, id := range v.ids {
		var start [8]byte
		copy(start[:], id)
		byStart[n] = numbered{binary.BigEndian.Uint64(start[:]), uint32(n)}
	}
	slices.SortFunc(byStart, func(a, b numbered) int {
		if a.start != b.start {
			return cmp.Compare(a.start, b.start)
		}
		return strings.Compare(v.ids[a.n], v.ids[b.n])
	})
	order := make([]uint32, len(v.ids))
	for k, each := range byStart {
		order[k] = each.n
	}
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
	var names map[uint32]string
	if v.names != nil {
		names = make(map[uint32]string, len(order))
	}
	for k, old := range order {
		renumbered[old] = uint32(k)
		ids[k] = v.ids[old]
		if name, known := v.names[old]; known {
			names[uint32(k)] = name
		}
	}
	v.ids, v.names, v.kinds, v.short, v.long = ids, names, v.kinds.Some(order), shortIDs{}, nil
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
	kept := &Vocabulary{ids: v.ids, names: v.names, kinds: v.kinds}
	return kept, kept.reorder(order)
}

const dropped = ^uint32(0)

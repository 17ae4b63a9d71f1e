package ratings

import (
	"math/bits"
	"slices"
)

// rowSort sorts the items of rows. A row of many items is sorted by bits: a bit for each item in the row, in words of 64, and a bit
// for each word that has any; the items come out in order as the bits are looked for. That takes a time proportional to the length of the row and a
// 4096th of the number of items.
type rowSort struct {
	place   []uint32 // of an item in the row, where its bit is set
	words   []uint64 // a bit for each item
	filled  []uint64 // a bit for each word that is not 0
	packed  []uint64 // item and place
	ordered []uint32 // room for places by ascending item

	// Room for the columns of a row.
	narrow  []uint16
	wide    []uint32
	numbers []uint8
	times   []uint32
	item    []uint32
	value   []float32
}

// fewToSort is the length of a row, about, up to which insertion is quicker.
const fewToSort = 16

func newRowSort(items int) *rowSort {
	s := &rowSort{place: make([]uint32, (items+63)/64*64), words: make([]uint64, (items+63)/64)}
	s.filled = make([]uint64, (len(s.words)+63)/64)
	return s
}

// order writes the new numbers of the items of a row in ascending order, and returns their places in the row. Item has room for one more. It
// is false, and nothing is written, for a row that is too short for it or has an item twice.
func order[I uint16 | uint32](s *rowSort, row []I, renumbered, item []uint32) (places []uint32, ok bool) {
	if len(row) <= fewToSort || len(row) < len(s.filled)/4 || !mark(s, row, renumbered) {
		return nil, false
	}
	if len(s.ordered) < len(row)+1 {
		s.ordered = make([]uint32, 2*len(row)+1)
	}
	ordered, n := s.ordered[:len(row)+1], 0
	item = item[:len(ordered)]
	for f, words := range s.filled {
		for ; words != 0; words &= words - 1 {
			w := 64*f + bits.TrailingZeros64(words)
			set, place := s.words[w], (*[64]uint32)(s.place[64*w:])
			s.words[w] = 0
			// Most words have one bit or two, which no branch has to guess: what is written for a second that is not there is
			// overwritten.
			first := bits.TrailingZeros64(set)
			rest := set & (set - 1)
			second := bits.TrailingZeros64(rest) & 63
			ordered[n], item[n] = place[first&63], uint32(64*w+first)
			n++
			ordered[n], item[n] = place[second], uint32(64*w+second)
			n += int((rest | -rest) >> 63)
			for rest &= rest - 1; rest != 0; rest &= rest - 1 {
				next := bits.TrailingZeros64(rest)
				ordered[n], item[n] = place[next], uint32(64*w+next)
				n++
			}
		}
		s.filled[f] = 0
	}
	return ordered[:n], true
}

// mark sets the bits of a row. It is false, and none is set, if the row has an item twice.
func mark[I uint16 | uint32](s *rowSort, row []I, renumbered []uint32) bool {
	for k, old := range row {
		item := renumbered[old]
		w, bit := item>>6, uint64(1)<<(item&63)
		set := s.words[w]
		if set&bit != 0 {
			for _, old := range row[:k] {
				item := renumbered[old]
				s.words[item>>6], s.filled[item>>12] = 0, 0
			}
			return false
		}
		s.words[w] = set | bit
		s.filled[w>>6] |= 1 << (w & 63)
		s.place[item] = uint32(k)
	}
	return true
}

// compared returns the places of the items of a row by ascending item, of equal ones by ascending place, by comparing.
func (s *rowSort) compared(row []uint32) []uint32 {
	s.packed = s.packed[:0] // packed, plain sorting is stable
	for k, item := range row {
		s.packed = append(s.packed, uint64(item)<<32|uint64(k))
	}
	slices.Sort(s.packed)
	ordered := s.ordered[:0]
	for _, p := range s.packed {
		ordered = append(ordered, uint32(p))
	}
	s.ordered = ordered[:cap(ordered)]
	return ordered
}

package rowsort

// Where the processor can compress bytes by a mask, a row is spread: the number of each rating, one higher, goes to the place of its item among bytes that are zero
// elsewhere, and those that are not zero are gathered in order. Nothing is compared or counted, and the row is read once.

// spreading has what the rows of a set need to be spread.
type spreading struct {
	slots  []uint8     // of items: one more than the number of the rating, 0 for an item that the row does not have; a multiple of block
	values [32]float32 // of numbers, each one place further on
	marks  []uint64    // a bit for each slot of a block that is not 0
	filled []uint32    // blocks with any
	when   []uint32    // of items: when they were rated
}

const (
	block      = 64 // slots that are gathered at once
	room       = 16 // places that are written behind a row
	mostValues = 31 // numbers of ratings; one more is a byte of slots
	fewSpread  = 4  // blocks for each item of a row above which other ways are quicker
)

// newSpreading returns nil where rows cannot be spread.
func newSpreading(items int, values []float32) *spreading {
	if !fastSpread || len(values) > mostValues || items == 0 {
		return nil
	}
	blocks := (items + block - 1) / block
	s := &spreading{slots: make([]uint8, longest), marks: make([]uint64, blocks), filled: make([]uint32, blocks+1)}
	copy(s.values[1:], values)
	return s
}

// takes reports whether a row of a length is to be spread, to where there is room for so many ratings.
func (s *spreading) takes(n, places int) bool {
	return s != nil && fewSpread*n >= len(s.marks) && n+room <= places
}

// untimed is Sorter.Untimed.
func (s *spreading) untimed(new *[longest]uint16, row []uint16, numbers []uint8, item []uint32, value []float32) bool {
	slots := (*[longest]uint8)(s.slots)
	numbers = numbers[:len(row)]
	for k, old := range row {
		slots[new[old]] = numbers[k] + 1
	}
	return s.gather(item, value) == len(row)
}

// timed is Sorter.Timed.
func (s *spreading) timed(new *[longest]uint16, row []uint16, numbers []uint8, times, item []uint32, value []float32, when []int64) bool {
	if s.when == nil {
		s.when = make([]uint32, longest)
	}
	slots, at := (*[longest]uint8)(s.slots), (*[longest]uint32)(s.when)
	numbers, times = numbers[:len(row)], times[:len(row)]
	for k, old := range row {
		i := new[old]
		slots[i], at[i] = numbers[k]+1, times[k]
	}
	if s.gather(item, value) != len(row) {
		return false
	}
	when = when[:len(row)]
	for k, i := range item[:len(row)] {
		when[k] = int64(at[uint16(i)])
	}
	return true
}

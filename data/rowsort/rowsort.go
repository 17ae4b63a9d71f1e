// Package rowsort sorts long rows of items that are numbers of 16 bits by the digits of these numbers, the low byte first and then the high one; or, where the
// processor can, by their places among all items. No branch depends on the items, and what is written lies in the caches.
package rowsort

// Sorter sorts long rows.
type Sorter struct {
	highs int          // high bytes that items may have
	low   [256]uint32  // where the next key with this low byte goes
	high  [256]uint32  // and with this high byte
	known [256]float32 // the value of each number
	new   []uint16     // numbers of items by their old ones, with room for longest
	keys  [2][longest]uint32

	spread *spreading // nil if rows cannot be spread
}

const (
	longest      = 1 << 16
	countersEach = 4 // counters for each item of a row above which bits are quicker
)

// New returns a Sorter for items by their old numbers, at most 65,536, and for the values of at most 256 numbers of ratings.
func New(renumbered []uint32, values []float32) *Sorter {
	s := &Sorter{new: make([]uint16, longest), highs: (len(renumbered)-1)>>8 + 1, spread: newSpreading(len(renumbered), values)}
	for old, n := range renumbered {
		s.new[old] = uint16(n)
	}
	copy(s.known[:], values)
	return s
}

// Takes reports whether rows of a length are sorted quicker so than by bits, to where there is room for some more or none. A nil Sorter takes none.
func (s *Sorter) Takes(n, places int) bool {
	return s != nil && n <= longest && (s.spread.takes(n, places) || countersEach*n >= len(s.low)+s.highs)
}

// byLow sorts a row by the low byte of its items, and finds where those with each high byte go. A key has an item above, and below it the number of its
// rating, or its place in the row if there are no numbers.
func (s *Sorter) byLow(row []uint16, numbers []uint8) []uint32 {
	low, high, new := &s.low, &s.high, s.new
	*low = [256]uint32{}
	clear(high[:s.highs])
	keys, sorted := s.keys[0][:len(row)], s.keys[1][:len(row)]
	if numbers != nil {
		numbers = numbers[:len(row)]
		for k, old := range row {
			key := uint32(new[old])<<16 | uint32(numbers[k])
			keys[k] = key
			low[uint8(key>>16)]++
			high[key>>24]++
		}
	} else {
		for k, old := range row {
			key := uint32(new[old])<<16 | uint32(k)
			keys[k] = key
			low[uint8(key>>16)]++
			high[key>>24]++
		}
	}
	starts(low[:])
	starts(high[:s.highs])
	for _, key := range keys {
		next := &low[uint8(key>>16)]
		at := *next
		*next = at + 1
		sorted[at] = key
	}
	return sorted
}

// starts makes sums of the counts before each out of counts.
func starts(counts []uint32) {
	sum := uint32(0)
	for k, n := range counts {
		counts[k] = sum
		sum += n
	}
}

// Untimed sorts a row without times to where it goes, and may write to what is behind that. It is false, and what it wrote is void, if the row has an item
// twice.
func (s *Sorter) Untimed(row []uint16, numbers []uint8, item []uint32, value []float32) bool {
	if s.spread.takes(len(row), min(len(item), len(value))) {
		return s.spread.untimed((*[longest]uint16)(s.new), row, numbers, item, value)
	}
	item, value = item[:len(row)], value[:len(row)]
	high, known := &s.high, &s.known
	for _, key := range s.byLow(row, numbers) {
		next := &high[key>>24]
		at := *next
		*next = at + 1
		item[at], value[at] = key>>16, known[uint8(key)]
	}
	return ascend(item)
}

// Timed is Untimed for a row with times.
func (s *Sorter) Timed(row []uint16, numbers []uint8, times []uint32, item []uint32, value []float32, when []int64) bool {
	if s.spread.takes(len(row), min(len(item), len(value))) {
		return s.spread.timed((*[longest]uint16)(s.new), row, numbers, times, item, value, when)
	}
	item, value, when = item[:len(row)], value[:len(row)], when[:len(row)]
	numbers, times = numbers[:len(row)], times[:len(row)]
	high, known := &s.high, &s.known
	for _, key := range s.byLow(row, nil) {
		next := &high[key>>24]
		at := *next
		*next = at + 1
		place := uint16(key)
		item[at], value[at], when[at] = key>>16, known[numbers[place]], int64(times[place])
	}
	return ascend(item)
}

// ascend reports whether each item is above that before it. Items are below 2^16.
func ascend(items []uint32) bool {
	wrong := uint32(0) // its top bit is set by a difference below 1
	for len(items) > 4 {
		a, b, c, d, e := items[0], items[1], items[2], items[3], items[4]
		wrong |= (b - a - 1) | (c - b - 1) | (d - c - 1) | (e - d - 1)
		items = items[4:]
	}
	for k := 1; k < len(items); k++ {
		wrong |= items[k] - items[k-1] - 1
	}
	return wrong>>31 == 0
}

package ratings

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// ShortID is the number that stands for an id of 1 to 8 bytes: its bytes, the first one lowest. It is 0 for an
// id that is longer, empty, or ends in a NUL byte, which no such number tells from a shorter one.
func ShortID(id []byte) uint64 {
	n := len(id)
	switch {
	case n == 0 || n > 8 || id[n-1] == 0:
		return 0
	case n == 8:
		return binary.LittleEndian.Uint64(id)
	case n >= 4: // two numbers that overlap have the same bits where they do
		return uint64(binary.LittleEndian.Uint32(id)) | uint64(binary.LittleEndian.Uint32(id[n-4:]))<<(8*(n-4))
	case n >= 2:
		return uint64(binary.LittleEndian.Uint16(id)) | uint64(binary.LittleEndian.Uint16(id[n-2:]))<<(8*(n-2))
	}
	return uint64(id[0])
}

// shortText is the id of a [ShortID].
func shortText(short uint64) string {
	var id [8]byte
	binary.LittleEndian.PutUint64(id[:], short)
	n := 8
	for n > 0 && id[n-1] == 0 {
		n--
	}
	return string(id[:n])
}

// shortIDs numbers short ids. A decimal number has its place in a list, as long as the list is not much longer than there are ids; any
// other id has one in an open-addressing hash table, at most half full. The first slot there is that of a product's high
// bits, with a factor drawn for each run of the program, so that no file can be made whose ids collide.
type shortIDs struct {
	decimal []uint32 // by the id: one more than its number, 0 for none

	slots []shortSlot
	shift int // of a product, to the number of a slot
	used  int
}

type shortSlot struct {
	id     uint64 // 0 for an empty slot
	number uint32
}

// The list of decimal ids grows to decimalEach numbers for each id, but is not shorter than firstDecimal.
const firstDecimal, decimalEach = 256, 16

// decimalOf is the number that a short id of n bytes writes in decimal, without zeros before it.
func decimalOf(id uint64, n int) (number uint64, ok bool) {
	const each = 0x0101010101010101
	x := (id ^ 0x30*each) << (-8 * n & 63) // digits come last
	if (x|(x+0x06*each))&(0xf0*each) != 0 || id&0xff == '0' {
		return 0, false
	}
	// Pairs of digits are added first, then pairs of pairs, then both halves.
	x = x * (10<<8 + 1) >> 8
	x = (x & 0x00ff00ff00ff00ff) * (100<<16 + 1) >> 16
	return (x & 0x0000ffff0000ffff) * (10000<<32 + 1) >> 32, true
}

// shortLength is the number of bytes of a short id.
func shortLength(id uint64) int { return (bits.Len64(id) + 7) / 8 }

// slotFactor is the factor of the hash.
var slotFactor = maphash.Comparable(maphash.MakeSeed(), 0) | 1

// firstSlots is the log of the number of slots of a new table.
const firstSlots = 6

// number returns the number of an id.
func (t *shortIDs) number(id uint64) (n uint32, known bool) {
	if at, ok := decimalOf(id, shortLength(id)); ok && at < uint64(len(t.decimal)) {
		n = t.decimal[at]
		return n - 1, n != 0
	}
	slot := t.find(id)
	return slot.number, slot.id != 0
}

// enter gives a new id its number, which is that of the ids before it.
func (t *shortIDs) enter(id uint64, number uint32) {
	at, ok := decimalOf(id, shortLength(id))
	if most := max(firstDecimal, decimalEach*int(number)); ok && at >= uint64(len(t.decimal)) && at < uint64(most) && most >= 2*len(t.decimal) {
		t.decimal = append(t.decimal, make([]uint32, most-len(t.decimal))...)
		for _, slot := range t.slots { // whose slots are in vain from now on
			if at, ok := decimalOf(slot.id, shortLength(slot.id)); ok && at < uint64(most) {
				t.decimal[at] = slot.number + 1
			}
		}
	}
	if ok && at < uint64(len(t.decimal)) {
		t.decimal[at] = number + 1
		return
	}
	t.add(t.find(id), id, number)
}

// find returns the slot of an id, an empty one if it has none.
func (t *shortIDs) find(id uint64) *shortSlot {
	mask := len(t.slots) - 1
	for at := int(id * slotFactor >> t.shift); ; at++ {
		if slot := &t.slots[at&mask]; slot.id == id || slot.id == 0 {
			return slot
		}
	}
}

// add puts a new id into the empty slot that find returned.
func (t *shortIDs) add(slot *shortSlot, id uint64, number uint32) {
	*slot = shortSlot{id, number}
	if t.used++; 2*t.used <= len(t.slots) {
		return
	}
	old := t.slots
	t.slots = make([]shortSlot, 2*len(old))
	t.shift--
	for _, s := range old {
		if s.id != 0 {
			*t.find(s.id) = s
		}
	}
}

func newShortIDs() shortIDs {
	return shortIDs{slots: make([]shortSlot, 1<<firstSlots), shift: 64 - firstSlots}
}

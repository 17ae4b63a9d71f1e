package ratings

import (
	"encoding/binary"
	"hash/maphash"
)

// ShortID is the number that stands for an id of 1 to 8 bytes in [Builder.AddShort]: its bytes, the first one lowest. It is 0 for an
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

// shortIDs numbers short ids: an open-addressing hash table, at most half full. The first slot for an id is that of a product's high
// bits, with a factor drawn for each run of the program, so that no file can be made whose ids collide.
type shortIDs struct {
	slots []shortSlot
	shift int // of a product, to the number of a slot
	used  int
}

type shortSlot struct {
	id     uint64 // 0 for an empty slot
	number uint32
}

// slotFactor is the factor of the hash.
var slotFactor = maphash.Comparable(maphash.MakeSeed(), 0) | 1

// firstSlots is the log of the number of slots of a new table.
const firstSlots = 6

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

package ratings

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Most lines of large files are of the user of the line before, and have an item, a rating and perhaps a time behind them, and nothing else. This file
// reads such lines in a loop that looks at each byte as little as it can; AddPlain reads the others.

// rowRun is what the lines of one user have in common, and what was found in them.
type rowRun struct {
	usual     bool // the columns are a user, an item, a rating and perhaps a time, in this order
	timed     bool
	placed    bool // the places of marks are known
	separator byte
	gap       int // bytes of a separator

	user, userBytes uint64 // the id as the word with which lines begin, and a mask of its bytes
	first, to       uint64 // marks: of what is behind the user, and of all bytes up to it
	userEnd, item   int    // where the user ends and the item begins

	era       uint64 // the digits of a time before the last eight, less '0', the last of them highest
	eraBegins int64  // their value
}

func newRowRun(s *PlainLines) rowRun {
	r := rowRun{separator: s.Separator, gap: 1, timed: s.Time >= 0, era: ^uint64(0)}
	if s.Separator == ':' {
		r.gap = 2
	}
	inOrder := s.User == 0 && s.Item == 1 && s.Rating == 2 && (s.Width == 3 && s.Time < 0 || s.Width == 4 && s.Time == 3)
	r.usual = little && inOrder // bytes of marks are looked at
	return r
}

// of makes the run that of a user, with an id of 1 to 8 bytes.
func (r *rowRun) of(user uint64) {
	n := shortLength(user)
	r.user, r.userBytes = user, ^uint64(0)>>(64-8*n)
	r.first, r.to = 1<<n, 2<<n-1
	r.userEnd, r.item = n, n+r.gap
}

// join makes marks of separators and ends together, from those of each. A separator of two bytes has a mark at the first of them.
func (p *plainState) join(blocks int, double bool) {
	if !double {
		for k := range blocks {
			p.marks[k] = p.separators[k] | p.ends[k]
		}
		return
	}
	p.separators[blocks] = 0
	for k := range blocks {
		p.marks[k] = p.separators[k]&(p.separators[k]>>1|p.separators[k+1]<<63) | p.ends[k]
	}
}

// addRowsPlain is addWindow for lines of the user of a run, whose items are decimal numbers that are known, whose ratings are texts that have been met, and
// whose times have 9 to 11 digits. It begins at a place of the window, behind another line, writes to the batch from a place on, and returns both
// places as they are behind the last such line. It reads words without checks of bounds: lines begin before the last block of the window, AddPlain
// leaves room for that block and a word behind it, and a field ends at least eight bytes behind the beginning of the line before.
func (p *plainState) addRowsPlain(r *rowRun, decimal []uint32, text []byte, size, filled, before int) (to, full int) {
	start := unsafe.Pointer(&text[0])
	for size < before {
		mark := wordAt(unsafe.Pointer(&p.marks), size>>3) >> (size & 7)
		line := unsafe.Add(start, size)
		if wordAt(line, 0)&r.userBytes != r.user || mark&r.to != r.first || byteAt(line, r.userEnd) != r.separator {
			break
		}
		mark &^= r.to
		itemEnd := bits.TrailingZeros64(mark)
		if mark &= mark - 1; mark == 0 || byteAt(line, itemEnd) != r.separator {
			break
		}
		ratingEnd := bits.TrailingZeros64(mark)
		length := ratingEnd
		if r.timed {
			if mark &= mark - 1; mark == 0 || byteAt(line, ratingEnd) != r.separator {
				break
			}
			length = bits.TrailingZeros64(mark)
		}
		if byteAt(line, length) != '\n' {
			break
		}
		last := length
		if byteAt(line, length-1) == '\r' {
			last--
		}
		if !r.timed {
			ratingEnd = last
		} else {
			digits := last - ratingEnd - r.gap
			if uint(digits-9) > 2 {
				break
			}
			tail := wordAt(line, last-8) ^ 0x30*ones
			head := (wordAt(line, last-16) ^ 0x30*ones) & lastBytes[(digits-8)&15]
			if head != r.era {
				if notDigits(head) {
					break
				}
				r.era, r.eraBegins = head, 1e8*digitsValue(head)
			}
			if notDigits(tail) {
				break
			}
			p.when[filled&(batchSize-1)] = r.eraBegins + digitsValue(tail)
		}
		n := itemEnd - r.item
		from := itemEnd + r.gap
		ratingBytes := ratingEnd - from
		if uint(n-1)|uint(ratingBytes-1) >= 8 || byteAt(line, r.item) == '0' {
			break
		}
		x := (wordAt(line, itemEnd-8) ^ 0x30*ones) & lastBytes[n&15]
		if notDigits(x) {
			break
		}
		at := uint64(digitsValue(x))
		if at >= uint64(len(decimal)) {
			break
		}
		item := decimal[at]
		rating := wordAt(line, from) & firstBytes[ratingBytes&15]
		slot := &p.known[rating*spread>>(64-knownBits)]
		if slot.text != rating || item == 0 {
			break
		}
		p.item[filled&(batchSize-1)], p.number[filled&(batchSize-1)] = item-1, slot.number
		filled++
		size += length + 1
	}
	return size, filled
}

// firstBytes and lastBytes are masks of that many bytes of a word.
var firstBytes, lastBytes [16]uint64

func init() {
	for n := range 9 {
		firstBytes[n] = 1<<(8*n) - 1
		lastBytes[n] = ^(^uint64(0) >> (8 * n))
	}
}

// notDigits reports whether a word has a byte above 9.
func notDigits(word uint64) bool { return (word|(word+0x06*ones))&(0xf0*ones) != 0 }

// digitsValue is the decimal number of a word of digits, the last of them highest.
func digitsValue(word uint64) int64 {
	word = word * (10<<8 + 1) >> 8
	word = (word & 0x00ff00ff00ff00ff) * (100<<16 + 1) >> 16
	return int64((word & 0x0000ffff0000ffff) * (10000<<32 + 1) >> 32)
}

// byteAt has a byte of a text.
func byteAt(text unsafe.Pointer, at int) byte { return *(*byte)(unsafe.Add(text, at)) }

// wordAt has the eight bytes of a text from a place on, the first one lowest.
func wordAt(text unsafe.Pointer, at int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(text, at))[:])
}

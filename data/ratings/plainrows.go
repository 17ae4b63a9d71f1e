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
	usual  bool // the columns are a user, an item, a rating and perhaps a time, in this order
	timed  bool
	gap    int  // bytes of a separator
	double uint // one less

	user, userBytes uint64 // the id as the word with which lines begin, and a mask of its bytes
	first, to       uint64 // marks: of the separator behind the user, and of all bytes up to it
	item            int    // where the item begins

	era       uint64 // the digits of a time before the last eight, the last of them highest
	eraBegins int64  // their value
}

func newRowRun(s *PlainLines) rowRun {
	r := rowRun{gap: 1, timed: s.Time >= 0}
	if s.Separator == ':' {
		r.gap, r.double = 2, 1
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
	r.item = n + r.gap
}

// addRows is addWindow for lines of the user of a run, whose items are decimal numbers that are known, whose ratings are texts that have been met, and
// whose times have 9 to 11 digits. It begins at a place of the window, writes to the batch from a place on, and returns both places as they are
// behind the last such line. It reads words without checks of bounds: lines begin before the last block of the window, and AddPlain leaves room
// for that block and a word behind it.
func (p *plainState) addRows(r *rowRun, decimal []uint32, text []byte, size, filled, before int) (to, full int) {
	start := unsafe.Pointer(&text[0])
	for size < before {
		// Where a word of marks has an end, it has all separators before it.
		mark := wordAt(unsafe.Pointer(&p.ends), size>>3) >> (size & 7)
		between := wordAt(unsafe.Pointer(&p.separators), size>>3) >> (size & 7)
		if mark == 0 {
			break
		}
		between &= between >> (r.double & 1) & (mark - 1) &^ mark // of this line
		line := unsafe.Add(start, size)
		if wordAt(line, 0)&r.userBytes != r.user || between&r.to != r.first {
			break
		}
		if between &^= r.to; between == 0 {
			break
		}
		itemEnd := bits.TrailingZeros64(between)
		between &= between - 1
		length := bits.TrailingZeros64(mark)
		if *(*byte)(unsafe.Add(line, length)) != '\n' {
			break
		}
		last := length
		if *(*byte)(unsafe.Add(line, length-1)) == '\r' {
			last--
		}
		ratingEnd := last
		if r.timed {
			if between == 0 {
				break
			}
			ratingEnd = bits.TrailingZeros64(between)
			between &= between - 1
			digits := last - ratingEnd - r.gap
			if uint(digits-9) > 2 {
				break
			}
			tail := wordAt(line, last-8)
			if !eightDigits(tail) {
				break
			}
			head := wordAt(line, last-digits)
			if now := head << (uint(-8*digits) & 63); now != r.era {
				if !eightDigits(head) {
					break
				}
				r.era, r.eraBegins = now, 1e8*eightDigitsValue(now)
			}
			p.when[filled&(batchSize-1)] = r.eraBegins + eightDigitsValue(tail)
		}
		if between != 0 {
			break
		}
		n := itemEnd - r.item
		from := itemEnd + r.gap
		ratingBytes := ratingEnd - from
		if uint(n-1)|uint(ratingBytes-1) >= 8 {
			break
		}
		word := wordAt(line, r.item) ^ 0x30*ones
		x := word << (uint(-8*n) & 63)
		if (x|(x+0x06*ones))&(0xf0*ones) != 0 || word&0xff == 0 {
			break
		}
		x = x * (10<<8 + 1) >> 8
		x = (x & 0x00ff00ff00ff00ff) * (100<<16 + 1) >> 16
		x = (x & 0x0000ffff0000ffff) * (10000<<32 + 1) >> 32
		if x >= uint64(len(decimal)) {
			break
		}
		item := decimal[x]
		rest := uint(-8*ratingBytes) & 63
		rating := wordAt(line, from) << rest >> rest
		slot := &p.known[rating*spread>>(64-knownBits)]
		if slot.text != rating || item == 0 {
			break
		}
		at := filled & (batchSize - 1)
		p.item[at], p.number[at] = item-1, slot.number
		filled++
		size += length + 1
	}
	return size, filled
}

// wordAt has the eight bytes of a text from a place on, the first one lowest.
func wordAt(text unsafe.Pointer, at int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(text, at))[:])
}

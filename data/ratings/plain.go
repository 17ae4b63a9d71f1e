package ratings

import (
	"encoding/binary"
	"math/bits"

	"fubini/data/marks"
)

// Large files have lines like 1::1193::5::978300760. This file takes them from a buffer to the columns of a [Builder] in one loop, with few
// branches that depend on the text: marks of 64 bytes at once show where fields end, an id of up to eight bytes is one number, the user is
// mostly that of the line before, and the text of a rating has mostly been met before. Every other line is left to the caller, who reads it in
// the general way.

// PlainLines is the shape of plain lines. A line is plain if it is ASCII without quotes, of at most 64 bytes with its end, has all columns,
// ids of 1 to 8 bytes without spaces, and a rating and a time that the functions read.
type PlainLines struct {
	Separator byte // between columns; ':' means two colons
	Quotes    bool // a line with a quote is not plain

	// Columns, from 0, and their number. Rating and Time are -1 for lines without them, whose ratings are 1.
	User, Item, Rating, Time, Width int

	ParseRating func(field []byte) (value float32, ok bool) // finite
	ParseTime   func(field []byte) (when int64, ok bool)    // not NoTime
}

const (
	mostPlain    = 16                                  // columns
	longestPlain = marks.Block                         // bytes of a line
	behindPlain  = longestPlain + 8                    // bytes from the beginning of a line that are looked at: a field may begin with the last
	window       = 32                                  // blocks whose marks are found at once
	batchSize    = window * marks.Block / len("1,1\n") // lines, of which none is shorter
)

// PlainSlack is how much larger the capacity of a text must be than its length so that AddPlain reads its last lines too.
const PlainSlack = 2*marks.Block + 8

// plainState is what AddPlain keeps from call to call.
type plainState struct {
	separators, ends [window + 1]uint64 // marks
	marks            [window + 1]uint64 // of both, for addRows

	// Places of these marks, and room for some behind them; how many are before each block.
	places [(window + 1) * marks.Block]uint16
	ranks  [window]uint16

	// Ratings of a window, before they are packed.
	item, number [batchSize]uint32
	when         [batchSize]int64

	// Numbers of ratings by their text, at the place of its hash; bits is that of values when they were entered.
	known [1 << knownBits]knownText
	bits  bool
}

type knownText struct {
	text   uint64 // 0 for none
	number uint32
}

// knownBits is enough for most of the values from 0.1 to 10.0 to have a place of their own.
const knownBits = 8

// Plain reports whether AddPlain may be called: ratings have no bounds, and no pair is refused.
func (b *Builder) Plain() bool { return !b.bounded && b.second == nil }

// AddPlain adds the ratings of the plain lines with which a text begins, up to the first other line, and returns the number of lines and that
// of their bytes. The text is ASCII without NUL. What is between its length and its capacity may be read, and does not count.
func (b *Builder) AddPlain(s *PlainLines, text []byte) (lines, size int) {
	if s.Width > mostPlain || s.User < 0 || s.Item < 0 || s.User == s.Item || max(s.User, s.Item, s.Rating, s.Time) >= s.Width {
		return 0, 0
	}
	if b.plain == nil || b.plain.bits != b.value.bits {
		b.plain = &plainState{bits: b.value.bits}
	}
	quote := byte('\n')
	if s.Quotes {
		quote = '"'
	}
	room := text[:cap(text)]
	run := newRowRun(s)
	for {
		blocks := min(window, (len(room)-size-8)/marks.Block)
		if blocks < 2 {
			return lines, size
		}
		marks.Find(room[size:size+blocks*marks.Block], s.Separator, quote, b.plain.separators[:], b.plain.ends[:])
		before := (blocks - 1) * marks.Block // the last block has the ends of lines
		b.plain.cut(len(text)-size, blocks)
		if run.usual {
			b.plain.join(blocks, run.gap == 2)
			b.plain.place(&run, blocks)
		}
		n, bytes := b.addWindow(s, &run, room[size:], before)
		lines += n
		if size += bytes; bytes < before {
			return lines, size
		}
	}
}

// cut removes the marks from a place on, up to the end of the window.
func (p *plainState) cut(end, blocks int) {
	for k := end / marks.Block; k < blocks; k++ {
		kept := uint64(1)<<max(0, end-k*marks.Block) - 1
		p.separators[k] &= kept
		p.ends[k] &= kept
	}
}

// addWindow is AddPlain for the lines of a window, whose marks have been found: those that begin before a place and have an end.
func (b *Builder) addWindow(s *PlainLines, run *rowRun, text []byte, before int) (lines, size int) {
	p, decimal := b.plain, b.items.short.decimal
	gap, double := run.gap, uint(run.gap-1)
	const last = 2*mostPlain - 1 // index & last needs no check
	var to [last + 1]int         // where fields end, from the second element on; the next begins a gap behind
	to[0] = -gap
	user := uint64(0)     // that of the line before
	filled, owned := 0, 0 // ratings in the batch, and those among them that owners has
lines:
	for size < before {
		line := (*[behindPlain]byte)(text[size:])
		word, shift := size/64&(window-1), uint(size)&63
		ends := p.ends[word]>>shift | p.ends[word+1]<<1<<(63-shift)
		separators := p.separators[word]>>shift | p.separators[word+1]<<1<<(63-shift)
		separators &= separators >> double & (ends&-ends - 1)
		if ends == 0 {
			break
		}
		length := bits.TrailingZeros64(ends)
		if line[length&63] != '\n' {
			break
		}
		for k := 1; k < s.Width; k++ {
			if separators == 0 {
				break lines
			}
			to[k&last] = bits.TrailingZeros64(separators)
			separators &= separators - 1
		}
		if separators != 0 {
			break
		}
		to[s.Width&last] = length
		if line[(length-1)&63] == '\r' && length > 0 {
			to[s.Width&last]--
		}

		// Lengths may be negative: of three colons the second and the third are found too.
		from := to[s.User&last] + gap
		n := to[(s.User+1)&last] - from
		id := plainWord(line, from, n)
		if uint(n-1) >= 8 || id != user && hasSpace(id) {
			break
		}
		from = to[s.Item&last] + gap
		n = to[(s.Item+1)&last] - from
		itemID, item := plainWord(line, from, n), uint32(0)
		if at, ok := decimalOf(itemID, n); ok && at < uint64(len(decimal)) {
			item = decimal[at] // one more than the number of an item that is known
		}
		if uint(n-1) >= 8 || item == 0 && hasSpace(itemID) {
			break
		}
		if s.Time >= 0 {
			from, to := to[s.Time&last]+gap, to[(s.Time+1)&last]
			when, ok := plainTime(line, from, to)
			if !ok {
				when, ok = s.ParseTime(line[from:max(from, to)])
			}
			if !ok {
				break
			}
			p.when[filled&(batchSize-1)] = when
		}
		from, n = 0, 1
		rating := uint64('1')
		if s.Rating >= 0 {
			from = to[s.Rating&last] + gap
			n = to[(s.Rating+1)&last] - from
			rating = plainWord(line, from, n)
		}
		slot := &p.known[rating*spread>>(64-knownBits)]
		number := slot.number
		if slot.text != rating || uint(n-1) >= 8 {
			value, ok := float32(1), true
			if s.Rating >= 0 {
				value, ok = s.ParseRating(line[from:max(from, from+n)])
			}
			if !ok {
				break
			}
			if len(b.value.known) == mostLevels { // a new value makes all numbers others
				b.pack(filled, owned, s.Time >= 0)
				p.when[0], filled, owned = p.when[filled&(batchSize-1)], 0, 0
			}
			if number = b.value.number(value); p.bits != b.value.bits {
				p.known, p.bits = [1 << knownBits]knownText{}, b.value.bits
			}
			if n <= 8 {
				*slot = knownText{rating, number}
			}
		}

		// From here on the line is plain.
		again := id == user
		if !again {
			if user = id; id != b.lastShort {
				b.owners.add(b.last, filled-owned)
				owned = filled
				b.last = b.users.addShort(id)
				b.lastUser, b.lastShort = append(b.lastUser[:0], b.users.ids[b.last]...), id
			}
		}
		if item == 0 {
			item = b.items.addShort(itemID) + 1
			decimal = b.items.short.decimal
		}
		p.item[filled&(batchSize-1)], p.number[filled&(batchSize-1)] = item-1, number
		filled++
		lines++
		size += length + 1
		if again && run.usual { // the next lines will be that user's too
			run.of(id)
			at := filled
			size, filled = p.addRows(run, decimal, text, size, filled, before)
			lines += filled - at
		}
	}
	b.pack(filled, owned, s.Time >= 0)
	return lines, size
}

// pack adds n ratings of the batch to the columns. Owners has the first of them already.
func (b *Builder) pack(n, owned int, timed bool) {
	if n == 0 {
		return
	}
	p, before := b.plain, b.item.len()
	b.owners.add(b.last, n-owned)
	b.item.appendBelow(b.items.Len(), p.item[:n])
	if b.value.bits {
		b.value.numbers.appendFit(p.number[:n])
	} else {
		b.value.numbers.appendBelow(len(b.value.known), p.number[:n])
	}
	none := n
	if timed {
		none = 0
	}
	b.addTimes(before, n, none, p.when[:n])
}

const (
	ones   = 0x0101010101010101
	spread = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio, as in Knuth's multiplicative hash
)

// plainWord has n bytes of a line, 1 to 8, the first one lowest, and zeros above.
func plainWord(line *[behindPlain]byte, from, n int) uint64 {
	from &= longestPlain - 1 // it is below; this shows the compiler
	return binary.LittleEndian.Uint64(line[from:from+8]) << (-8 * n & 63) >> (-8 * n & 63)
}

// hasSpace reports whether a word of ASCII has a space.
func hasSpace(word uint64) bool { return (word^ones*' '-ones)&(0x80*ones) != 0 }

// plainTime is the time of a field of 8 to 11 digits, which are seconds.
func plainTime(line *[behindPlain]byte, from, to int) (int64, bool) {
	n := uint(to - from)
	head, tail := plainWord(line, from, 8), plainWord(line, to-8, 8)
	if n-8 > 3 || !eightDigits(head) || !eightDigits(tail) {
		return 0, false
	}
	return 1e8*eightDigitsValue(head<<(8*(16-n))) + eightDigitsValue(tail), true
}

// eightDigits reports whether a word is eight decimal digits.
func eightDigits(word uint64) bool {
	return word&(0xf0*ones) == 0x30*ones && (word+0x06*ones)&(0xf0*ones) == 0x30*ones
}

// eightDigitsValue is their number, 0 for a byte of zero: pairs of digits are added first, then pairs of pairs, then both halves.
func eightDigitsValue(word uint64) int64 { return digitsValue(word & (0x0f * ones)) }

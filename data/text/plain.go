package text

import (
	"encoding/binary"
	"math"
	"math/bits"

	"fubini/data/ratings"
)

// PlainColumns are the columns of a plain line, from 0: one for each part of a rating, and their number. Rating and Time are -1 for
// lines without them, whose ratings are 1.
type PlainColumns struct {
	User, Item, Rating, Time, Width int
}

const (
	// plainBlocks is the number of blocks of 64 bytes whose marks are found at a time.
	plainBlocks = 64
	// behindPlain is the number of bytes behind them that a field's first eight may reach.
	behindPlain = 8
)

// Plain reads plain lines that are in memory already, as many as there are before the first other one and room for in rows, and
// returns their number. A line is plain if it is ASCII without quotes, has all columns, ids of 1 to 8 bytes without
// spaces, a number for a rating and one for a time, or a date without slashes. Next reads any other line, and reads on.
//
// It finds the marks of some thousand bytes first, eight bytes at a time, and takes a tenth of the time of Next and what comes behind it.
func (t *Fields) Plain(c PlainColumns, rows []ratings.Short) (count int) {
	l := t.Lines
	if l.odd || c.User < 0 || c.Item < 0 || max(c.User, c.Item, c.Rating, c.Time) >= c.Width {
		return 0
	}
	if t.plain == nil {
		t.plain = &plainLines{}
	}
	p := t.plain
	for count < len(rows) {
		blocks := min(plainBlocks, (l.to-l.from)/64, (len(l.buffer)-behindPlain-l.from)/64)
		if blocks <= 0 {
			break
		}
		marks := p.find(l.buffer[l.from:], blocks, t.Separator, t.Quotes)
		n, length, all := p.read(l.buffer[l.from:], marks, t.Separator, c, rows[count:])
		count += n
		if l.from += length; n == 0 || !all {
			break
		}
	}
	return l.skip(count)
}

// plainLines reads plain lines.
type plainLines struct {
	marks   [64*plainBlocks + 1 + 16]int32 // places of separators, line ends and quotes, behind one before the first byte
	ratings [64]plainNumber                // some that came last, by a hash
}

type plainNumber struct {
	text  uint64 // at most eight bytes, the first one lowest
	value float32
}

// find finds the marks of some blocks: a separator of two colons has its mark at the second.
func (p *plainLines) find(text []byte, blocks int, separator byte, quotes bool) []int32 {
	first, quote := ones*uint64(separator), ones*uint64('\n')
	if quotes {
		quote = ones * '"'
	}
	p.marks[0] = -1
	n, colon := 1, uint64(0) // the byte before is a colon
	for base := 0; base < 64*blocks; base += 64 {
		b := (*[64]byte)(text[base:])
		var separators, ends uint64
		for k := 0; k < 64; k += 8 {
			word := binary.LittleEndian.Uint64(b[k:])
			separators |= gathered(equal(word, first)) << k
			ends |= gathered(equal(word, ones*'\n')|equal(word, quote)) << k
		}
		if separator == ':' {
			both := separators & (separators<<1 | colon)
			colon = separators >> 63
			separators = both
		}
		set := separators | ends
		// Sixteen at a time, so that no branch has to guess their number: what is written beyond it is overwritten.
		for at := n; set != 0; at += 16 {
			room := (*[16]int32)(p.marks[at:])
			for k := range room {
				room[k] = int32(base + bits.TrailingZeros64(set))
				set &= set - 1
			}
		}
		n += bits.OnesCount64(separators | ends)
	}
	return p.marks[:n]
}

// plainField is a column of plain lines: its field begins behind a mark and ends before the next.
type plainField struct {
	mark int
	less int // bytes of the separator before its mark
	last int // 1 for the last column, whose field may end in a carriage return
}

func plainFieldOf(column int, separator byte, c PlainColumns) (f plainField) {
	f.mark = max(column, 0)
	if column == c.Width-1 {
		f.last = 1
	} else if separator == ':' {
		f.less = 1
	}
	return f
}

// at returns where the field of a line begins, and its length. That may be negative: of three colons the second and the third have a mark.
func (f *plainField) at(marks []int32, returns int) (from, n int) {
	before := int(marks[f.mark])
	return before + 1, int(marks[f.mark+1]) - before - 1 - f.less - f.last&returns
}

// read reads the lines between marks, and returns their number and their length. All is false if another line follows that is not plain.
func (p *plainLines) read(text []byte, marks []int32, separator byte, c PlainColumns, rows []ratings.Short) (count, length int, all bool) {
	user, item := plainFieldOf(c.User, separator, c), plainFieldOf(c.Item, separator, c)
	rating, when := plainFieldOf(c.Rating, separator, c), plainFieldOf(c.Time, separator, c)
	for count < len(rows) && len(marks) > c.Width {
		end := int(marks[c.Width])
		if text[end] != '\n' {
			return count, length, false
		}
		for k := 1; k < c.Width; k++ {
			if text[marks[k]] != separator {
				return count, length, false
			}
		}
		returns := 0
		if end > 0 && text[end-1] == '\r' {
			returns = 1
		}
		row := &rows[count]
		from, n := user.at(marks, returns)
		if row.User = plainWord(text, from, n); uint(n-1) >= 8 || equal(row.User, ones*' ') != 0 {
			return count, length, false
		}
		from, n = item.at(marks, returns)
		if row.Item = plainWord(text, from, n); uint(n-1) >= 8 || equal(row.Item, ones*' ') != 0 {
			return count, length, false
		}
		row.Value = 1
		if c.Rating >= 0 {
			from, n = rating.at(marks, returns)
			word := plainWord(text, from, n)
			if known := &p.ratings[word*0x9e3779b97f4a7c15>>58]; known.text == word && uint(n-1) < 8 {
				row.Value = known.value
			} else if n < 1 {
				return count, length, false
			} else if value, ok := ParseRating(text[from : from+n]); !ok {
				return count, length, false
			} else {
				if row.Value = value; n <= 8 {
					*known = plainNumber{word, value}
				}
			}
		}
		row.When = ratings.NoTime
		if c.Time >= 0 {
			from, n = when.at(marks, returns)
			var ok bool
			if row.When, ok = plainTime(text, from, n); !ok {
				return count, length, false
			}
		}
		count++
		length = end + 1
		marks = marks[c.Width:]
	}
	return count, length, true
}

// skip counts lines that were read without Next.
func (l *Lines) skip(count int) int {
	l.scanned = l.from
	l.Number += count
	return count
}

const (
	ones = 0x0101010101010101
	tops = 0x80 * ones
)

// equal has the top bit of each byte of a word of ASCII that is equal to that of another.
func equal(word, to uint64) uint64 { return ^(word ^ to + (tops - ones)) & tops }

// gathered brings the top bits of eight bytes together.
func gathered(tops uint64) uint64 { return tops >> 7 * 0x0102040810204080 >> 56 }

// plainWord has n bytes of a text, one to eight, the first one lowest, and zeros above.
func plainWord(text []byte, from, n int) uint64 {
	return binary.LittleEndian.Uint64(text[from:]) & (math.MaxUint64 >> ((64 - 8*uint(n)) & 63))
}

// plainTime is the time of a field. Dates with slashes are for [Slashes].
func plainTime(text []byte, from, n int) (int64, bool) {
	if n >= 8 && n <= 16 {
		head, tail := plainWord(text, from, 8), plainWord(text, from+n-8, 8)
		if eightDigits(head) && eightDigits(tail) {
			return fromUnits(1e8*eightDigitsValue(head<<(8*(16-n))) + eightDigitsValue(tail)), true
		}
	}
	field := text[from : from+max(n, 0)]
	if _, _, _, slashed := slashedDate(field); slashed {
		return 0, false
	}
	return ParseTime(field)
}

// eightDigits reports whether a word is eight decimal digits.
func eightDigits(word uint64) bool {
	return word&(0xf0*ones) == 0x30*ones && (word+0x06*ones)&(0xf0*ones) == 0x30*ones
}

// eightDigitsValue is their number, 0 for a byte of zero: pairs of digits are added first, then pairs of pairs, then both halves.
func eightDigitsValue(word uint64) int64 {
	word = (word & (0x0f * ones)) * (10<<8 + 1) >> 8
	word = (word & 0x00ff00ff00ff00ff) * (100<<16 + 1) >> 16
	return int64((word & 0x0000ffff0000ffff) * (10000<<32 + 1) >> 32)
}

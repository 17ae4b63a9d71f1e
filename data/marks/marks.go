// Package marks finds the bytes that end fields and lines in a text, and those that are not plain, 64 at a time. Where the processor allows it, it is done by
// assembly, with the same result.
package marks

import "encoding/binary"

// Block is the number of bytes with a bit in one word.
const Block = 64

// Find finds two kinds of bytes in a text of whole blocks: bit k of separators[n] is set if byte 64n+k is a separator, and that of
// ends[n] if it is a line feed or a quote.
func Find(text []byte, separator, quote byte, separators, ends []uint64) {
	blocks := len(text) / Block
	if blocks == 0 {
		return
	}
	find(text[:blocks*Block], separator, quote, separators[:blocks], ends[:blocks])
}

func findPlain(text []byte, separator, quote byte, separators, ends []uint64) {
	s, q := ones*uint64(separator), ones*uint64(quote)
	for n := range separators {
		block := (*[Block]byte)(text[n*Block:])
		var separator, end uint64
		for k := 0; k < Block; k += 8 {
			word := binary.LittleEndian.Uint64(block[k:])
			separator |= gathered(equal(word, s)) << k
			end |= gathered(equal(word, ones*'\n')|equal(word, q)) << k
		}
		separators[n], ends[n] = separator, end
	}
}

const (
	ones = 0x0101010101010101
	tops = 0x80 * ones
)

// equal has the top bit of each byte of a word that is equal to that of another: no other sum of seven bits stays below the top.
func equal(word, to uint64) uint64 {
	x := word ^ to
	return ^((x&^tops + (tops - ones)) | x) & tops
}

// gathered brings the top bits of eight bytes together.
func gathered(tops uint64) uint64 { return tops >> 7 * 0x0102040810204080 >> 56 }

// Plain reports whether all bytes are ASCII and none is NUL.
func Plain(text []byte) bool { return plain(text) }

func plainPlain(text []byte) bool {
	b := text
	for ; len(b) >= 32; b = b[32:] {
		w, x, y, z := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
		if ((w-ones)|w|(x-ones)|x|(y-ones)|y|(z-ones)|z)&tops != 0 { // a byte is below 1 or above 0x7f
			return false
		}
	}
	for _, c := range b {
		if c == 0 || c >= 0x80 {
			return false
		}
	}
	return true
}

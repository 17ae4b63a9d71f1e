// Package people reads people's ratings from many files, and joins those of one person. A fragment is a person's ratings
// from one place of one file, packed into a few bytes to travel between workers: a row of a schema would take several
// times the bytes and the time.
package people

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/bits"
	"slices"

	"fubini/data/format"
)

// Fragment is a user's ratings from one place of an input.
type Fragment struct {
	Input int  // number of the input
	Rated bool // by ratings, not by tiers
	format.User
}

// Append packs a fragment: numbers as varints, lines as differences. The bytes of a float are reversed, because those of
// small whole numbers end in zeros.
func Append(to []byte, f *Fragment) []byte {
	rated := uint64(0)
	if f.Rated {
		rated = 1
	}
	to = binary.AppendUvarint(to, uint64(f.Input)<<1|rated)
	to = appendText(to, f.ID)
	to = binary.AppendUvarint(to, uint64(f.First))
	to = binary.AppendUvarint(to, uint64(len(f.Items)))
	before := f.First
	for k, id := range f.Items {
		to = appendText(to, id)
		to = binary.AppendUvarint(to, uint64(bits.ReverseBytes32(math.Float32bits(f.Values[k]))))
		to = binary.AppendUvarint(to, uint64(f.Lines[k]-before)) // modulo 2^64, where lines go back
		before = f.Lines[k]
	}
	return to
}

func appendText[T string | []byte](to []byte, text T) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// Parse unpacks a fragment. Its ids are views of the bytes.
func Parse(from []byte) (f Fragment, err error) {
	left, broken := from, false
	number := func() uint64 { // zeros once broken
		v, n := binary.Uvarint(left)
		if broken = broken || n <= 0; broken {
			return 0
		}
		left = left[n:]
		return v
	}
	text := func() []byte {
		n := number()
		if broken = broken || n > uint64(len(left)); broken {
			return nil
		}
		taken := left[:n:n]
		left = left[n:]
		return taken
	}
	head := number()
	f.Input, f.Rated = int(head>>1), head&1 == 1
	f.ID = string(text())
	f.First = int(number())
	n := number()
	if broken = broken || n > uint64(len(left)); broken { // each item takes some bytes
		n = 0
	}
	f.Items, f.Values, f.Lines = make([][]byte, n), make([]float32, n), make([]int, n)
	before := f.First
	for k := range f.Items {
		f.Items[k] = text()
		f.Values[k] = math.Float32frombits(bits.ReverseBytes32(uint32(number())))
		before += int(number())
		f.Lines[k] = before
	}
	if broken || len(left) > 0 {
		return f, fmt.Errorf("people: %d bytes are no fragment", len(from))
	}
	return f, nil
}

// Shard is the one of n shards that a user belongs to, wherever they come from.
func Shard(user string, n int) int {
	h := fnv.New64a()
	h.Write([]byte(user))
	v := h.Sum64() // its low bits alone are a poor hash of short texts
	v ^= v >> 32
	v *= 0x9e3779b97f4a7c15
	return int((v >> 32) % uint64(n))
}

// Gather joins the fragments of each user in the order of inputs and lines, and sorts users by id, whatever order they
// come in.
func Gather(all []Fragment) []Fragment {
	slices.SortFunc(all, func(a, b Fragment) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Input, b.Input), cmp.Compare(a.First, b.First))
	})
	kept := all[:0]
	for _, f := range all {
		if last := len(kept) - 1; last >= 0 && kept[last].ID == f.ID {
			kept[last].Items = append(kept[last].Items, f.Items...)
			kept[last].Values = append(kept[last].Values, f.Values...)
			kept[last].Lines = append(kept[last].Lines, f.Lines...)
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

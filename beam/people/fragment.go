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
	"slices"

	"fubini/data/format"
)

// Fragment is a user's ratings from one place of an input.
type Fragment struct {
	Input int  // number of the input
	Rated bool // by ratings, not by tiers
	format.User
}

// Append packs a fragment.
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
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(f.Values[k]))
		to = binary.AppendVarint(to, int64(f.Lines[k]-before))
		before = f.Lines[k]
	}
	return to
}

func appendText[T string | []byte](to []byte, text T) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// Parse unpacks a fragment. Its ids are views of the bytes.
func Parse(from []byte) (f Fragment, err error) {
	r := reader{left: from}
	head := r.number()
	f.Input, f.Rated = int(head>>1), head&1 == 1
	f.ID = string(r.text())
	f.First = int(r.number())
	n := r.number()
	if n > uint64(len(r.left)) { // each takes some bytes
		r.broken = true
		n = 0
	}
	f.Items, f.Values, f.Lines = make([][]byte, n), make([]float32, n), make([]int, n)
	before := f.First
	for k := range f.Items {
		f.Items[k] = r.text()
		f.Values[k] = math.Float32frombits(r.word())
		before += int(r.signed())
		f.Lines[k] = before
	}
	if r.broken || len(r.left) > 0 {
		return f, fmt.Errorf("people: %d bytes are no fragment", len(from))
	}
	return f, nil
}

// reader takes numbers and texts off some bytes; once broken it gives zeros.
type reader struct {
	left   []byte
	broken bool
}

func (r *reader) take(n int) []byte {
	if r.broken = r.broken || n < 0 || n > len(r.left); r.broken {
		return nil
	}
	taken := r.left[:n:n]
	r.left = r.left[n:]
	return taken
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.left)
	if r.take(max(n, -1)); n <= 0 {
		r.broken = true
	}
	return v
}

func (r *reader) signed() int64 {
	v, n := binary.Varint(r.left)
	if r.take(max(n, -1)); n <= 0 {
		r.broken = true
	}
	return v
}

func (r *reader) text() []byte {
	n := r.number()
	if n > uint64(len(r.left)) {
		r.broken = true
		return nil
	}
	return r.take(int(n))
}

func (r *reader) word() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
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

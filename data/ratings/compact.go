package ratings

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf8"
	"unsafe"
)

// compactMagic begins a file in the compact form. Its last byte is the version.
const compactMagic = "fubini\x00\x01"

// IsCompact reports whether the first bytes of a file are those of the compact form.
func IsCompact(head []byte) bool {
	return len(head) >= len(compactMagic) && string(head[:len(compactMagic)]) == compactMagic
}

// compactHeader is the head of the compact form, ten numbers of eight bytes. docs/data.md#compact has the form.
type compactHeader struct {
	Magic                                            [8]byte
	Flags                                            uint64
	Users, Items, Ratings, Names                     uint64 // numbers of each; names of levels
	UserBytes, ItemBytes, TitleBytes, LevelNameBytes uint64 // of text
}

const (
	compactTimes = 1 << iota // there are times
	compactOwn               // the values are tiers of each user's own
)

// WriteCompact writes the set in the compact form: the arrays of the set as they lie in memory, which [FromCompact] uses where
// they are.
func (s *Set) WriteCompact(w io.Writer) error {
	h := compactHeader{Users: uint64(s.users.Len()), Items: uint64(s.items.Len()), Ratings: uint64(s.Len()), Names: uint64(len(s.names))}
	copy(h.Magic[:], compactMagic)
	if s.when != nil {
		h.Flags |= compactTimes
	}
	if s.own {
		h.Flags |= compactOwn
	}
	titles := make([]string, s.items.Len())
	for i := range titles {
		titles[i] = s.items.names[uint32(i)]
	}
	texts := [][]string{s.users.ids, s.items.ids, titles, s.names}
	for k, size := range []*uint64{&h.UserBytes, &h.ItemBytes, &h.TitleBytes, &h.LevelNameBytes} {
		for _, t := range texts[k] {
			if !utf8.ValidString(t) {
				return fmt.Errorf("ratings: %q is not UTF-8, which the compact form wants", t)
			}
			*size += uint64(len(t))
		}
	}
	out := &compactWriter{bufio.NewWriterSize(w, 1<<16)}
	binary.Write(out, binary.LittleEndian, h) // the writer keeps its error
	for _, from := range s.start {
		out.number(uint64(from))
	}
	for _, list := range texts {
		end := uint64(0)
		for _, t := range list {
			end += uint64(len(t))
			out.number(end)
		}
	}
	for _, list := range texts {
		size := 0
		for _, t := range list {
			out.WriteString(t)
			size += len(t)
		}
		out.align(size)
	}
	writeNumbers(out, s.item)
	out.align(4 * len(s.item))
	writeNumbers(out, s.value)
	out.align(4 * len(s.value))
	writeNumbers(out, s.when)
	return out.Flush()
}

// writeNumbers writes numbers as they lie in memory, where that is how they lie in the file. The writer keeps its error.
func writeNumbers[T int64 | uint32 | float32](out *compactWriter, numbers []T) {
	if little && len(numbers) > 0 {
		out.Write(unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), len(numbers)*int(unsafe.Sizeof(numbers[0]))))
		return
	}
	binary.Write(out, binary.LittleEndian, numbers)
}

// compactWriter writes numbers with their low byte first.
type compactWriter struct{ *bufio.Writer }

func (w *compactWriter) number(v uint64) {
	w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), v))
}

// align fills up to a multiple of eight bytes.
func (w *compactWriter) align(size int) {
	for range padding(size) {
		w.WriteByte(0)
	}
}

func padding(size int) int { return -size & 7 }

// FromCompact returns the set of a file in the compact form. The set is a view of the bytes where the machine allows it (its low
// byte first, eight bytes an int): they must not change and must stay as long as anything that came from the set. Everything
// is checked, in one pass.
func FromCompact(b []byte) (*Set, error) {
	var h compactHeader
	if !IsCompact(b) {
		return nil, fmt.Errorf("ratings: not in the compact form of version %d", compactMagic[len(compactMagic)-1])
	}
	if n, err := binary.Decode(b, binary.LittleEndian, &h); err != nil {
		return nil, fmt.Errorf("ratings: the compact form ends within its head")
	} else if h.Flags&^(compactTimes|compactOwn) != 0 {
		return nil, fmt.Errorf("ratings: the compact form has flags %#x, which this version does not know", h.Flags)
	} else {
		b = b[n:]
	}
	for _, n := range []uint64{h.Users, h.Items, h.Ratings, h.Names, h.UserBytes, h.ItemBytes, h.TitleBytes, h.LevelNameBytes} {
		if n > uint64(len(b)) { // so that no sum below overflows
			return nil, fmt.Errorf("ratings: the compact form has counts of up to %d in %d bytes; the file is damaged or cut off", n, len(b))
		}
	}
	users, items, count := int(h.Users), int(h.Items), int(h.Ratings)
	numbers := []int{users, items, items, int(h.Names)} // of the texts
	sizes := []int{int(h.UserBytes), int(h.ItemBytes), int(h.TitleBytes), int(h.LevelNameBytes)}
	need := 8 * (users + 1)
	for k, n := range numbers {
		need += 8*n + sizes[k] + padding(sizes[k])
	}
	need += 2 * (4*count + padding(4*count))
	if h.Flags&compactTimes != 0 {
		need += 8 * count
	}
	if need != len(b) {
		return nil, fmt.Errorf("ratings: the compact form has %d bytes after its head where its counts need %d; the file is damaged or cut off", len(b), need)
	}
	cut := func(size int) []byte {
		part := b[:size:size]
		b = b[size:]
		return part
	}
	s := &Set{start: ints(cut(8 * (users + 1))), own: h.Flags&compactOwn != 0}
	var ends [4][]int
	for k, n := range numbers {
		ends[k] = ints(cut(8 * n))
	}
	var texts [4][]string
	for k := range texts {
		var err error
		if texts[k], err = textsAt(cut(sizes[k]), ends[k]); err != nil {
			return nil, err
		}
		if err := zero(cut(padding(sizes[k]))); err != nil {
			return nil, err
		}
	}
	s.item = numbersAt[uint32](cut(4 * count))
	if err := zero(cut(padding(4 * count))); err != nil {
		return nil, err
	}
	s.value = numbersAt[float32](cut(4 * count))
	if err := zero(cut(padding(4 * count))); err != nil {
		return nil, err
	}
	if h.Flags&compactTimes != 0 {
		s.when = numbersAt[int64](cut(8 * count))
	}
	s.users, s.items = &Vocabulary{ids: texts[0]}, &Vocabulary{ids: texts[1]}
	for i, title := range texts[2] {
		if title != "" {
			if s.items.names == nil {
				s.items.names = map[uint32]string{}
			}
			s.items.names[uint32(i)] = title
		}
	}
	if len(texts[3]) > 0 {
		s.names = texts[3]
	}
	return s, s.checkCompact()
}

// checkCompact checks what the rest of the program relies on: ids that ascend, rows that follow each other, items that ascend
// within a row, finite values.
func (s *Set) checkCompact() error {
	for _, v := range []*Vocabulary{s.users, s.items} {
		for k, id := range v.ids {
			if id == "" || k > 0 && v.ids[k-1] >= id {
				return fmt.Errorf("ratings: the compact form: id %d of %d, %q, is empty or does not follow that before it", k+1, len(v.ids), id)
			}
		}
	}
	at := 0
	if s.start[0] != 0 || s.start[s.users.Len()] != len(s.item) {
		return fmt.Errorf("ratings: the compact form: rows from %d to %d of %d ratings", s.start[0], s.start[s.users.Len()], len(s.item))
	}
	items := uint32(s.items.Len())
	for u := range s.users.Len() {
		to := s.start[u+1]
		if to < at || to > len(s.item) {
			return fmt.Errorf("ratings: the compact form: the row of user %q ends at rating %d of %d", s.users.ids[u], to, len(s.item))
		}
		next := uint32(0) // the least item that may come
		for _, i := range s.item[at:to] {
			if i < next || i >= items {
				return fmt.Errorf("ratings: the compact form: user %q has item number %d, which is not one of %d or does not follow that before it", s.users.ids[u], i, items)
			}
			next = i + 1
		}
		at = to
	}
	for k, v := range s.value {
		if v-v != 0 { // an infinity or NaN
			return fmt.Errorf("ratings: the compact form: rating %d is %g; a rating must be finite", k+1, v)
		}
		if s.names != nil && !(v >= 1 && int(v) <= len(s.names) && v == float32(int(v))) {
			return fmt.Errorf("ratings: the compact form: rating %d is %g, and there are names for 1 to %d", k+1, v, len(s.names))
		}
	}
	return nil
}

// little is true where numbers lie in memory as they do in the file.
var little = binary.NativeEndian.Uint16([]byte{1, 0}) == 1 && unsafe.Sizeof(int(0)) == 8

// numbersAt returns the numbers of a part of a file: a view of it where the machine allows it, or a copy.
func numbersAt[T int64 | uint32 | float32](b []byte) []T {
	var one T
	size := int(unsafe.Sizeof(one))
	if len(b) == 0 {
		return []T{}
	}
	if little && uintptr(unsafe.Pointer(&b[0]))%uintptr(size) == 0 {
		return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/size)
	}
	out := make([]T, len(b)/size)
	if _, err := binary.Decode(b, binary.LittleEndian, out); err != nil {
		panic(fmt.Sprintf("ratings: %v", err)) // the length fits
	}
	return out
}

// ints returns numbers of eight bytes.
func ints(b []byte) []int {
	numbers := numbersAt[int64](b)
	if little && len(numbers) > 0 {
		return unsafe.Slice((*int)(unsafe.Pointer(&numbers[0])), len(numbers))
	}
	out := make([]int, len(numbers))
	for k, v := range numbers {
		out[k] = int(v)
	}
	return out
}

// textsAt cuts a text at its ends.
func textsAt(b []byte, ends []int) ([]string, error) {
	if len(ends) > 0 && ends[len(ends)-1] != len(b) || len(ends) == 0 && len(b) > 0 {
		return nil, fmt.Errorf("ratings: the compact form: texts do not end where they should")
	}
	all := unsafe.String(unsafe.SliceData(b), len(b))
	texts, from := make([]string, len(ends)), 0
	for k, to := range ends {
		if to < from || to > len(all) {
			return nil, fmt.Errorf("ratings: the compact form: text %d ends at %d of %d", k, to, len(all))
		}
		if texts[k] = all[from:to]; !utf8.ValidString(texts[k]) {
			return nil, fmt.Errorf("ratings: the compact form: text %d, %q, is not UTF-8", k, texts[k])
		}
		from = to
	}
	return texts, nil
}

// zero refuses padding that is not zero.
func zero(b []byte) error {
	for _, v := range b {
		if v != 0 {
			return fmt.Errorf("ratings: the compact form: bytes between two parts are not zero; the file is damaged")
		}
	}
	return nil
}

//go:build unix

package ratings

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fubini/data/lastpage"
)

// Nothing is read behind the room of a text, nor behind the list of items that are decimal numbers: there memory ends. The lines that are read are the same as
// where there is more memory.
func TestAddPlainStaysInside(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	taken := 0
	for size := 130; size < 800; size++ {
		timed, user := size%3 == 0, []string{"7", "1234567", "12345678"}[r.IntN(3)]
		line := func(odd bool) []byte {
			if odd {
				return []byte([]string{",,\n", user + ",,\n", user + "\n", "\n", user + ",99999999,1\n", user + "," + strings.Repeat("x", 20+r.IntN(50)) + ",1\n"}[r.IntN(6)])
			}
			end := ""
			if timed {
				end = ",978300760"
			}
			return fmt.Appendf(nil, "%s,%d,%d%s\n", user, 1+r.IntN(40), r.IntN(8), end)
		}
		text, odd := []byte(nil), r.IntN(2) == 0
		for len(text) < size {
			text = append(text, line(odd && len(text) > size/2 && r.IntN(3) == 0)...)
		}
		text = text[:size:size]
		var known []byte
		for k := range 40 {
			known = fmt.Appendf(known, "1,%d,%d%s\n", k+1, k%8, map[bool]string{true: ",978300760"}[timed])
		}
		read := func(text []byte, guarded bool) (lines, size int, set []byte) {
			b := NewBuilder()
			if n, _ := b.AddPlain(shape(timed), slices.Grow(slices.Clone(known), PlainSlack)); n != 40 {
				t.Fatal(n)
			}
			if guarded {
				decimal := lastpage.Slice[uint32](t, len(b.items.short.decimal))
				copy(decimal, b.items.short.decimal)
				b.items.short.decimal = decimal
			}
			lines, size = b.AddPlain(shape(timed), text)
			s, _, err := b.Build(KeepLast)
			if err != nil {
				t.Fatal(err)
			}
			var file bytes.Buffer
			if err := s.WriteCompact(&file); err != nil {
				t.Fatal(err)
			}
			return lines, size, file.Bytes()
		}
		last := lastpage.Slice[uint8](t, size)
		copy(last, text)
		lines, end, set := read(last, true)
		if wantLines, wantEnd, want := read(text, false); lines != wantLines || end != wantEnd || !bytes.Equal(set, want) {
			t.Errorf("%q: %d lines and %d bytes, elsewhere %d and %d", text, lines, end, wantLines, wantEnd)
		}
		taken += lines
	}
	if taken < 5000 {
		t.Errorf("%d lines were read: the test sees too few", taken)
	}
}

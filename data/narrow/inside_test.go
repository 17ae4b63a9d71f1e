//go:build unix

package narrow

import (
	"testing"

	"fubini/data/lastpage"
)

// Nothing behind the lists is read or written: there memory ends.
func TestNumbersStayInside(t *testing.T) {
	for n := range 70 {
		from, bytes, words := lastpage.Slice[uint32](t, n), lastpage.Slice[uint8](t, n), lastpage.Slice[uint16](t, n)
		for k := range from {
			from[k] = uint32(k + 1)
		}
		Numbers(bytes, from)
		Numbers(words, from)
		for k := range from {
			if int(bytes[k]) != k+1 || int(words[k]) != k+1 {
				t.Fatalf("%d numbers: %d and %d at %d", n, bytes[k], words[k], k)
			}
		}
	}
}

//go:build unix

package marks

import (
	"math/rand/v2"
	"testing"

	"fubini/data/lastpage"
)

// Nothing behind the last whole block is read: there memory ends.
func TestFindStaysInside(t *testing.T) {
	for blocks := 1; blocks <= 64; blocks++ {
		text := lastpage.Slice[uint8](t, blocks*Block)
		text[0], text[len(text)-1] = ',', '\n'
		separators, ends := lastpage.Slice[uint64](t, blocks), lastpage.Slice[uint64](t, blocks)
		Find(text, ',', '"', separators, ends)
		if separators[0] != 1 || ends[blocks-1] != 1<<(Block-1) {
			t.Errorf("%d blocks: %x and %x", blocks, separators[0], ends[blocks-1])
		}
	}
}

// Whole texts of any length are looked at, and nothing behind them.
func TestPlainStaysInside(t *testing.T) {
	for n := range 300 {
		text := lastpage.Slice[uint8](t, n)
		for k := range text {
			text[k] = 'a'
		}
		if !Plain(text) {
			t.Errorf("%d bytes are not plain", n)
		}
		if n == 0 {
			continue
		}
		if text[n-1] = 0x80; Plain(text) {
			t.Errorf("%d bytes are plain, and the last is not ASCII", n)
		}
	}
}

// Places are written to the room that is asked for, and no further.
func TestPlacesStayInside(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for blocks := 1; blocks <= 20; blocks++ {
		marks, at, ranks := lastpage.Slice[uint64](t, blocks), lastpage.Slice[uint16](t, blocks*Block+Behind), lastpage.Slice[uint16](t, blocks)
		for few := range 4 {
			for k := range marks {
				marks[k] = ^uint64(0)
				for range few {
					marks[k] &= r.Uint64()
				}
			}
			if Places(marks, at, ranks); ranks[0] != 0 || few == 0 && at[blocks*Block+Behind-1] != NoPlace {
				t.Errorf("%d blocks, share %d: %d and %d", blocks, few, ranks[0], at[blocks*Block+Behind-1])
			}
		}
	}
}

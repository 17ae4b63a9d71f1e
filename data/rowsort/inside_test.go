//go:build unix

package rowsort

import (
	"math/rand/v2"
	"testing"

	"fubini/data/lastpage"
)

// A row is gathered from the slots of its items to its ratings and the room behind them, and nothing else is touched: there memory ends.
func TestGatherStaysInside(t *testing.T) {
	if !fastSpread {
		t.Skip("this processor spreads no rows")
	}
	r := rand.New(rand.NewPCG(7, 8))
	for blocks := 1; blocks <= 5; blocks++ {
		s := &spreading{slots: lastpage.Slice[uint8](t, blocks*block), marks: lastpage.Slice[uint64](t, blocks), filled: lastpage.Slice[uint32](t, blocks+1)}
		s.values[3] = 7
		for n := range blocks*block + 1 {
			want := make([]bool, len(s.slots))
			first := r.IntN(len(s.slots) - n + 1)
			for at, k := range r.Perm(len(s.slots))[:n] {
				if n%2 == 0 { // side by side
					k = first + at
				}
				s.slots[k], want[k] = 3, true
			}
			item, value := lastpage.Slice[uint32](t, n+room), lastpage.Slice[float32](t, n+room)
			if got := s.gather(item, value); got != n {
				t.Fatalf("%d of %d slots: %d gathered", n, len(s.slots), got)
			}
			for k := range n {
				if !want[item[k]] || value[k] != 7 || k > 0 && item[k] <= item[k-1] {
					t.Fatalf("%d of %d slots: place %d has item %d and value %g", n, len(s.slots), k, item[k], value[k])
				}
			}
		}
	}
}

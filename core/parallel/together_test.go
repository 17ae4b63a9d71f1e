package parallel

import (
	"sync/atomic"
	"testing"
)

// Every member runs once, and what one call wrote the next one sees.
func TestTogether(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		seen := make([]int, size)
		var total atomic.Int64
		const calls = 300
		for call := range calls {
			Together(size, func(m int) {
				seen[m]++
				total.Add(1)
			})
			for m, n := range seen {
				if n != call+1 {
					t.Fatalf("%d members: member %d ran %d of %d times", size, m, n, call+1)
				}
			}
		}
		if total.Load() != int64(size*calls) {
			t.Errorf("%d members: %d runs in %d calls", size, total.Load(), calls)
		}
	}
}

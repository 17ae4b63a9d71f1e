package parallel

import (
	"fmt"
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

// Blocks of training take 1 to 10 ms: a call starts two members that each work for a
// part of that.
func BenchmarkTogether(b *testing.B) {
	work := func(n int) func(int) {
		return func(member int) {
			x := 1.0
			for range n {
				x = x*1.0000001 + float64(member)
			}
			sink[member] = x
		}
	}
	for _, n := range []int{200_000, 2_000_000} {
		b.Run(fmt.Sprintf("goroutines/%d", n), func(b *testing.B) {
			for b.Loop() {
				Together(2, work(n))
			}
		})
		b.Run(fmt.Sprintf("spinning/%d", n), func(b *testing.B) {
			team := newTeam(2)
			defer team.dismiss()
			for b.Loop() {
				team.together(work(n))
			}
		})
	}
}

var sink [2]float64

package parallel

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// Every member runs once, and what one call wrote the next one sees.
func TestTogether(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		seen := make([]int, size)
		var total atomic.Int64
		const calls = 300
		team := NewTeam(size)
		defer team.Close()
		for call := range calls {
			if call%100 == 50 {
				time.Sleep(5 * time.Millisecond) // members fall asleep
			}
			team.Together(func(m int) {
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

// A closed team leaves no goroutine behind.
func TestTeamEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		team := NewTeam(4)
		team.Together(func(int) {})
		team.Close()
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

package parallel

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Every worker runs once, and what one call wrote the next one sees.
func TestTogether(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		seen := make([]int, size)
		var total atomic.Int64
		const calls = 300
		workers := NewWorkers(size)
		defer workers.Close()
		for call := range calls {
			if call%100 == 50 {
				time.Sleep(5 * time.Millisecond) // workers fall asleep
			}
			workers.Together(func(m int) {
				seen[m]++
				total.Add(1)
			})
			for m, n := range seen {
				if n != call+1 {
					t.Fatalf("%d workers: worker %d ran %d of %d times", size, m, n, call+1)
				}
			}
		}
		if total.Load() != int64(size*calls) {
			t.Errorf("%d workers: %d runs in %d calls", size, total.Load(), calls)
		}
	}
}

// Closed workers leave no goroutine behind.
func TestWorkersEnd(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		workers := NewWorkers(4)
		workers.Together(func(int) {})
		workers.Close()
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// The cost of a call for tasks of several lengths, with a little serial work between calls as in
// an epoch: by [Workers], and by goroutines started anew under a WaitGroup.
func BenchmarkTogether(b *testing.B) {
	const size = 2
	results := [size][16]float64{} // a cache line or two each
	for _, length := range []int{1_000, 10_000, 100_000, 1_000_000} {
		task := func(w int) { results[w][0] = sum(length) }
		b.Run(fmt.Sprintf("length=%d/workers", length), func(b *testing.B) {
			workers := NewWorkers(size)
			defer workers.Close()
			for b.Loop() {
				workers.Together(task)
				sum(length / 10)
			}
		})
		b.Run(fmt.Sprintf("length=%d/waitgroup", length), func(b *testing.B) {
			for b.Loop() {
				var group sync.WaitGroup
				for w := range size {
					group.Go(func() { task(w) })
				}
				group.Wait()
				sum(length / 10)
			}
		})
	}
}

//go:noinline
func sum(n int) (total float64) {
	for k := range n {
		total += float64(k)
	}
	return total
}

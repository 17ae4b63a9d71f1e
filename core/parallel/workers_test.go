package parallel

import (
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

// A small task for each of two workers, as a block of short lists is: once by [Workers], once by
// goroutines started anew under a WaitGroup.
func BenchmarkTogether(b *testing.B) {
	const size = 2
	sums := [size][8]float64{} // a cache line each
	task := func(w int) {
		for k := range 20_000 {
			sums[w][0] += float64(k)
		}
	}
	b.Run("workers", func(b *testing.B) {
		workers := NewWorkers(size)
		defer workers.Close()
		for b.Loop() {
			workers.Together(task)
		}
	})
	b.Run("waitgroup", func(b *testing.B) {
		for b.Loop() {
			var group sync.WaitGroup
			for w := range size {
				group.Go(func() { task(w) })
			}
			group.Wait()
		}
	})
}

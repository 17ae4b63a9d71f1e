package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"fubini/core/parallel"
)

func TestSize(t *testing.T) {
	for _, c := range []struct{ n, jobs, want int }{
		{10, 3, 3}, {2, 3, 2}, {0, 3, 0}, {1000, 0, runtime.GOMAXPROCS(0)}, {1000, -1, runtime.GOMAXPROCS(0)},
	} {
		if got := parallel.Size(c.n, c.jobs); got != c.want {
			t.Errorf("%d goroutines for %d pieces and %d jobs, not %d", got, c.n, c.jobs, c.want)
		}
	}
}

// Every piece is done once, and no two goroutines share a number.
func TestEveryPieceOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 1000} {
		for _, jobs := range []int{0, 1, 3, 8} {
			times := make([]int32, n)
			busy := make([]atomic.Bool, parallel.Size(n, jobs))
			parallel.Do(n, jobs, func(worker, k int) {
				if !busy[worker].CompareAndSwap(false, true) {
					t.Errorf("two pieces at once have worker %d", worker)
				}
				atomic.AddInt32(&times[k], 1)
				busy[worker].Store(false)
			})
			for k, v := range times {
				if v != 1 {
					t.Errorf("%d pieces, %d jobs: piece %d was done %d times", n, jobs, k, v)
				}
			}
		}
	}
}

// The error is that of the lowest piece that fails, however many there are and whoever
// does them, and later pieces are left.
func TestLowestFailure(t *testing.T) {
	const n = 5000
	for _, jobs := range []int{1, 2, 8} {
		for range 20 {
			var done atomic.Int32
			err := parallel.Each(context.Background(), n, jobs, func(_, k int) error {
				done.Add(1)
				if k == 40 || k == 41 || k == 45 {
					return fmt.Errorf("piece %d", k)
				}
				return nil
			})
			if err == nil || err.Error() != "piece 40" {
				t.Fatalf("%d jobs: %v", jobs, err)
			}
			if done.Load() == n {
				t.Errorf("%d jobs: all was done after a failure", jobs)
			}
		}
	}
}

func TestCalledOff(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var done atomic.Int32
	err := parallel.Each(ctx, 1000, 3, func(_, k int) error {
		if done.Add(1) == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || done.Load() > 20 {
		t.Errorf("%v after %d pieces", err, done.Load())
	}
	if err := parallel.Each(context.Background(), 0, 3, func(_, _ int) error { return errors.New("called") }); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
}

func ExampleDo() {
	squares := make([]int, 5)
	parallel.Do(len(squares), 2, func(_, k int) { squares[k] = k * k })
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}

// Until begins no more when the context has ended; Await does not wait for work that cannot
// be called off.
func TestUntilAndAwait(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	done := 0
	parallel.Until(ctx, 100, 1, func(_, k int) {
		if done++; k == 6 {
			stop()
		}
	})
	if done != 7 {
		t.Errorf("%d pieces, called off in the seventh", done)
	}
	if _, err := parallel.Await(ctx, func() int { t.Error("begun after the end"); return 0 }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	ctx, stop = context.WithCancel(t.Context())
	defer stop()
	if made, err := parallel.Await(ctx, func() int { return 7 }); made != 7 || err != nil {
		t.Errorf("%d, %v", made, err)
	}
	forever := make(chan int)
	if _, err := parallel.Await(ctx, func() int { stop(); return <-forever }); !errors.Is(err, context.Canceled) {
		t.Errorf("work without an end: %v", err)
	}
	close(forever)
}

// Both divides the goroutines between two functions that may wait for each other, runs them in turn with one goroutine, and returns
// the error that called the other off.
func TestBoth(t *testing.T) {
	for _, jobs := range []int{2, 5} {
		met := make(chan int)
		err := parallel.Both(t.Context(), jobs, func(_ context.Context, own int) error {
			if other := <-met; own+other != jobs || own < other {
				t.Errorf("%d and %d goroutines of %d", own, other, jobs)
			}
			return nil
		}, func(_ context.Context, own int) error {
			met <- own
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	failed := errors.New("failed")
	wait := func(ctx context.Context, _ int) error {
		<-ctx.Done()
		return ctx.Err()
	}
	fail := func(context.Context, int) error { return failed }
	if err := parallel.Both(t.Context(), 2, wait, fail); err != failed {
		t.Errorf("the second failed: %v", err)
	}
	if err := parallel.Both(t.Context(), 2, fail, wait); err != failed {
		t.Errorf("the first failed: %v", err)
	}
	unsaved := errors.New("not saved")
	waitUnsaved := func(ctx context.Context, jobs int) error { return errors.Join(wait(ctx, jobs), unsaved) }
	if err := parallel.Both(t.Context(), 2, waitUnsaved, fail); !errors.Is(err, failed) || !errors.Is(err, unsaved) || errors.Is(err, context.Canceled) {
		t.Errorf("the second failed, and the first on its way out: %v", err)
	}
	joined := func(ctx context.Context, jobs int) error { return errors.Join(wait(ctx, jobs), nil) }
	if err := parallel.Both(t.Context(), 2, joined, fail); err != failed {
		t.Errorf("the second failed, and the first saved its checkpoint: %v", err)
	}
	var order []int
	add := func(k int) func(context.Context, int) error {
		return func(_ context.Context, jobs int) error {
			order = append(order, k, jobs)
			return nil
		}
	}
	if err := parallel.Both(t.Context(), 1, add(1), add(2)); err != nil || fmt.Sprint(order) != "[1 1 2 1]" {
		t.Errorf("one goroutine: %v, %v", order, err)
	}
	if err := parallel.Both(t.Context(), 1, fail, add(3)); err != failed || len(order) != 4 {
		t.Errorf("one goroutine, the first fails: %v, %v", order, err)
	}
}

// Package parallel does many pieces of work on several goroutines. Which goroutine takes
// which piece is left to chance: what comes out must not depend on it, so every piece
// writes to a place of its own, and what they make together is put together
// afterwards, in order.
package parallel

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// Size is how many goroutines do n pieces of work: as many as jobs, where below one
// means one for each core, but no more than there are pieces.
func Size(n, jobs int) int {
	return min(n, cmp.Or(max(0, jobs), runtime.GOMAXPROCS(0)))
}

// Do calls work for every number below n, from [Size] goroutines, each of which takes
// the next number when it is done with one. Worker says which goroutine it is, from 0,
// so that each may have room of its own.
func Do(n, jobs int, work func(worker, k int)) {
	run(n, jobs, func() bool { return false }, work)
}

// Until is Do, but starts no further calls after the context has ended: the caller asks the
// context whether all were made.
func Until(ctx context.Context, n, jobs int, work func(worker, k int)) {
	run(n, jobs, func() bool { return ctx.Err() != nil }, work)
}

// Await returns the result of work, or the context's error if the context ends first; work then
// continues and its result is discarded.
func Await[T any](ctx context.Context, work func() T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	done := make(chan T, 1)
	go func() { done <- work() }()
	select {
	case made := <-done:
		return made, nil
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// Both runs two functions side by side, each with a share of the goroutines, or with one goroutine the first and then the second. When
// one fails, the context of the other ends. The error is that of the function that failed by itself, the first if both did.
func Both(ctx context.Context, jobs int, first, second func(ctx context.Context, jobs int) error) error {
	jobs = Size(math.MaxInt, jobs)
	if jobs == 1 {
		if err := first(ctx, 1); err != nil {
			return err
		}
		return second(ctx, 1)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan error, 1)
	go func() {
		err := second(ctx, jobs/2)
		if err != nil {
			stop()
		}
		done <- err
	}()
	err := first(ctx, jobs-jobs/2)
	if err != nil {
		stop()
	}
	other := <-done
	switch {
	case err == nil:
		return other
	case other != nil && errors.Is(err, context.Canceled) && !errors.Is(other, context.Canceled): // the first was called off by the second
		if also := failures(err); also != nil { // as of a checkpoint that could not be saved
			return errors.Join(other, also)
		}
		return other
	}
	return err
}

// failures is an error of a function that was called off, without the parts that tell only that.
func failures(err error) error {
	if !errors.Is(err, context.Canceled) {
		return err
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	var left []error
	for _, part := range joined.Unwrap() {
		left = append(left, failures(part))
	}
	return errors.Join(left...)
}

// Each is Do for work that may fail, or be called off. After a failure no more is
// begun, and the error of the lowest number that failed is returned: the same for any
// number of goroutines.
func Each(ctx context.Context, n, jobs int, work func(worker, k int) error) error {
	var failed atomic.Bool
	failures, first := make([]error, Size(n, jobs)), make([]int, Size(n, jobs))
	for w := range first {
		first[w] = math.MaxInt
	}
	run(n, jobs, func() bool { return failed.Load() || ctx.Err() != nil }, func(worker, k int) {
		if err := work(worker, k); err != nil {
			failures[worker], first[worker] = err, k
			failed.Store(true)
		}
	})
	// Numbers are handed out in order, so all below the lowest that failed were begun,
	// and came to an end.
	lowest := 0
	for w, k := range first {
		if k < first[lowest] {
			lowest = w
		}
	}
	if len(failures) > 0 && failures[lowest] != nil {
		return failures[lowest]
	}
	return ctx.Err()
}

// run hands out numbers until there are no more, or it is over. A single worker is the
// caller.
func run(n, jobs int, over func() bool, work func(worker, k int)) {
	var next atomic.Int64
	serve := func(worker int) {
		for !over() {
			k := int(next.Add(1)) - 1
			if k >= n {
				return
			}
			work(worker, k)
		}
	}
	size := Size(n, jobs)
	if size == 1 {
		serve(0)
		return
	}
	var workers sync.WaitGroup
	for w := range size {
		workers.Go(func() { serve(w) })
	}
	workers.Wait()
}

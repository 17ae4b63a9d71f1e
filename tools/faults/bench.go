package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// task is a fault on its way through a run.
type task struct {
	List  string
	Fault Fault
	place *place
	extra []*folder
	err   error // it has no place
	result
}

// folders are the packages whose tests are tried, its own first.
func (t *task) folders() []*folder { return append([]*folder{t.place.file.folder}, t.extra...) }

// bench runs tasks.
type bench struct {
	limit time.Duration // 0: by what the tests take without a fault
	past  *results
	out   io.Writer

	mu       sync.Mutex
	baseline map[string]float64 // seconds of a package's tests, without a fault and without compiling
	done     int
}

// run tries all tasks; the error is the first thing that kept it from doing so.
func (b *bench) run(ctx context.Context, tasks []*task, workers int) error {
	b.baseline = map[string]float64{}
	var open []*task
	var packages []*folder
	for _, t := range tasks {
		switch past, known := b.past.of(t); {
		case t.err != nil:
			t.result = result{Outcome: broken, By: t.err.Error()}
			b.say(t, len(tasks))
			continue
		case known:
			t.result = past
			b.done++
		default:
			open = append(open, t)
		}
		for _, f := range t.folders() {
			if seconds, known := b.past.baseline[f.path]; known {
				b.baseline[f.path] = seconds
			} else if f.tested && !slices.Contains(packages, f) {
				packages = append(packages, f)
			}
		}
	}
	if b.done > 0 {
		fmt.Fprintf(b.out, "%d of %d faults are in the results already\n", b.done, len(tasks))
	}
	if err := each(ctx, packages, workers, b.measure); err != nil {
		return err
	}
	return each(ctx, open, workers, func(ctx context.Context, t *task) error {
		if err := b.try(ctx, t); err != nil {
			return err
		}
		b.say(t, len(tasks))
		return b.past.add(t)
	})
}

// measure runs the tests of a package without a fault: they must pass.
func (b *bench) measure(ctx context.Context, f *folder) error {
	const patience = 30 * time.Minute
	v, err := try(ctx, f, nil, "", patience)
	if err != nil {
		return err
	}
	if v.outcome != survived {
		return fmt.Errorf("%s fails without any fault (%s): mend it first", f.path, v.by)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.baseline[f.path] = v.seconds
	fmt.Fprintf(b.out, "%6.1f s  without a fault: %s\n", v.seconds, f.path)
	return b.past.addBaseline(f.path, v.seconds)
}

// try plants one fault and tries package after package, until one kills it.
func (b *bench) try(ctx context.Context, t *task) error {
	for i, f := range t.folders() {
		v, err := try(ctx, f, t.place, t.Fault.Put, b.limitOf(f))
		if err != nil {
			return err
		}
		if v.outcome == killed && i > 0 {
			v.by = f.name + ": " + v.by
		}
		t.result = result{Outcome: v.outcome, By: v.by, Seconds: t.Seconds + v.seconds}
		if v.outcome != survived {
			break
		}
	}
	return nil
}

// limitOf is generous: on a busy machine tests take longer than they did without a fault, and a fault that is only
// slower is not killed.
func (b *bench) limitOf(f *folder) time.Duration {
	if b.limit > 0 {
		return b.limit
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(2*time.Minute, time.Duration(5*b.baseline[f.path])*time.Second)
}

func (b *bench) say(t *task, total int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done++
	fmt.Fprintf(b.out, "%3d/%d  %-8s %6.1f s  %s  %s\n", b.done, total, t.Outcome, t.Seconds, t.Fault.Name, t.By)
}

// each calls a function for every element, some at a time, until one goes wrong.
func each[T any](ctx context.Context, all []T, workers int, do func(context.Context, T) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan T)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for element := range next {
				if err := do(ctx, element); err != nil {
					cancel(err)
				}
			}
		})
	}
feed:
	for _, element := range all {
		select {
		case next <- element:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	group.Wait()
	return context.Cause(ctx)
}

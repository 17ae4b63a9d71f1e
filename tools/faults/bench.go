package main

import (
	"context"
	"fmt"
	"io"
	"maps"
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

	measuring sync.Mutex // one baseline at a time

	mu       sync.Mutex
	baseline map[pass]float64 // seconds of tests without a fault, without compiling
	done     int
	kept     int // results of earlier runs
}

// pass is a run of a package's tests: the quick ones that -short leaves, or all.
type pass struct {
	path  string
	short bool
}

// run tries all tasks; the error is the first thing that kept it from doing so.
func (b *bench) run(ctx context.Context, tasks []*task, workers int) error {
	b.baseline = maps.Clone(b.past.baseline)
	if b.baseline == nil {
		b.baseline = map[pass]float64{}
	}
	var open []*task
	for _, t := range tasks {
		switch past, known := b.past.of(t); {
		case t.err != nil:
			t.result = result{Outcome: broken, By: t.err.Error()}
			b.say(t, len(tasks))
		case known:
			t.result = past
			b.done++
			b.kept++
		default:
			open = append(open, t)
		}
	}
	if b.done > 0 {
		fmt.Fprintf(b.out, "%d of %d faults are in the results already\n", b.done, len(tasks))
	}
	return each(ctx, open, workers, func(ctx context.Context, t *task) error {
		if err := b.try(ctx, t); err != nil {
			return err
		}
		b.say(t, len(tasks))
		return b.past.add(t)
	})
}

// try plants one fault and tries package after package, until one kills it.
func (b *bench) try(ctx context.Context, t *task) error {
	seconds := 0.0
	for i, f := range t.folders() {
		v, err := b.tryOn(ctx, t, f)
		if err != nil {
			return err
		}
		if v.outcome == killed && i > 0 {
			v.by = f.name + ": " + v.by
		}
		seconds += v.seconds
		t.result = result{Outcome: v.outcome, By: v.by, Seconds: seconds}
		if v.outcome != survived {
			break
		}
	}
	return nil
}

// tryOn runs the quick tests of a package first, and all of them on what survives those.
func (b *bench) tryOn(ctx context.Context, t *task, f *folder) (v verdict, err error) {
	if !f.tested {
		return verdict{outcome: survived, by: "no tests"}, nil
	}
	planted, complaint, err := compile(ctx, f, t.place, t.Fault.Put)
	if err != nil {
		return v, err
	}
	if complaint != "" {
		return verdict{outcome: broken, by: complaint}, nil
	}
	defer planted.Close()
	seconds := 0.0
	for _, short := range []bool{true, false} {
		limit, err := b.limitOf(ctx, f, short)
		if err != nil {
			return v, err
		}
		if v, err = planted.run(ctx, short, limit); err != nil {
			return v, err
		}
		seconds += v.seconds
		if v.outcome == killed {
			break
		}
	}
	v.seconds = seconds
	return v, nil
}

// limitOf is the time limit of a pass, from what it takes without a fault; it is measured where that is not known, and
// must pass. The limit is generous: on a busy machine tests take longer than they did, and a fault that only makes them
// slower is not killed.
func (b *bench) limitOf(ctx context.Context, f *folder, short bool) (time.Duration, error) {
	b.measuring.Lock()
	defer b.measuring.Unlock()
	key := pass{f.path, short}
	seconds, known := b.baseline[key]
	if !known {
		const patience = time.Hour
		plain, complaint, err := compile(ctx, f, nil, "")
		if err != nil {
			return 0, err
		}
		if complaint != "" {
			return 0, fmt.Errorf("%s does not compile without any fault: %s", f.path, complaint)
		}
		defer plain.Close()
		v, err := plain.run(ctx, short, patience)
		if err != nil {
			return 0, err
		}
		if v.outcome != survived {
			return 0, fmt.Errorf("%s fails without any fault (%s): mend it first", f.path, v.by)
		}
		seconds = v.seconds
		b.mu.Lock()
		b.baseline[key] = seconds
		b.mu.Unlock()
		fmt.Fprintf(b.out, "         without a fault %6.1f s  %s\n", seconds, key)
		if err := b.past.addBaseline(key, seconds); err != nil {
			return 0, err
		}
	}
	if b.limit > 0 {
		return b.limit, nil
	}
	return max(2*time.Minute, time.Duration(5*seconds)*time.Second), nil
}

func (p pass) String() string {
	if p.short {
		return p.path + ", -short"
	}
	return p.path
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

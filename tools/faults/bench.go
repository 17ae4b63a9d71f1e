package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"fubini/core/parallel"
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
	limit time.Duration // of the tests of one package
	past  *results
	out   io.Writer

	checking sync.Mutex
	sound    map[string]error // by package: whether its tests pass without a fault

	mu   sync.Mutex
	done int
	kept int // results of earlier runs
}

// run tries all tasks; the error is the first thing that kept it from doing so.
func (b *bench) run(ctx context.Context, tasks []*task, workers int) error {
	b.sound = map[string]error{}
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
	if b.kept > 0 {
		fmt.Fprintf(b.out, "%d of %d faults are in the results already\n", b.kept, len(tasks))
	}
	return parallel.Each(ctx, len(open), workers, func(_, k int) error {
		if err := b.try(ctx, open[k]); err != nil {
			return err
		}
		b.say(open[k], len(tasks))
		return b.past.add(open[k])
	})
}

// try plants one fault and tries package after package, the quick tests of each first, until one kills it.
func (b *bench) try(ctx context.Context, t *task) error {
	work, err := os.MkdirTemp("", "faults")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	environment, err := overlay(work, t.place, t.Fault.Put)
	if err != nil {
		return err
	}
	t.result = result{Outcome: survived, By: "no tests"}
	for i, f := range t.folders() {
		if !f.tested {
			continue
		}
		if err := b.passes(ctx, f); err != nil {
			return err
		}
		for _, short := range []bool{true, false} {
			v, err := runTests(ctx, f, environment, short, b.limit)
			if err != nil {
				return err
			}
			if v.outcome == killed && i > 0 {
				v.by = f.name + ": " + v.by
			}
			t.result = result{Outcome: v.outcome, By: v.by, Seconds: t.Seconds + v.seconds}
			if v.outcome != survived {
				return nil
			}
		}
	}
	return nil
}

// passes runs the tests of a package once without a fault: they must pass, or they say nothing about faults.
func (b *bench) passes(ctx context.Context, f *folder) error {
	b.checking.Lock()
	defer b.checking.Unlock()
	if err, known := b.sound[f.path]; known {
		return err
	}
	environment, err := overlay("", nil, "")
	if err != nil {
		return err
	}
	v, err := runTests(ctx, f, environment, true, b.limit)
	if err == nil && v.outcome != survived {
		err = fmt.Errorf("%s fails without any fault (%s): mend it first", f.path, v.by)
	}
	b.sound[f.path] = err
	return err
}

func (b *bench) say(t *task, total int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done++
	fmt.Fprintf(b.out, "%3d/%d  %-8s %6.1f s  %s  %s\n", b.done, total, t.Outcome, t.Seconds, t.Fault.Name, t.By)
}

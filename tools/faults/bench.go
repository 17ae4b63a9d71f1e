package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"fubini/core/parallel"
)

// task is a fault on its way through a run.
type task struct {
	List string
	Fault
	place *place
	tests []*folder // the packages whose tests are tried, its own first
	err   error     // it has no place
	result
}

// newTask finds the place and the tests of a fault.
func newTask(s *source, list string, row Fault) *task {
	t := &task{List: list, Fault: row}
	if t.place, t.err = s.place(row); t.err != nil {
		return t
	}
	extra, err := s.testsOf(row)
	t.tests, t.err = append([]*folder{t.place.file.folder}, extra...), err
	return t
}

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
		switch past, known := b.past.faults[t.Name+t.row()]; {
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
		t := open[k]
		if err := planted(t.place, t.Put, func(environment []string) error { return b.try(ctx, t, environment) }); err != nil {
			return err
		}
		b.say(t, len(tasks))
		return b.past.add(t)
	})
}

// try runs the tests of package after package on a fault, the quick tests of each first, until one kills it.
func (b *bench) try(ctx context.Context, t *task, environment []string) error {
	t.result = result{Outcome: survived, By: "no tests"}
	for i, f := range t.tests {
		if !f.tested {
			continue
		}
		if err := b.passes(ctx, f); err != nil {
			return err
		}
		for _, short := range []bool{true, false} {
			r, err := runTests(ctx, f, environment, short, b.limit)
			if err != nil {
				return err
			}
			if r.Outcome == killed && i > 0 {
				r.By = f.name + ": " + r.By
			}
			r.Seconds += t.Seconds
			if t.result = r; r.Outcome != survived {
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
	r, err := runTests(ctx, f, plainEnvironment(), true, b.limit)
	if err == nil && r.Outcome != survived {
		err = fmt.Errorf("%s fails without any fault (%s): mend it first", f.path, r.By)
	}
	b.sound[f.path] = err
	return err
}

func (b *bench) say(t *task, total int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done++
	fmt.Fprintf(b.out, "%3d/%d  %-8s %6.1f s  %s  %s\n", b.done, total, t.Outcome, t.Seconds, t.Name, t.By)
}

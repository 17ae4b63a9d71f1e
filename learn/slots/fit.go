package slots

import (
	"context"
	"fmt"

	"fubini/core/parallel"
	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
	"fubini/model/latent"
	"fubini/model/osm"
)

// fit is the objective of a run: the slot likelihood.
type fit struct {
	*ascent.Run
	tasks      []task
	models     []latent.Model // of each worker
	levels     *levels        // nil without
	regression *regression    // on co-occurrence features; nil without
}

// task is the scratch space of a task.
type task struct {
	likelihood latent.SlotLikelihood
	levels     []float64 // of the list's items
}

func newFit(ctx context.Context, items int, lists []osm.List, o Options) (*fit, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	run, err := ascent.New(ctx, items, lists, o.Options)
	if err != nil {
		return nil, err
	}
	f := &fit{Run: run, tasks: make([]task, run.Tasks()), models: make([]latent.Model, run.Workers())}
	if o.Levels != nil {
		if err := o.Levels.check(items, lists); err != nil {
			return nil, err
		}
		f.levels = newLevels(o.Levels, run)
	}
	if dims := o.Features(); dims > 0 {
		if err := f.features(ctx, dims); err != nil {
			return nil, err
		}
		if f.regression, err = newRegression(run); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// features finds the co-occurrence features of the items, unless the state has them.
func (f *fit) features(ctx context.Context, dims int) error {
	s, items := f.State, f.State.Now.Items
	if s.CoOccurrence == nil {
		if s.Epoch > 0 {
			return fmt.Errorf("train: the state to resume from, at epoch %d, has no co-occurrence features; resume with co-occurrence 0, or start anew", s.Epoch)
		}
		found, err := parallel.Await(ctx, func() *cooccurrence.Features { return cooccurrence.Find(items, f.Lists, dims, f.Seed, f.Jobs) })
		if err != nil {
			return err
		}
		s.CoOccurrence = found
	}
	if own := s.CoOccurrence; own.Dims != dims || len(own.Items) != items*dims {
		return fmt.Errorf("train: %d co-occurrence features of %d items, where there are %d of %d", own.Dims, len(own.Items)/max(1, own.Dims), dims, items)
	}
	return nil
}

// Gradient computes the gradient of one list.
func (f *fit) Gradient(worker int, t *ascent.Task) {
	own, model := &f.tasks[t.Index], &f.models[worker]
	f.State.Now.Refill(model, t.List.Items)
	if f.levels != nil {
		own.levels = f.levels.leaveOut(t, model, own.levels[:0])
	}
	t.LogLikelihood = own.likelihood.Add(model, t.List.Order)
	t.Gradient = &own.likelihood
}

// Updated makes the steps of the regressions in the prior. With lists elsewhere the
// coefficients of co-occurrence stay.
func (f *fit) Updated(tasks []*ascent.Task, block int) {
	if f.levels != nil {
		f.levels.step(f, tasks)
	}
	if f.regression != nil && f.Prior.Correction == nil {
		f.regression.add(tasks, block)
	}
}

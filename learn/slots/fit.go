package slots

import (
	"context"
	"fmt"

	"fubini/core/parallel"
	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Fit estimates the parameters of the latent model of n items from lists: the maximum of the
// slot likelihood times the prior density, by stochastic gradient ascent ([ascent.Run.Train]).
// The slot likelihood is the product, over the items of a list, of the probability of the item's
// slot (a tier, or a gap between tiers) given the order of the others: docs/maths.md#slot-likelihood. With
// Discount, items in few lists are then moved to the middle ([Discounted]). The parameters come with the moments of the lists
// under them ([latent.Population]). A run that pauses (Until) returns the current point alone.
// When the context ends it returns the context's error and the current point, and saves the
// state after the last whole epoch if [ascent.Options] has Save.
func (o Options) Fit(ctx context.Context, n int, lists []osm.Packed) (*ascent.Estimate, error) {
	f, err := newFit(ctx, n, lists, o)
	if err != nil {
		return nil, err
	}
	fitted, err := f.Train(ctx, ascent.Method{Objective: f, Rule: ascent.Newton, PullEvery: f.pullEvery()})
	if err != nil {
		return fitted, err
	}
	if f.Until < f.Epochs {
		return fitted, nil
	}
	if o.Start != nil {
		fitted.Catalogue.Population = o.Start.Population
		return fitted, nil
	}
	if o.Discount {
		fitted.Catalogue = Discounted(fitted.Catalogue, &f.Prior, f.State.Curvature, f.Times())
	}
	fitted.Catalogue.Population, err = populationOf(fitted.Catalogue, f.State.Tastes, lists, f.Longest, f.Jobs)
	return fitted, err
}

// pullEvery is the number of updates between two moves of all items to their prior means. Where items are in many lists the prior is weak
// beside them, and four steps at once are nearly as good as one after every update, which is then the work of the items of its lists alone. With
// many epochs, which small sets have, there is no time to gain.
func (f *fit) pullEvery() int {
	if f.many && f.Epochs <= fewestEpochs {
		return 4
	}
	return 1
}

// fit is the [ascent.Objective] of a run: the log slot likelihood. The two regressions move the
// prior means of the parameters of items.
type fit struct {
	*ascent.Run
	tasks      []task
	rows       []float64      // gradients of W of all tasks
	longest    int            // rows of a task
	many       bool           // items are in more than manyLists on average
	models     []latent.Model // scratch space of each worker
	levels     *levels        // of worths on rating levels; nil for none
	regression *regression    // of u, W and V on co-occurrence features; nil for none
	relevance  *relevance     // precision of the prior on the weights of each unit; nil for that of the prior
}

// task is scratch space for one list of a batch.
type task struct {
	likelihood latent.SlotLikelihood
	levels     []float64 // of the list's items
}

// newFit prepares a run: the loop of package ascent, then the regressions.
func newFit(ctx context.Context, items int, lists []osm.Packed, o Options) (*fit, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := osm.ValidatePacked(items, lists); err != nil {
		return nil, fmt.Errorf("slots: %w", err)
	}
	if err := o.Resolve(ctx, items, lists); err != nil {
		return nil, err
	}
	run, err := ascent.New(items, lists, o.Options)
	if err != nil {
		return nil, err
	}
	if p := o.Prior; p.ByRule {
		run.State.Precisions = []float64{p.U, p.W, p.V}
	}
	f := &fit{Run: run, tasks: make([]task, run.Tasks()), models: make([]latent.Model, run.Workers())}
	listed, places := ascent.Counts(lists, run.Longest)
	f.many = places > manyLists*listed
	for _, list := range lists {
		f.longest = max(f.longest, min(len(list.Items), run.Longest))
	}
	size := f.longest * run.State.Now.K
	f.rows = make([]float64, len(f.tasks)*size)
	for k := range f.tasks {
		f.tasks[k].likelihood.W = f.rows[k*size : k*size : (k+1)*size]
	}
	if o.Levels != nil {
		if err := o.Levels.check(items, lists); err != nil {
			return nil, err
		}
		f.levels = newLevels(o.Levels, run)
	}
	if o.usesTastes() {
		if err := f.sampleTastes(ctx, o.sampled); err != nil {
			return nil, err
		}
	}
	if dims := o.Features(); dims > 0 {
		if err := f.features(ctx, dims); err != nil {
			return nil, err
		}
		if f.regression, err = newRegression(run); err != nil {
			return nil, err
		}
		run.Sum = f.regression.gradient
	}
	if t := run.State.Tastes; t != nil && run.State.Epoch == 0 {
		vec.AddTimes(run.State.Now.U, t.U, 1)
		vec.AddTimes(run.State.Now.W, t.W, 1)
	}
	if o.Relevance && !o.usesTastes() && o.Units == latent.Gaussian && o.Hidden > 0 && run.Prior.W > 0 && o.Start == nil && o.Prior.Shares == nil {
		f.relevance = newRelevance(f)
	}
	return f, nil
}

// sampleTastes gives the prior its mean by sampled tastes, unless the resumed state has them.
func (f *fit) sampleTastes(ctx context.Context, sampled *ascent.Tastes) (err error) {
	s, now := f.State, f.State.Now
	if s.Tastes == nil {
		if s.Epoch > 0 {
			return fmt.Errorf("slots: the state to resume from, at epoch %d, has no sampled tastes; resume with tastes never, or start anew", s.Epoch)
		}
		if s.Tastes = sampled.Clone(); s.Tastes == nil {
			if s.Tastes, err = tastesOf(ctx, now.Items, now.K, f.Size, f.Lists, tasteSweeps, f.Seed, f.Jobs); err != nil {
				return err
			}
		}
		if f.levels != nil { // of worths they say what tastes say
			clear(s.Tastes.U)
		}
	}
	f.Prior.W *= tasteFactor
	f.Prior.Mean = now.New()
	copy(f.Prior.Mean.U, s.Tastes.U)
	copy(f.Prior.Mean.W, s.Tastes.W)
	return nil
}

// features computes the co-occurrence features of the items, unless the resumed state has them.
func (f *fit) features(ctx context.Context, dims int) error {
	s, items := f.State, f.State.Now.Items
	if s.CoOccurrence == nil {
		if s.Epoch > 0 {
			return fmt.Errorf("slots: the state to resume from, at epoch %d, has no co-occurrence features; resume with co-occurrence 0, or start anew", s.Epoch)
		}
		found, err := parallel.Await(ctx, func() *cooccurrence.Features { return cooccurrence.Compute(items, f.Lists, dims, f.Seed, f.Jobs) })
		if err != nil {
			return err
		}
		s.CoOccurrence = found
	}
	if own := s.CoOccurrence; own.Dims != dims || len(own.Items) != items*dims {
		return fmt.Errorf("slots: %d co-occurrence features of %d items, where there are %d of %d", own.Dims, len(own.Items)/max(1, own.Dims), dims, items)
	}
	return nil
}

// Gradient computes the log slot likelihood of one list and its gradient. The model of the
// list has the current parameters of its items. In its worths, rating levels are replaced by
// those computed without this list.
func (f *fit) Gradient(worker int, t *ascent.Task) {
	own, model := &f.tasks[t.Index], &f.models[worker]
	f.State.Now.Refill(model, t.List.Items)
	if f.levels != nil {
		own.levels = f.levels.leaveOut(t, model, own.levels[:0])
	}
	t.LogLikelihood = own.likelihood.Evaluate(model, t.List.Order)
	t.Gradient, t.Rows, t.First = &own.likelihood, f.rows, t.Index*f.longest
}

// Updated makes a step of the regression coefficients after every update of the parameters.
func (f *fit) Updated(tasks []*ascent.Task, batch int) {
	if f.levels != nil {
		f.levels.step(tasks, func(t *ascent.Task) []float64 { return f.tasks[t.Index].levels })
	}
	if f.regression != nil {
		f.regression.add(tasks, batch)
	}
	if f.relevance != nil {
		f.relevance.add(tasks)
	}
}

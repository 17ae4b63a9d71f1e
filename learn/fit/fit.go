package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/model/osm"
)

// Result is a point estimate.
type Result struct {
	Theta []float64  // mean of the parameters over the second half of the updates; without chains, the last
	Moves mcmc.Tally // counts of the moves of all chains
	// Residual estimates the distance from Theta to the maximum, in standard errors of
	// the estimate per parameter: the length of a Newton step along the mean gradient over
	// the same updates. The noise of chains alone gives about 1/sqrt(epochs).
	Residual float64
}

// Fit estimates the parameters of a family from lists: the maximum of the likelihood, or
// with a prior of the posterior density. For worths without a prior it first checks
// that a maximum exists ([osm.Connectivity]). With a residual above 0.5 it returns the result
// and [ErrNotConverged].
func Fit(ctx context.Context, family osm.Family, lists []osm.List, options Options) (*Result, error) {
	if len(lists) == 0 {
		return nil, fmt.Errorf("fit: no lists to learn from")
	}
	options, err := options.resolved(len(lists))
	if err != nil {
		return nil, err
	}
	if err := osm.Validate(family, lists); err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	if can, ok := family.(osm.Exister); ok && options.Precision == 0 {
		if err := can.Exists(lists); err != nil {
			return nil, err
		}
	}
	f := &fit{Options: options, family: family, theta: make([]float64, family.Dim()), exact: options.Batch >= len(lists)}
	if err := f.bind(lists); err != nil {
		return nil, err
	}
	f.scale = newScale(family.Dim(), options.Precision/float64(len(lists)))
	return f.run(ctx)
}

// fit is the state of a run.
type fit struct {
	Options
	family osm.Family
	learn  []*learner
	theta  []float64 // current parameters
	scale  *scale    // running estimate of the information
	first  []float64 // diagonal of the information early in the run
	exact  bool      // no list has a chain, and all are seen at once
	steps  int       // updates so far
}

// learner is one list, its model, and its chain if it has one.
type learner struct {
	list     osm.List
	model    osm.Bound
	observed []float64 // statistics of the list
	gradient []float64 // of the log likelihood: statistics observed, minus sampled or expected
	distance float64

	exact   bool
	twin    *learner  // an earlier exact list of the same items, with the same expectations
	mean    []float64 // exact expectations of the statistics
	logZ    float64
	certain bool // the exact probability of the list is 1 up to 1e-4
	chain   *partition.Partition
	kernel  mcmc.Kernel[partition.Partition]
	moves   mcmc.Tally
	err     error
}

// bind makes a learner of every list. A chain starts from a uniform draw.
func (f *fit) bind(lists []osm.List) error {
	seen := map[string]*learner{} // exact lists by their items
	for l, list := range lists {
		model, err := f.family.Bind(list.Items)
		if err != nil {
			return fmt.Errorf("fit: list %d: %w", l, err)
		}
		width := len(model.Index())
		learner := &learner{list: list, model: model, observed: make([]float64, width), gradient: make([]float64, width)}
		model.Statistics(list.Order, learner.observed)
		if learner.exact = len(list.Items) <= f.ExactTo; learner.exact {
			learner.mean = make([]float64, width)
			key := fmt.Sprint(list.Items)
			if learner.twin = seen[key]; learner.twin == nil {
				seen[key] = learner
			}
		} else {
			learner.chain = partition.OneBlock(len(list.Items))
			partition.NewUniform(len(list.Items)).Draw(rng.Stream(f.Seed, "start", uint64(l)), learner.chain)
			if learner.kernel, err = f.Moves.Sweep(model, partition.Space{}); err != nil {
				return fmt.Errorf("fit: list %d: %w", l, err)
			}
		}
		f.exact = f.exact && learner.exact
		f.learn = append(f.learn, learner)
	}
	return nil
}

// run makes the epochs, and averages the second half of the updates.
func (f *fit) run(ctx context.Context) (*Result, error) {
	batches := (len(f.learn) + f.Batch - 1) / f.Batch
	updates := f.Epochs * batches
	point, gradient := newMean(f.theta), newMean(f.theta)
	result := &Result{}
	for epoch := range f.Epochs {
		var seen mcmc.Tally
		for b := range batches {
			batch := f.learn[b*f.Batch : min(len(f.learn), (b+1)*f.Batch)]
			f.visit(ctx, batch, b*f.Batch, epoch)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, l := range batch {
				if l.err != nil {
					return nil, l.err
				}
				seen.Add(&l.moves)
			}
			g := f.update(batch)
			// Averages take out the chains' noise. Without chains there is none.
			if 2*f.steps > updates && (!f.exact || f.steps == updates) {
				point.add(f.theta)
				gradient.add(g)
			}
		}
		result.Moves.Add(&seen)
		if f.Observer != nil {
			f.Observer.Epoch(Progress{Epoch: epoch + 1, Epochs: f.Epochs, Distance: f.distance(), Moves: seen, Theta: f.theta})
		}
	}
	result.Theta = point.value
	for k, v := range result.Theta {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("fit: parameter %s left the range of numbers; lower the rate or use a prior", f.family.Name(k))
		}
	}
	result.Residual = f.residual(gradient.value)
	if err := f.runaway(); err != nil && f.Precision == 0 {
		return result, err
	}
	if !(result.Residual <= 0.5) {
		return result, fmt.Errorf("%w after %d epochs: the maximum seems %.1f standard errors away; train longer", ErrNotConverged, f.Epochs, result.Residual)
	}
	return result, nil
}

// visit computes the gradients of a batch. Each list has a random stream of its own in
// each epoch, so that results do not depend on the number of workers.
func (f *fit) visit(ctx context.Context, batch []*learner, first, epoch int) {
	share := func(work func(r *rng.Rand, k int)) {
		streams := make([]*rng.Rand, parallel.Size(len(batch), f.Jobs))
		for w := range streams {
			streams[w] = rng.Stream(0, "")
		}
		parallel.Until(ctx, len(batch), f.Jobs, func(worker, k int) { work(streams[worker], k) })
	}
	share(func(_ *rng.Rand, k int) {
		if l := batch[k]; l.exact && (f.Batch < len(f.learn) || l.twin == nil) {
			l.expect(f.theta)
		}
	})
	share(func(r *rng.Rand, k int) {
		r.Reseed(f.Seed, "visit", uint64(first+k), uint64(epoch))
		batch[k].visit(f.theta, f.Sweeps, f.Batch < len(f.learn), r)
	})
}

// expect computes the expectations of an exact list.
func (l *learner) expect(theta []float64) {
	l.model.SetParameters(theta)
	table, err := exact.NewTable(l.model, partition.Space{})
	if err != nil {
		l.err = fmt.Errorf("fit: items %v: %w", l.list.Items, err)
		return
	}
	l.logZ = table.LogZ()
	l.model.Expected(table.Moments(), l.mean)
}

// visit computes the gradient of the log likelihood of a list: the observed statistics minus
// their expectations, or minus those of the chain after some sweeps.
// See docs/maths.md#gradient.
func (l *learner) visit(theta []float64, sweeps int, alone bool, r *rng.Rand) {
	l.model.SetParameters(theta)
	l.moves = mcmc.Tally{}
	if l.exact {
		from := l
		if l.twin != nil && !alone {
			from = l.twin
			l.err = from.err
		}
		copy(l.gradient, from.mean)
		l.certain = l.model.LogWeight(l.list.Order)-from.logZ > -1e-4
	} else {
		for range sweeps {
			l.kernel.Step(r, l.chain, &l.moves)
		}
		l.model.Statistics(l.chain, l.gradient)
		l.distance = partition.Distance(l.chain, l.list.Order)
	}
	for k, s := range l.observed {
		l.gradient[k] = s - l.gradient[k]
	}
}

// update makes one step, rate times gradient over information, and returns the gradient: the
// mean over the batch, plus that of the log prior. The order of sums is that of the lists.
func (f *fit) update(batch []*learner) []float64 {
	gradient := make([]float64, len(f.theta))
	room := f.scale.fade(f.steps) / float64(len(batch))
	for _, l := range batch {
		index := l.model.Index()
		for k, g := range l.gradient {
			gradient[index[k]] += g / float64(len(batch))
		}
		// The square of the difference of two independent draws has twice the variance as
		// its mean; that of a draw and its expectation has the variance itself.
		weight := 0.5
		if l.exact {
			weight = 1
		}
		f.scale.add(index, l.gradient, weight*room)
	}
	for k, v := range f.theta {
		gradient[k] -= f.Precision * v / float64(len(f.learn))
	}
	rate := f.Rate
	if !f.exact { // the noise has to die away
		rate *= math.Pow(1+float64(f.steps)/10, -0.6)
	}
	step := slices.Clone(gradient)
	f.scale.solve(step, 1e-3)
	for k, v := range step {
		f.theta[k] += rate * v
	}
	f.removeRedundant()
	f.steps++
	if f.steps == 3 || f.first == nil {
		f.first = slices.Clone(f.scale.diag)
	}
	return gradient
}

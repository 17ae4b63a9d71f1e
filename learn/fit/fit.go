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

// Result is a fitted point.
type Result struct {
	Theta []float64  // the average over the second half of the updates; without chains, the last
	Moves mcmc.Tally // of all chains, over the whole run
	// Residual is the mean gradient over the same updates as a distance to the
	// maximum, in standard errors of the estimate per parameter. Chains alone
	// leave about 1/sqrt(epochs); half a standard error is too much.
	Residual float64
}

// Fit maximises the likelihood of the lists (with a prior, the posterior) over
// the parameters of a family. For worths without a prior it first checks that
// a maximum exists, as far as the comparisons show it. When the gradient at the end still is
// large it returns the point with [ErrNotConverged]. It stops when the context ends.
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

type fit struct {
	Options
	family osm.Family
	learn  []*learner
	theta  []float64
	scale  *scale
	first  []float64 // diagonal of the information early in the run
	exact  bool      // no list has a chain, and all are seen at once
	steps  int       // updates so far
}

// learner is one list with its chain.
type learner struct {
	list     osm.List
	model    osm.Bound
	observed []float64 // statistics of the list
	apart    []float64 // observed minus sampled or expected, after a visit
	distance float64

	exact   bool
	twin    *learner // an exact list of the same items, whose expectations serve
	mean    []float64
	logZ    float64
	certain bool // an exact list has probability 1 for all that matters
	chain   *partition.Partition
	kernel  mcmc.Kernel[partition.Partition]
	moves   mcmc.Tally
	err     error
}

func (f *fit) bind(lists []osm.List) error {
	seen := map[string]*learner{} // exact lists by their items
	for l, list := range lists {
		model, err := f.family.Bind(list.Items)
		if err != nil {
			return fmt.Errorf("fit: list %d: %w", l, err)
		}
		width := len(model.Index())
		learner := &learner{list: list, model: model, observed: make([]float64, width), apart: make([]float64, width)}
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
			if learner.kernel, err = f.Kernel.build(model); err != nil {
				return fmt.Errorf("fit: list %d: %w", l, err)
			}
		}
		f.exact = f.exact && learner.exact
		f.learn = append(f.learn, learner)
	}
	return nil
}

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

// runaway finds parameters that grow for ever because the data can be explained
// without fault: with chains, when a parameter's statistic hardly varies any
// more; without, when every list is as good as certain. A log weight of
// thousands is beyond what any data could tell.
func (f *fit) runaway() error {
	for k, v := range f.theta {
		if math.Abs(v)*math.Sqrt(f.first[k]) > 1e4 {
			return fmt.Errorf("%w: %s runs away to %.3g; use a prior", ErrNotConverged, f.family.Name(k), v)
		}
	}
	if k := f.scale.collapsed(f.first); !f.exact && k >= 0 {
		return fmt.Errorf("%w: %s seems to run away, because some parameters explain the data without fault; use a prior", ErrNotConverged, f.family.Name(k))
	}
	if !f.exact {
		return nil
	}
	for _, l := range f.learn {
		if !l.certain {
			return nil
		}
	}
	return fmt.Errorf("%w: the parameters run away, because they explain the data without fault; use a prior", ErrNotConverged)
}

// residual is the length of the step that a gradient asks for.
func (f *fit) residual(gradient []float64) float64 {
	step := slices.Clone(gradient)
	f.scale.solve(step, 1e-9)
	var square float64
	for k, g := range gradient {
		square += g * step[k]
	}
	return math.Sqrt(square * float64(len(f.learn)) / float64(len(gradient)))
}

// visit moves the chains of a batch; each list has a stream of its own for each
// epoch, so it does not matter which worker takes it.
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

func (l *learner) visit(theta []float64, sweeps int, alone bool, r *rng.Rand) {
	l.model.SetParameters(theta)
	l.moves = mcmc.Tally{}
	if l.exact {
		from := l
		if l.twin != nil && !alone {
			from = l.twin
			l.err = from.err
		}
		copy(l.apart, from.mean)
		l.certain = l.model.LogWeight(l.list.Order)-from.logZ > -1e-4
	} else {
		for range sweeps {
			l.kernel.Step(r, l.chain, &l.moves)
		}
		l.model.Statistics(l.chain, l.apart)
		l.distance = partition.Distance(l.chain, l.list.Order)
	}
	for k, s := range l.observed {
		l.apart[k] = s - l.apart[k]
	}
}

// update makes one step of stochastic approximation, in the order of the
// lists, and returns the gradient it followed.
func (f *fit) update(batch []*learner) []float64 {
	gradient := make([]float64, len(f.theta))
	room := f.scale.fade(f.steps) / float64(len(batch))
	for _, l := range batch {
		index := l.model.Index()
		for k, g := range l.apart {
			gradient[index[k]] += g / float64(len(batch))
		}
		// Half the square of a difference of two independent draws has the
		// covariance as its mean; against an expectation the half is whole.
		weight := 0.5
		if l.exact {
			weight = 1
		}
		f.scale.add(index, l.apart, weight*room)
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

// removeRedundant projects the point onto the complement of the redundant directions,
// unless a prior holds them: they change no distribution, and would drift.
func (f *fit) removeRedundant() {
	if f.Precision > 0 {
		return
	}
	for _, direction := range f.family.Redundant() {
		var along, square float64
		for k, v := range direction {
			along += f.theta[k] * v
			square += v * v
		}
		for k, v := range direction {
			f.theta[k] -= along / square * v
		}
	}
}

func (f *fit) distance() float64 {
	var total float64
	chains := 0
	for _, l := range f.learn {
		if !l.exact {
			total += l.distance
			chains++
		}
	}
	if chains == 0 {
		return 0
	}
	return total / float64(chains)
}

// mean is a running average of vectors.
type mean struct {
	value []float64
	count int
}

func newMean(like []float64) mean { return mean{value: make([]float64, len(like))} }

func (m *mean) add(v []float64) {
	m.count++
	for k := range v {
		m.value[k] += (v[k] - m.value[k]) / float64(m.count)
	}
}

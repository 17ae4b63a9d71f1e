package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// ErrDiverged comes with the last good point when parameters leave the range of
// numbers.
var ErrDiverged = errors.New("train: diverged")

// FitLatent learns the latent model of a catalogue of so many items: gradient
// steps over blocks of lists, in a new random order each epoch, with a normal prior
// on all parameters that acts on all items at every block in proportion to its
// size. The gradients are those of the slot likelihood, or contrasts of each list
// with a persistent chain of its own. See docs/maths.md#slot-likelihood and
// #stochastic-approximation.
//
// When the context ends it saves the state after the last whole epoch, if asked to, and
// returns the context's error with the point reached.
func FitLatent(ctx context.Context, items int, lists []osm.List, options LatentOptions) (*latent.Catalogue, error) {
	if len(lists) == 0 {
		return nil, fmt.Errorf("train: no lists to learn from")
	}
	if err := osm.Validate(osm.WorthFamily{Items: items}, lists); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	for l, list := range lists {
		for _, i := range list.Items {
			if i < 0 || i >= items {
				return nil, fmt.Errorf("train: list %d: item %d is outside the catalogue of %d", l, i, items)
			}
		}
	}
	options, err := options.resolved(lists)
	if err != nil {
		return nil, err
	}
	f, err := newLatentFit(ctx, items, lists, options)
	if err != nil {
		return nil, err
	}
	return f.run(ctx)
}

type latentFit struct {
	LatentOptions
	ctx     context.Context // when it ends, so does training
	lists   []osm.List
	state   *LatentState
	tasks   []*task // one for each list of a block
	workers []*worker

	good *latent.Catalogue // before the epoch in hand

	companions *companions // nil without

	square float64 // of all levels

	times []float64 // in how many lists each item is, or more items of it than a part holds
}

// task is what one list of a block gives.
type task struct {
	list          osm.List // or the part of it that is used
	slots         latent.SlotLikelihood
	contrast      latent.Contrast
	gradient      gradient
	sight         Sight
	logLikelihood float64
	levels        []float64
	distance      float64
	moves         mcmc.Tally
}

// gradient is that of the objective of one list. Its weights may not be written
// out.
type gradient interface {
	Common() *latent.Gradient
	AddWeights(item int, times float64, to []float64)
	WeightSquare() float64
}

// addTo adds the gradient of item i, the n-th of the list, to those of all items by k
// units; v may be empty.
func (t *task) addTo(n, i, k int, u, w, v []float64) {
	common := t.gradient.Common()
	u[i] += common.U[n]
	t.gradient.AddWeights(n, 1, w[i*k:(i+1)*k])
	if len(v) > 0 {
		vec.AddTimes(v[i*k:(i+1)*k], common.B, latent.Presence(len(t.list.Items)))
	}
}

func newLatentFit(ctx context.Context, items int, lists []osm.List, o LatentOptions) (*latentFit, error) {
	f := &latentFit{ctx: ctx, LatentOptions: o, lists: lists, state: o.Resume}
	if o.Shares != nil && len(o.Shares) != items {
		return nil, fmt.Errorf("train: shares of %d items in a catalogue of %d", len(o.Shares), items)
	}
	if o.Start != nil && !f.fits(o.Start, items) {
		return nil, fmt.Errorf("train: the point to start from is of another model or other data")
	}
	if o.Others != nil {
		if err := o.Others.check(f, items); err != nil {
			return nil, err
		}
	}
	if o.Levels != nil {
		if err := o.Levels.check(items, lists); err != nil {
			return nil, err
		}
		f.square = o.Levels.square()
	}
	if f.state == nil {
		f.state = f.start(items)
	} else if err := f.check(items); err != nil {
		return nil, err
	}
	for range min(o.Batch, len(lists)) {
		f.tasks = append(f.tasks, &task{})
	}
	for range min(o.Jobs, len(f.tasks)) {
		f.workers = append(f.workers, newWorker(o))
	}
	f.times = make([]float64, items)
	for _, list := range lists {
		used := math.Min(1, float64(o.Longest)/float64(len(list.Items)))
		for _, i := range list.Items {
			f.times[i] += used
		}
	}
	if f.Company > 0 {
		if f.state.Company == nil {
			found, err := parallel.Await(ctx, func() *Company { return FindCompany(items, lists, o.Company, o.Seed, o.Jobs) })
			if err != nil {
				return nil, err
			}
			f.state.Company = found
		}
		var err error
		if f.companions, err = newCompanions(f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// start is the point that a run starts from, and its chains.
func (f *latentFit) start(items int) *LatentState {
	s := StartLatent(items, f.LatentOptions)
	if f.Start != nil {
		s.Now = f.Start.Clone()
	}
	s.Ranks = StartChains(f.lists, f.LatentOptions)
	return s
}

// check refuses a state that is not of these lists and options.
func (f *latentFit) check(items int) error {
	s := f.state
	for _, c := range []*latent.Catalogue{s.Now, s.Mean} {
		if !f.fits(c, items) {
			return fmt.Errorf("train: the state to resume from is of another model or other data")
		}
	}
	if len(s.SizeSight) != len(s.Now.Sizes) {
		return fmt.Errorf("train: the state to resume from has %d weights by tier size and tells of %d", len(s.Now.Sizes), len(s.SizeSight))
	}
	if s.Epoch < 0 || s.Epoch > f.Epochs {
		return fmt.Errorf("train: the state to resume from is at epoch %d of %d", s.Epoch, f.Epochs)
	}
	if f.Company > 0 && s.Company == nil && s.Epoch > 0 {
		return fmt.Errorf("train: the state to resume from, at epoch %d, knows nothing of the company of items; resume without company, or start anew", s.Epoch)
	}
	if f.Objective == Slots {
		return nil
	}
	if len(s.Ranks) != len(f.lists) {
		return fmt.Errorf("train: the state to resume from has %d chains for %d lists", len(s.Ranks), len(f.lists))
	}
	for l, list := range f.lists {
		if n := len(list.Items); n <= f.Longest && len(s.Ranks[l]) != n {
			return fmt.Errorf("train: the chain of list %d to resume from has %d items, the list %d", l, len(s.Ranks[l]), n)
		}
	}
	return nil
}

// fits says whether a point is of this model.
func (f *latentFit) fits(c *latent.Catalogue, items int) bool {
	hidden, options := f.Shape()
	return c != nil && len(c.U) == items && c.Sizes.Most() == f.largest && c.K == hidden && c.Units == f.Units && c.Options == options && (c.V != nil) == f.Presence
}

func (f *latentFit) run(ctx context.Context) (*latent.Catalogue, error) {
	order := make([]int, len(f.lists))
	for f.state.Epoch < f.Until {
		epoch := f.state.Epoch
		if err := ctx.Err(); err != nil {
			return f.point(), errors.Join(err, f.save(true))
		}
		f.good = f.state.Now.Clone()
		begun := f.state
		if f.Save != nil { // to go on from, should the context end within the epoch
			begun = f.state.Clone()
		}
		rng.Permutation(rng.Stream(f.Seed, "order", uint64(epoch)), order)
		progress := LatentProgress{Epoch: epoch + 1, Epochs: f.Epochs, Validation: math.NaN()}
		slots, blocks := 0, 0
		for block := range slices.Chunk(order, f.Batch) {
			f.visit(block, epoch)
			if err := ctx.Err(); err != nil {
				f.state = begun
				return f.point(), errors.Join(err, f.save(true))
			}
			f.state.Sight.look(f.tasks[:len(block)])
			f.state.lookSizes(f.tasks[:len(block)])
			square := f.update(len(block))
			progress.Gradient += square
			blocks++
			f.steer(blocks, len(block))
			for _, t := range f.tasks[:len(block)] {
				progress.LogLikelihood += t.logLikelihood
				progress.Distance += t.distance / float64(len(f.lists))
				progress.Moves.Add(&t.moves)
				slots += len(t.list.Items)
			}
		}
		progress.LogLikelihood /= float64(slots)
		progress.Gradient = math.Sqrt(progress.Gradient / float64(blocks))
		if !f.state.Now.Finite() || math.IsNaN(progress.Gradient) {
			return f.good, fmt.Errorf("%w: parameters left the range of numbers in epoch %d; lower the rate (%g) or raise the priors", ErrDiverged, epoch+1, f.Rate)
		}
		f.state.Epoch++
		if 2*epoch >= f.Epochs {
			f.state.Averaged++
			f.state.Mean.MoveTowards(f.state.Now, 1/float64(f.state.Averaged))
		}
		done := f.validate(&progress)
		if f.Observer != nil {
			f.Observer(progress)
		}
		if err := f.save(false); err != nil {
			return f.point(), err
		}
		if done {
			break
		}
	}
	return f.point(), nil
}

// point is the result as things stand.
func (f *latentFit) point() *latent.Catalogue {
	if f.state.Best != nil {
		return f.state.Best
	}
	return f.current()
}

// current is the point of this epoch, the best or not.
func (f *latentFit) current() *latent.Catalogue {
	if f.Last || f.state.Averaged == 0 {
		return f.state.Now
	}
	return f.state.Mean
}

// validate judges the point of an epoch and says whether to stop.
func (f *latentFit) validate(p *LatentProgress) (done bool) {
	if f.Validate == nil {
		return false
	}
	s := f.state
	p.Validation = f.Validate(f.current())
	if s.Best == nil || p.Validation > s.BestValidation {
		s.Best, s.BestAt, s.BestValidation = f.current().Clone(), p.Epoch, p.Validation
	}
	return p.Epoch-s.BestAt >= f.Patience
}

func (f *latentFit) save(now bool) error {
	if f.Save == nil || !now && f.state.Epoch%f.SaveEvery != 0 && f.state.Epoch != f.Until {
		return nil
	}
	return f.Save(f.state)
}

// visit computes the gradients of a block, each list by whichever worker has it.
func (f *latentFit) visit(block []int, epoch int) {
	jobs := len(f.workers)
	parallel.Together(jobs, func(w int) {
		for k := w; k < len(block) && f.ctx.Err() == nil; k += jobs {
			f.list(f.workers[w], f.tasks[k], block[k], epoch)
		}
	})
}

// steer lets the coefficients of company make a step after some of the blocks of an
// epoch, the last among them, so that nothing is left for the next. With lists elsewhere
// they stay as they are.
func (f *latentFit) steer(blocks, lists int) {
	c := f.companions
	if c == nil || f.Others != nil {
		return
	}
	c.lists += lists
	all := (len(f.lists) + f.Batch - 1) / f.Batch
	if every := (all + companySteps - 1) / companySteps; blocks%every == 0 || blocks == all {
		f.follow(f.stride(lists))
	}
}

// list computes the gradient of one list.
func (f *latentFit) list(w *worker, t *task, l, epoch int) {
	f.contrast(w, t, l, epoch)
	t.sight = see(t.gradient)
}

func (f *latentFit) contrast(w *worker, t *task, l, epoch int) {
	var chosen []int
	t.list, chosen = f.part(l, epoch)
	kit := w.kit(f.state.Now, t.list.Items)
	if f.Levels != nil {
		f.others(t, kit, l, chosen)
	}
	if f.Objective == Slots {
		t.slots.UnitTies = f.Ties != BaseTies
		t.logLikelihood = t.slots.Add(kit.model, t.list.Order)
		t.gradient = &t.slots
		return
	}
	t.moves = mcmc.Tally{}
	w.random.Reseed(f.Seed, "visit", uint64(l), uint64(epoch))
	ranks := f.state.Ranks[l]
	if ranks == nil {
		kit.state.X.CopyFrom(t.list.Order)
	} else {
		w.load(ranks, kit.state.X)
	}
	for range f.Sweeps {
		kit.kernel.Step(w.random, &kit.state, &t.moves)
	}
	if ranks != nil {
		saveRanks(kit.state.X, ranks)
	}
	t.contrast.Set(kit.model, t.list.Order, kit.state.X)
	t.gradient = &t.contrast
	t.distance = partition.Distance(kit.state.X, t.list.Order)
}

// part is the list itself, or a fresh random part of one that is too long, and then
// which places of it.
func (f *latentFit) part(l, epoch int) (osm.List, []int) {
	list := f.lists[l]
	if len(list.Items) <= f.Longest {
		return list, nil
	}
	chosen := make([]int, len(list.Items))
	rng.Permutation(rng.Stream(f.Seed, "part", uint64(l), uint64(epoch)), chosen)
	chosen = chosen[:f.Longest]
	slices.Sort(chosen)
	return list.Part(chosen), chosen
}

// stripe is how many neighbouring items one worker updates: eight numbers are a
// cache line, which two workers must not write to in turn.
const stripe = 8

// update makes one step, adding the gradients in the order of the block, and
// returns the square of the length of those of W and u. Items are divided among
// the workers; each adds up its own in the order of the block, so that it does not
// matter how many there are.
func (f *latentFit) update(lists int) (square float64) {
	c, s, tasks, jobs := f.state.Now, f.stride(lists), f.tasks[:lists], len(f.workers)
	k := c.K
	parallel.Together(jobs, func(w int) {
		for first := w * stripe; first < len(c.U); first += jobs * stripe {
			for i := first; i < min(first+stripe, len(c.U)); i++ {
				f.settle(i, &s)
			}
		}
		for _, t := range tasks {
			common := t.gradient.Common()
			for n, i := range t.list.Items {
				if i/stripe%jobs == w {
					step := s.item(f, i)
					if f.companions != nil && f.Others == nil { // with lists elsewhere coefficients stay
						f.companions.take(t, n, i)
					}
					c.U[i] += step.u * common.U[n]
					t.gradient.AddWeights(n, step.w, c.W[i*k:(i+1)*k])
					if c.V != nil {
						vec.AddTimes(c.V[i*k:(i+1)*k], common.B, step.v*latent.Presence(len(t.list.Items)))
					}
				}
			}
		}
	})
	var nu float64
	nuK, b := make([]float64, k), make([]float64, k)
	for _, t := range tasks {
		square += t.sight.U + t.sight.W
		common := t.gradient.Common()
		nu += common.Nu
		vec.AddTimes(nuK, common.NuK, 1)
		vec.AddTimes(b, common.B, 1)
	}
	if f.Levels != nil {
		f.tilt(tasks, &s)
	}
	if f.Start != nil {
		return square // what all lists share stays as many more lists had it
	}
	switch f.Ties {
	case SharedTies: // one parameter, in the base and in every unit
		for _, v := range nuK {
			nu += v
		}
		*c.Nu += s.nu * nu
		for j := range c.NuK {
			c.NuK[j] = *c.Nu
		}
	case UnitTies:
		*c.Nu += s.nu * nu
		vec.AddTimes(c.NuK, nuK, s.nuK)
	default:
		*c.Nu += s.nu * nu
	}
	if f.Biases {
		vec.AddTimes(c.B, b, s.b)
	}
	if c.Sizes != nil {
		f.stepSizes(tasks, &s)
	}
	return square
}

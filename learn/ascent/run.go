package ascent

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/osm"
)

// ErrDiverged comes with the last good point when parameters leave the range of
// numbers.
var ErrDiverged = errors.New("train: diverged")

// Method is what differs between ways of training.
type Method struct {
	Objective  Objective
	Rule       Rule
	Schedule   Schedule
	Last       bool // the result is the last point, not the average over the second half
	SharedTies bool // every unit has the tie weight of the base
}

// Objective is a sum over lists.
type Objective interface {
	// Gradient computes the gradient of the objective of a task's list. It is called by
	// several goroutines at once, worker being the number of each.
	Gradient(worker int, t *Task)
	// Updated is called after every update, with the tasks of the block and its number in
	// the epoch, from 1.
	Updated(tasks []*Task, block int)
}

// Task is one list of a block, and its gradient.
type Task struct {
	Index  int      // in the block
	Number int      // of the list
	Epoch  int      // in hand
	List   osm.List // or the part of it that is used
	Places []int    // the places in the whole list of that part; nil for all

	// Set by the objective.
	Gradient      ListGradient
	LogLikelihood float64
	Moved

	squares Curvature
}

// ListGradient is the gradient of the objective of one list. Its weights may not be written
// out.
type ListGradient interface {
	Common() *latent.Gradient
	AddWeights(item int, times float64, to []float64)
	WeightSquare() float64
}

// Schedule is how the rate changes.
type Schedule int

// Linear falls to zero, Inverse to a tenth, as 1/(1+9t) in the share t of
// epochs that are done; Constant stays.
const (
	Linear Schedule = iota
	Inverse
	Constant
)

// Run is one training run.
type Run struct {
	Options
	Method
	Lists []osm.List
	State *State
	Whole float64 // lists in all for each in the block

	ctx   context.Context // when it ends, so does training
	tasks []*Task         // one for each list of a block
	jobs  int
	times []float64         // of each item: the number of lists it is in, a list that is used in part counting for that part
	steps []Kinds           // of each item, in the update in hand
	good  *latent.Catalogue // before the epoch in hand
}

// New prepares a run. The method's objective is set by the caller before it starts.
func New(ctx context.Context, items int, lists []osm.List, o Options) (*Run, error) {
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
	if err := o.resolve(lists); err != nil {
		return nil, err
	}
	f := &Run{Options: o, Lists: lists, State: o.Resume, ctx: ctx, times: make([]float64, items), steps: make([]Kinds, items)}
	shape, err := f.shape(items)
	if err != nil {
		return nil, err
	}
	if err := o.Prior.check(shape); err != nil {
		return nil, err
	}
	if f.State == nil {
		f.State = NewState(shape, o.Seed)
		if o.Start != nil {
			f.State.Now = o.Start.Clone()
		}
	} else if err := f.State.check(shape, o.Epochs); err != nil {
		return nil, err
	}
	for k := range min(o.Batch, len(lists)) {
		f.tasks = append(f.tasks, &Task{Index: k})
	}
	f.jobs = min(o.Jobs, len(f.tasks))
	for _, list := range lists {
		used := f.Used(list)
		for _, i := range list.Items {
			f.times[i] += used
		}
	}
	return f, nil
}

// shape is that of the catalogue, and of the point to start from.
func (f *Run) shape(items int) (latent.Shape, error) {
	largest := 0
	if f.Sizes {
		largest = largestTier(f.Lists, f.Longest)
	}
	if f.Start != nil { // what all lists share stays as it was
		largest = f.Start.Largest
	}
	shape := f.Shape(items, largest)
	if f.Start != nil && f.Start.Shape != shape {
		return shape, fmt.Errorf("train: the point to start from is of another model or other data")
	}
	return shape, nil
}

// Workers is the number of goroutines, and Tasks that of the lists of a block.
func (f *Run) Workers() int { return f.jobs }

// Tasks is the number of lists of a block.
func (f *Run) Tasks() int { return len(f.tasks) }

// Used is the share of a list that an epoch uses.
func (f *Run) Used(list osm.List) float64 {
	return math.Min(1, float64(f.Longest)/float64(len(list.Items)))
}

// Train runs the epochs and returns the result. When the context ends it saves the state
// after the last whole epoch, if asked to, and returns the context's error with the point
// reached.
func (f *Run) Train(ctx context.Context, m Method) (*latent.Catalogue, error) {
	f.Method = m
	order := make([]int, len(f.Lists))
	for f.State.Epoch < f.Until {
		epoch := f.State.Epoch
		if err := ctx.Err(); err != nil {
			return f.State.Point(f.Last), errors.Join(err, f.save(true))
		}
		f.good = f.State.Now.Clone()
		begun := f.State
		if f.Save != nil { // to continue from, should the context end within the epoch
			begun = f.State.Clone()
		}
		rng.Permutation(rng.Stream(f.Seed, "order", uint64(epoch)), order)
		progress := Progress{Epoch: epoch + 1, Epochs: f.Epochs, Validation: math.NaN(), State: f.State}
		slots, blocks := 0, 0
		for block := range slices.Chunk(order, f.Batch) {
			tasks := f.visit(block, epoch)
			if err := ctx.Err(); err != nil {
				f.State = begun
				return f.State.Point(f.Last), errors.Join(err, f.save(true))
			}
			f.State.Curvature.update(tasks)
			f.State.updateSizes(tasks)
			progress.Gradient += f.update(tasks)
			blocks++
			f.Objective.Updated(tasks, blocks)
			for _, t := range tasks {
				progress.LogLikelihood += t.LogLikelihood
				progress.Distance += t.Distance / float64(len(f.Lists))
				progress.Moves.Add(&t.Tally)
				slots += len(t.List.Items)
			}
		}
		progress.LogLikelihood /= float64(slots)
		progress.Gradient = math.Sqrt(progress.Gradient / float64(blocks))
		if !f.State.Now.Finite() || math.IsNaN(progress.Gradient) {
			return f.good, fmt.Errorf("%w: parameters left the range of numbers in epoch %d; lower the rate (%g) or raise the priors", ErrDiverged, epoch+1, f.Rate)
		}
		f.State.Epoch++
		if 2*epoch >= f.Epochs {
			f.State.Averaged++
			f.State.Mean.MoveTowards(f.State.Now, 1/float64(f.State.Averaged))
		}
		done := f.validate(&progress)
		if f.Observer != nil {
			f.Observer(progress)
		}
		if err := f.save(false); err != nil {
			return f.State.Point(f.Last), err
		}
		if done {
			break
		}
	}
	return f.State.Point(f.Last), nil
}

// validate judges the point of an epoch and reports whether to stop.
func (f *Run) validate(p *Progress) (done bool) {
	if f.Validate == nil {
		return false
	}
	s, current := f.State, f.State.current(f.Last)
	p.Validation = f.Validate(current)
	if s.Best == nil || p.Validation > s.BestValidation {
		s.Best, s.BestAt, s.BestValidation = current.Clone(), p.Epoch, p.Validation
	}
	return p.Epoch-s.BestAt >= f.Patience
}

func (f *Run) save(now bool) error {
	if f.Save == nil || !now && f.State.Epoch%f.SaveEvery != 0 && f.State.Epoch != f.Until {
		return nil
	}
	return f.Save(f.State)
}

// CurrentRate is that of the epoch in hand.
func (f *Run) CurrentRate() float64 {
	done := float64(f.State.Epoch) / float64(f.Epochs)
	switch f.Schedule {
	case Linear:
		return f.Rate * (1 - done)
	case Inverse:
		return f.Rate / (1 + 9*done)
	}
	return f.Rate
}

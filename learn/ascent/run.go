package ascent

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"fubini/model/latent"
	"fubini/model/osm"
)

// Method is what differs between ways of training.
type Method struct {
	Objective  Objective
	Rule       Rule
	Schedule   Schedule
	Last       bool // the result is the last point, not the average over the second half
	SharedTies bool // every unit has the tie weight of the base
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

// New prepares a run: it checks the lists and options, and makes the state to start from.
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
		largest = cmp.Or(f.Largest, largestTier(f.Lists, f.Longest))
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

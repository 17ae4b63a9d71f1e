package ascent

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Objective is the function that is maximised: a sum over lists.
type Objective interface {
	// Gradient computes the term of the task's list and its gradient. Several goroutines call it at
	// once; worker is the number of the caller.
	Gradient(worker int, t *Task)
	// Updated is called after every update of the parameters, with the tasks of the batch and the
	// number of the batch in its epoch, from 1.
	Updated(tasks []*Task, batch int)
}

// Task is the work on one list of a batch: its gradient at the current parameters.
type Task struct {
	Index  int      // number in the batch
	Number int      // number of the list in the run
	Epoch  int      // current epoch, from 0
	List   osm.List // the list, or a random part of a long one; valid until the next visit
	Places []int    // places of that part in the whole list; nil for the whole list

	// Results, set by the objective.
	Gradient ListGradient
	// Rows, if not nil, is a matrix that the tasks of a batch share, with the gradient of W of this task's items from row First on, and no others
	// in these rows.
	Rows          []float64
	First         int
	LogLikelihood float64
	ChainStats

	squares  Curvature
	unpacker osm.Unpacker
	chosen   []int
	marked   []bool
}

// ChainStats are the distance of a chain from its list, the paper's Dist(sample, observed), and
// the counts of its moves at one visit.
type ChainStats struct {
	Distance float64
	mcmc.Tally
}

// Method has the choices in which the two ways of training, by slots and by chains, differ.
type Method struct {
	Objective  Objective
	Rule       Rule
	Schedule   Schedule
	Last       bool // the result is the last point, not the mean over the second half of the epochs
	SharedTies bool // all units share the tie weight nu of the model
	PullEvery  int  // updates between two moves to the prior mean; a move then makes that many steps at once. 0 means after each update
}

// Schedule is the decay of the learning rate over epochs.
type Schedule int

// With t the share of epochs that are finished, the rate is multiplied by 1-t (Linear), by
// 1/(1+9t) (Inverse), or by 1 (Constant).
const (
	Linear Schedule = iota
	Inverse
	Constant
)

// Run is a training run: options, lists and the state of the parameters.
type Run struct {
	Options
	Method
	Lists []osm.Packed
	State *State
	Whole float64 // number of lists over the number in the current batch
	// Sum, if not nil, is the sum of the gradients of items since it was last cleared: every update adds those of its lists.
	Sum *latent.Catalogue

	tasks   []*Task // one for each list of a batch
	turns   []turn  // the order in which those of the batch in hand are visited
	works   []int   // of each list: about the work of a visit, the number of items that an epoch uses times that of tiers
	jobs    int
	workers *parallel.Workers
	times   []float64 // of each item: the number of lists it is in, a list that is used in part counting for that part
	// Of the lists of the update in hand: the gradient of the biases times the factor on presence weights, the gradients of worths by row,
	// and, for each worker, the places of items.
	biases, worths []float64
	places         []places
	good           *latent.Catalogue // before the epoch in hand
}

// ErrNoLists is the error, wrapped, for data in which nobody has an order.
var ErrNoLists = errors.New("no lists to learn from: an order needs a person with two items or more")

// New prepares a run over a catalogue of items: it checks lists and options and sets the
// initial state.
func New(items int, lists []osm.Packed, o Options) (*Run, error) {
	if len(lists) == 0 {
		return nil, fmt.Errorf("ascent: %w", ErrNoLists)
	}
	if err := osm.ValidatePacked(items, lists); err != nil {
		return nil, fmt.Errorf("ascent: %w", err)
	}
	if err := o.resolve(lists); err != nil {
		return nil, err
	}
	if o.Plain {
		if longest := slices.MaxFunc(lists, func(a, b osm.Packed) int { return len(a.Items) - len(b.Items) }); len(longest.Items) > osm.MostTiers {
			return nil, fmt.Errorf("ascent: plain: a list of %d items without ties has more than %d tiers", len(longest.Items), osm.MostTiers)
		}
		lists = plain(lists, o.Seed)
	}
	f := &Run{Options: o, Lists: lists, State: o.Resume, times: make([]float64, items), works: make([]int, len(lists))}
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
	f.biases, f.places = make([]float64, len(f.tasks)*f.State.Now.K), make([]places, f.jobs)
	for w := range f.places {
		f.places[w] = newPlaces(f.State.Now.K, len(f.tasks))
	}
	for l, list := range lists {
		used := f.Used(list)
		f.works[l] = min(len(list.Items), f.Longest) * min(int(slices.Max(list.Tiers))+1, f.Longest)
		for _, i := range list.Items {
			f.times[i] += used
		}
	}
	return f, nil
}

// plain are lists with all ties broken at random.
func plain(lists []osm.Packed, seed uint64) []osm.Packed {
	out := make([]osm.Packed, len(lists))
	for l, list := range lists {
		n := len(list.Items)
		lot, order := make([]int, n), make([]int, n)
		rng.Permutation(rng.Stream(seed, "plain", uint64(l)), lot)
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(list.Tiers[a], list.Tiers[b]), cmp.Compare(lot[a], lot[b]))
		})
		out[l] = osm.Packed{Items: list.Items, Tiers: make([]uint16, n)}
		for rank, k := range order {
			out[l].Tiers[k] = uint16(rank)
		}
	}
	return out
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
		return shape, fmt.Errorf("ascent: the point to start from is of another model or other data")
	}
	return shape, nil
}

// Workers is the number of goroutines.
func (f *Run) Workers() int { return f.jobs }

// Tasks is the number of lists in a batch.
func (f *Run) Tasks() int { return len(f.tasks) }

// Times returns the number of lists that each item is in; a list that is used in part counts for that part.
func (f *Run) Times() []float64 { return f.times }

// Used is the share of the items of a list that an epoch uses: 1 up to Longest items.
func (f *Run) Used(list osm.Packed) float64 {
	return math.Min(1, float64(f.Longest)/float64(len(list.Items)))
}

// CurrentRate is the learning rate of the current epoch.
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

// stripeOf is the number of neighbouring items that one worker updates before those of the next begin: a multiple of eight, because eight
// numbers are a cache line, which two workers must not write to in turn. A processor fetches memory ahead, and of short stripes what it
// fetches is another worker's: up to 64 items, as long as every worker has 32 stripes.
func stripeOf(items, jobs int) int { return max(8, min(items/(32*jobs), 64)&^7) }

// Together calls do once for each worker, at the same time.
func (f *Run) Together(do func(worker int)) {
	workers := f.workers
	if workers == nil { // before training
		workers = parallel.NewWorkers(f.jobs)
		defer workers.Close()
	}
	workers.Together(do)
}

// EachItem calls do for every item, on several goroutines.
func (f *Run) EachItem(do func(worker, item int)) {
	f.Together(func(w int) { f.own(w, func(i int) { do(w, i) }) })
}

// own calls do for every item of a worker.
func (f *Run) own(worker int, do func(item int)) {
	items, stripe := len(f.times), stripeOf(len(f.times), f.jobs)
	for first := worker * stripe; first < items; first += f.jobs * stripe {
		for i := first; i < min(first+stripe, items); i++ {
			do(i)
		}
	}
}

// places are those of every item in the lists of a batch: the tasks, ascending, from start[i] to start[i+1], and the rows of the item in the matrix
// that the tasks share, or its numbers in their lists.
type places struct {
	start     []int
	task, row []uint32
	w, v      []float64 // room: the gradients of an item's unit weights and presence weights
	ones      []float64
}

// index finds the places of all items.
func (p *places) index(tasks []*Task, items int) {
	p.start = slices.Grow(p.start[:0], items+2)[:items+2]
	clear(p.start)
	all := 0
	for _, t := range tasks {
		all += len(t.List.Items)
		for _, i := range t.List.Items {
			p.start[i+2]++
		}
	}
	for i := range items {
		p.start[i+2] += p.start[i+1]
	}
	p.task, p.row = slices.Grow(p.task[:0], all)[:all], slices.Grow(p.row[:0], all)[:all]
	for task, t := range tasks {
		for n, i := range t.List.Items {
			at := p.start[i+1] // which so becomes the start of the next item
			p.task[at], p.row[at] = uint32(task), uint32(t.First+n)
			p.start[i+1]++
		}
	}
}

// none reports that an item is in no list of the batch.
func (p *places) none(i int) bool { return p.start[i] == p.start[i+1] }

// newPlaces is room for the places of items with k units in a number of tasks.
func newPlaces(k, tasks int) places {
	p := places{w: make([]float64, k), v: make([]float64, k), ones: make([]float64, tasks)}
	for n := range p.ones {
		p.ones[n] = 1
	}
	return p
}

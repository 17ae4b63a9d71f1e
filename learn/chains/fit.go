package chains

import (
	"context"
	"fmt"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Fit estimates the parameters of the latent model of a catalogue from lists: the maximum of
// the likelihood times the prior density, by stochastic gradient ascent ([ascent.Run.Train]).
// When the context ends it returns the context's error and the current point, and saves the
// state after the last whole epoch if [ascent.Options] has Save.
func (o Options) Fit(ctx context.Context, items int, lists []osm.Packed) (*ascent.Estimate, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	run, err := ascent.New(items, lists, *o.Base())
	if err != nil {
		return nil, err
	}
	f := &fit{Run: run, o: o, contrasts: make([]latent.Contrast, run.Tasks())}
	if o.Resume == nil {
		run.State.Ranks = Start(lists, o.Longest, o.Seed)
	}
	if err := f.checkRanks(); err != nil {
		return nil, err
	}
	for range run.Workers() {
		f.workers = append(f.workers, &worker{random: rng.Stream(0, ""), kits: map[int]*kit{}})
	}
	return run.Train(ctx, o.method(f))
}

// Start draws the initial state of the chain of every list from the uniform distribution on
// ordered partitions, as the tier of each item. A list with more items than longest has no
// chain: a random part of it starts from the observed order at every visit.
func Start(lists []osm.Packed, longest int, seed uint64) [][]uint16 {
	all := make([][]uint16, len(lists))
	x, uniform := partition.OneBlock(1), partition.NewUniform(1)
	for l, list := range lists {
		n := len(list.Items)
		if n > longest {
			continue
		}
		if x.N() != n {
			x, uniform = partition.OneBlock(n), partition.NewUniform(n)
		}
		uniform.Draw(rng.Stream(seed, "start", uint64(l)), x)
		all[l] = make([]uint16, n)
		saveRanks(x, all[l])
	}
	return all
}

// fit is the objective of a run: the log likelihood, its gradient estimated by chains.
type fit struct {
	*ascent.Run
	o         Options
	contrasts []latent.Contrast // of each task
	workers   []*worker
}

// worker is the scratch space of one goroutine: models and chains by the length
// of lists.
type worker struct {
	random *rng.Rand
	kits   map[int]*kit
	ranks  []int
}

type kit struct {
	model  *latent.Model
	kernel *latent.Alternating
	state  latent.State
}

// checkRanks refuses chains that are not of these lists.
func (f *fit) checkRanks() error {
	s := f.State
	if len(s.Ranks) != len(f.Lists) {
		return fmt.Errorf("chains: the state to resume from has %d chains for %d lists", len(s.Ranks), len(f.Lists))
	}
	for l, list := range f.Lists {
		if n := len(list.Items); n <= f.Longest && len(s.Ranks[l]) != n {
			return fmt.Errorf("chains: the chain of list %d to resume from has %d items, the list %d", l, len(s.Ranks[l]), n)
		}
	}
	return nil
}

// Gradient moves the chain of a list and contrasts it with the list.
func (f *fit) Gradient(number int, t *ascent.Task) {
	w := f.workers[number]
	k := f.kit(w, t.List.Items)
	t.ChainStats = ascent.ChainStats{}
	w.random.Reseed(f.Seed, "visit", uint64(t.Number), uint64(t.Epoch))
	ranks := f.State.Ranks[t.Number]
	if ranks == nil {
		k.state.X.CopyFrom(t.List.Order)
	} else {
		w.load(ranks, k.state.X)
	}
	contrast := &f.contrasts[t.Index]
	contrast.Observe(k.model, t.List.Order, f.o.Samples)
	for range f.o.Samples {
		for range f.o.Sweeps {
			k.kernel.Step(w.random, &k.state, &t.Tally)
		}
		contrast.Draw(k.model, k.state.X)
	}
	if ranks != nil {
		saveRanks(k.state.X, ranks)
	}
	t.Gradient = contrast
	t.Distance = partition.Distance(k.state.X, t.List.Order)
}

// Updated does nothing: chains move when they are visited.
func (f *fit) Updated([]*ascent.Task, int) {}

// kit returns the model of some items, and a chain for it.
func (f *fit) kit(w *worker, items []int) *kit {
	n, c := len(items), f.State.Now
	k := w.kits[n]
	if k == nil {
		k = &kit{model: &latent.Model{}}
		w.kits[n] = k
	}
	c.Refill(k.model, items)
	if k.kernel == nil {
		count := f.o.Count
		if count == ascent.Auto {
			count = n
		}
		var err error
		if k.kernel, err = latent.NewAlternatingMoves(k.model, f.o.Moves, count); err != nil {
			panic(fmt.Sprintf("chains: %v", err)) // lists have items
		}
		k.state = latent.State{X: partition.OneBlock(n), H: make([]float64, c.K)}
	}
	return k
}

// load sets x to the order with these ranks.
func (w *worker) load(ranks []uint16, x *partition.Partition) {
	w.ranks = w.ranks[:0]
	for _, r := range ranks {
		w.ranks = append(w.ranks, int(r))
	}
	x.SetRanks(w.ranks)
}

// saveRanks writes the tier of every item.
func saveRanks(x *partition.Partition, ranks []uint16) {
	for t := range x.Len() {
		for _, i := range x.Block(t) {
			ranks[i] = uint16(t)
		}
	}
}

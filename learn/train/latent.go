package train

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/osm"
)

// LatentOptions of FitLatent. The zero value is a sound choice.
type LatentOptions struct {
	Hidden  int // units; 0 means 20, negative none
	Units   latent.Units
	Size    float64 // constant of the size normalisation; 0 means 2
	Epochs  int     // 0 means 100
	Batch   int     // lists per update; 0 means 100
	Rate    float64 // step size on summed gradients; 0 means 0.02, less for long lists
	PriorW  float64 // precision of the normal prior on every W; 0 means 50
	PriorU  float64 // and on every worth; 0 means 10
	Longest int     // longer lists train on a fresh random part of so many items; 0 means 200
	Seed    uint64
	Jobs    int // goroutines; 0 means one for each core
	// Observer, if not nil, is told of every epoch: the mean log likelihood of a
	// slot.
	Observer func(epoch, epochs int, logLikelihood float64)
}

func (o LatentOptions) resolved(lists []osm.List) (LatentOptions, error) {
	o.Hidden = max(0, cmp.Or(o.Hidden, 20))
	o.Size = cmp.Or(o.Size, 2)
	o.Epochs = cmp.Or(o.Epochs, 100)
	o.Batch = cmp.Or(o.Batch, 100)
	o.PriorW, o.PriorU = cmp.Or(o.PriorW, 50), cmp.Or(o.PriorU, 10)
	o.Longest = cmp.Or(o.Longest, 200)
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	if o.Rate == 0 {
		var items float64
		for _, l := range lists {
			items += float64(min(len(l.Items), o.Longest)) / float64(len(lists))
		}
		o.Rate = math.Min(0.02, 0.5/items) // 0.02 to 25 items, 0.01 at 50
	}
	for _, v := range []float64{o.Rate, o.Size, o.PriorW, o.PriorU} {
		if !(v > 0) || math.IsInf(v, 1) {
			return o, fmt.Errorf("train: rate %g, size %g and priors %g and %g must be positive", o.Rate, o.Size, o.PriorW, o.PriorU)
		}
	}
	if o.Epochs < 1 || o.Batch < 1 || o.Longest < 2 || o.Jobs < 1 {
		return o, fmt.Errorf("train: epochs %d, batch %d, longest %d and jobs %d must be positive, longest at least 2", o.Epochs, o.Batch, o.Longest, o.Jobs)
	}
	return o, nil
}

// FitLatent learns the latent model of a catalogue by its slot likelihood: plain
// gradient steps over blocks of lists in a new random order each epoch, a normal
// prior on all parameters, applied to all items at every block in proportion to
// its size, and the average over the second half of the epochs as the result.
// See docs/maths.md#slot-likelihood.
func FitLatent(ctx context.Context, items int, lists []osm.List, options LatentOptions) (*latent.Catalogue, error) {
	if len(lists) == 0 {
		return nil, fmt.Errorf("train: no lists to learn from")
	}
	for l, list := range lists {
		if _, err := osm.NewList(list.Items, list.Order); err != nil {
			return nil, fmt.Errorf("train: list %d: %w", l, err)
		}
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
	f := newLatentFit(items, lists, options)
	return f.run(ctx)
}

type latentFit struct {
	LatentOptions
	lists   []osm.List
	now     *latent.Catalogue
	mean    *latent.Catalogue
	tasks   []*slotTask // one for each list of a block
	workers []*latent.Model
}

// slotTask is the gradient of one list of a block.
type slotTask struct {
	list          osm.List // or the part of it that is used
	gradient      latent.SlotLikelihood
	logLikelihood float64
}

func newLatentFit(items int, lists []osm.List, o LatentOptions) *latentFit {
	options := latent.Options{Size: o.Size, Centred: true}
	f := &latentFit{LatentOptions: o, lists: lists,
		now:  latent.NewCatalogue(items, o.Hidden, o.Units, options),
		mean: latent.NewCatalogue(items, o.Hidden, o.Units, options)}
	// At W = 0 the gradient of W vanishes: start beside it.
	r := rng.Stream(o.Seed, "hidden units")
	for i := range f.now.W {
		f.now.W[i] = 0.05 * r.NormFloat64()
	}
	for range min(o.Batch, len(lists)) {
		f.tasks = append(f.tasks, &slotTask{})
	}
	for range min(o.Jobs, len(f.tasks)) {
		f.workers = append(f.workers, &latent.Model{})
	}
	return f
}

func (f *latentFit) run(ctx context.Context) (*latent.Catalogue, error) {
	order := make([]int, len(f.lists))
	averaged := 0
	for epoch := range f.Epochs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rng.Permutation(rng.Stream(f.Seed, "order", uint64(epoch)), order)
		var total float64
		slots := 0
		for block := range slices.Chunk(order, f.Batch) {
			f.gradients(block, epoch)
			f.update(len(block))
			for _, task := range f.tasks[:len(block)] {
				total += task.logLikelihood
				slots += len(task.list.Items)
			}
		}
		if math.IsNaN(total) || math.IsInf(total, 0) {
			return nil, fmt.Errorf("train: parameters left the range of numbers in epoch %d; lower the rate (%g) or raise the priors", epoch+1, f.Rate)
		}
		if 2*epoch >= f.Epochs {
			averaged++
			average(f.mean, f.now, averaged)
		}
		if f.Observer != nil {
			f.Observer(epoch+1, f.Epochs, total/float64(slots))
		}
	}
	return f.mean, nil
}

// gradients computes those of a block, each list by whichever worker is free.
func (f *latentFit) gradients(block []int, epoch int) {
	var wait sync.WaitGroup
	jobs := min(len(f.workers), len(block))
	for w, model := range f.workers[:jobs] {
		wait.Go(func() {
			for k := w; k < len(block); k += jobs {
				task := f.tasks[k]
				task.list = f.part(block[k], epoch)
				f.now.Refill(model, task.list.Items)
				task.logLikelihood = task.gradient.Add(model, task.list.Order)
			}
		})
	}
	wait.Wait()
}

// part is the list itself, or a fresh random part of one that is too long.
func (f *latentFit) part(l, epoch int) osm.List {
	list := f.lists[l]
	if len(list.Items) <= f.Longest {
		return list
	}
	chosen := make([]int, len(list.Items))
	rng.Permutation(rng.Stream(f.Seed, "part", uint64(l), uint64(epoch)), chosen)
	chosen = chosen[:f.Longest]
	slices.Sort(chosen)
	return list.Part(chosen)
}

// update makes one step, adding the gradients in the order of the block.
func (f *latentFit) update(lists int) {
	c, k := f.now, f.Hidden
	share := f.Rate * float64(lists) / float64(len(f.lists))
	fade(c.W, 1-share*f.PriorW)
	fade(c.U, 1-share*f.PriorU)
	for _, task := range f.tasks[:lists] {
		g := &task.gradient
		for n, i := range task.list.Items {
			c.U[i] += f.Rate * g.U[n]
			row, step := c.W[i*k:(i+1)*k], g.W[n*k:(n+1)*k]
			for j, v := range step {
				row[j] += f.Rate * v
			}
		}
		// All lists pull at nu, so its step is that of a mean list.
		c.Nu += f.Rate * g.Nu / float64(lists)
	}
}

func fade(values []float64, factor float64) {
	for i := range values {
		values[i] *= factor
	}
}

// average moves mean towards now, the count-th of those averaged.
func average(mean, now *latent.Catalogue, count int) {
	toward := func(m, v *float64) { *m += (*v - *m) / float64(count) }
	for i := range now.U {
		toward(&mean.U[i], &now.U[i])
	}
	for i := range now.W {
		toward(&mean.W[i], &now.W[i])
	}
	toward(&mean.Nu, &now.Nu)
}

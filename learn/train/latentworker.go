package train

import (
	"fmt"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/latent"
)

// worker is the scratch space of one goroutine: models and chains by the length
// of lists.
type worker struct {
	LatentOptions
	random *rng.Rand
	kits   map[int]*kit
	ranks  []int
}

type kit struct {
	model  *latent.Model
	kernel *latent.Alternating
	state  latent.State
}

func newWorker(o LatentOptions) *worker {
	return &worker{LatentOptions: o, random: rng.Stream(0, ""), kits: map[int]*kit{}}
}

// kit returns the model of some items, and a chain for it.
func (w *worker) kit(c *latent.Catalogue, items []int) *kit {
	n := len(items)
	k := w.kits[n]
	if k == nil {
		k = &kit{model: &latent.Model{}}
		w.kits[n] = k
	}
	c.Refill(k.model, items)
	if w.Objective == Chains && k.kernel == nil {
		count := w.Count
		if count == Auto {
			count = n
		}
		var err error
		if k.kernel, err = latent.NewAlternatingMoves(k.model, w.Moves, count); err != nil {
			panic(fmt.Sprintf("train: %v", err)) // lists have items
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

// saveRanks writes the block of every item.
func saveRanks(x *partition.Partition, ranks []uint16) {
	for t := range x.Len() {
		for _, i := range x.Block(t) {
			ranks[i] = uint16(t)
		}
	}
}

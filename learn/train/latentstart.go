package train

import (
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/osm"
)

// StartLatent is the state that a run starts from, without chains: small random weights,
// beside zero where the gradient of W vanishes.
func StartLatent(items int, o LatentOptions) *LatentState {
	hidden, options := o.Shape()
	shape := latent.Shape{Items: items, K: hidden, Units: o.Units, Options: options, Presence: o.Presence && hidden > 0, Largest: o.largest}
	s := &LatentState{Now: shape.New(), Mean: shape.New()}
	if o.largest > 0 {
		s.SizeSight = make([]float64, len(s.Now.Sizes))
	}
	r := rng.Stream(o.Seed, "hidden units")
	for i := range s.Now.W {
		s.Now.W[i] = 0.05 * r.NormFloat64()
	}
	return s
}

// StartChains draws a uniform order for the chain of every list; nil with Slots, which
// needs none. A list that is too long has none either: a part of it starts afresh at
// every visit.
func StartChains(lists []osm.List, o LatentOptions) [][]uint16 {
	if o.Objective == Slots {
		return nil
	}
	all := make([][]uint16, len(lists))
	x, uniform := partition.OneBlock(1), partition.NewUniform(1)
	for l, list := range lists {
		n := len(list.Items)
		if n > o.Longest {
			continue
		}
		if x.N() != n {
			x, uniform = partition.OneBlock(n), partition.NewUniform(n)
		}
		uniform.Draw(rng.Stream(o.Seed, "start", uint64(l)), x)
		all[l] = make([]uint16, n)
		saveRanks(x, all[l])
	}
	return all
}

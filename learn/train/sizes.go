package train

import (
	"math"

	"fubini/model/osm"
)

// longestOf is the size of the largest tier that lists can have, where lists that are
// too long are trained on in parts.
func longestOf(lists []osm.List, longest int) (most int) {
	for _, l := range lists {
		most = max(most, min(len(l.Items), longest))
	}
	return most
}

// lookSizes takes a block into account as Sight.look does, for every tier size.
func (s *LatentState) lookSizes(tasks []*task) {
	for n := range s.SizeSight {
		var sum float64
		for _, t := range tasks {
			g := t.gradient.Common().Sizes[n]
			sum += g * g
		}
		s.SizeSight[n] = remember(s.SizeSight[n], sum/float64(len(tasks)))
	}
}

// stepSizes moves the weights by tier size, each by a share of a Newton step as stride
// has it for an item's parameters, with the prior's precision P beside the sights of
// all lists:
//
//	step = rate/(P + L sight) (L/B G - P g).
//
// In absolute steps it is that of the tie weight.
func (f *latentFit) stepSizes(tasks []*task, s *stride) {
	c := f.state.Now
	for n := range c.Sizes {
		var gradient float64
		for _, t := range tasks {
			gradient += t.gradient.Common().Sizes[n]
		}
		step := s.nu
		if s.rate > 0 {
			step = s.rate * s.whole / (f.PriorSizes + float64(len(f.lists))*f.state.SizeSight[n] + math.SmallestNonzeroFloat32)
		}
		c.Sizes[n] += step * (gradient - f.PriorSizes/s.whole*c.Sizes[n])
	}
}

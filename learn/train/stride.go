package train

import (
	"math"

	"fubini/core/vec"
)

// Sight is what seeing an item once tells of its parameters, and a list of those
// that all share: the mean square of gradients, which stands in for the curvature
// of the objective. With several units it is their sum, because the gradients of
// one list all point one way.
type Sight struct{ U, W, Nu, NuK, B float64 }

// look takes a block into account. It rises at once and falls slowly, so that
// steps are rather too short than too long.
func (s *Sight) look(tasks []*task) {
	var block Sight
	var items float64
	for _, t := range tasks {
		g := t.gradient
		items += float64(len(g.U))
		block.U += vec.Dot(g.U, g.U)
		block.W += vec.Dot(g.W, g.W)
		block.Nu += g.Nu * g.Nu
		block.NuK += vec.Dot(g.NuK, g.NuK)
		block.B += vec.Dot(g.B, g.B)
	}
	lists := float64(len(tasks))
	const keep = 0.95
	for _, each := range []struct {
		old       *float64
		sum, over float64
	}{{&s.U, block.U, items}, {&s.W, block.W, items}, {&s.Nu, block.Nu, lists}, {&s.NuK, block.NuK, lists}, {&s.B, block.B, lists}} {
		mean := each.sum / each.over
		*each.old = math.Max(mean, keep**each.old+(1-keep)*mean)
	}
}

// stride is the length of the steps of one update.
//
// Unless the rate is absolute, a step of an item's parameters is a share of a
// Newton step with a diagonal picture of the curvature D: the precision A of the
// prior (and of the past, with Start) and the sight of the item in every list that
// has it. With G the gradient of a block of B of the L lists,
//
//	step = rate/D (L/B G - A (parameter - origin)).
//
// It is the same for items that everybody rated and for those that few did, and
// does not depend on the scale of anything.
type stride struct {
	rate  float64 // share of a Newton step; in absolute steps 0
	whole float64 // L/B
	sight Sight

	absolute   float64 // the step itself
	share      float64 // absolute step of the prior
	nu, nuK, b float64 // steps of what all lists share
}

func (f *latentFit) stride(lists int) stride {
	rate := f.rate()
	s := stride{rate: rate, whole: float64(len(f.lists)) / float64(lists), sight: f.state.Sight}
	if !f.Absolute {
		each := func(sight float64) float64 { return rate / (float64(lists)*sight + math.SmallestNonzeroFloat32) }
		s.nu, s.nuK, s.b = each(s.sight.Nu+s.sight.NuK), each(s.sight.NuK), each(s.sight.B)
		return s
	}
	s.rate, s.absolute, s.share = 0, rate, rate/s.whole
	if f.Mean {
		s.absolute /= float64(lists)
	}
	// All lists pull at what they have in common: its step is that of a mean list.
	s.nu = rate / float64(lists)
	s.nuK, s.b = s.nu, s.nu
	return s
}

// rate is that of the epoch in hand.
func (f *latentFit) rate() float64 {
	done := float64(f.state.Epoch) / float64(f.Epochs)
	switch f.Schedule {
	case Linear:
		return f.Rate * (1 - done)
	case Inverse:
		return f.Rate / (1 + 9*done)
	}
	return f.Rate
}

// anchor is the precision with which an item's parameters are held where they
// started, or at zero.
func (s *stride) anchor(f *latentFit, i int) (u, w float64) {
	u, w = f.PriorU, f.PriorW
	if f.Start != nil {
		u += float64(f.Seen[i]) * s.sight.U
		w += float64(f.Seen[i]) * s.sight.W
	}
	return u, w
}

// item returns the steps of an item's parameters.
func (s *stride) item(f *latentFit, i int) (u, w float64) {
	if s.rate == 0 {
		return s.absolute, s.absolute
	}
	u, w = s.anchor(f, i)
	const least = 1e-12 // with no prior, where nothing was seen
	return s.rate * s.whole / (u + f.times[i]*s.sight.U + least), s.rate * s.whole / (w + f.times[i]*s.sight.W + least)
}

// settle lets the prior draw at the parameters of an item.
func (f *latentFit) settle(i int, s stride) {
	c, k := f.state.Now, f.state.Now.K
	anchorU, anchorW := s.anchor(f, i)
	stepU, stepW := s.item(f, i)
	u, w := stepU/s.whole*anchorU, stepW/s.whole*anchorW
	if s.rate == 0 {
		u, w = math.Min(1, s.share*anchorU), math.Min(1, s.share*anchorW)
	}
	c.U[i] -= u * c.U[i]
	vec.Scale(c.W[i*k:(i+1)*k], 1-w)
	if f.Start != nil {
		c.U[i] += u * f.Start.U[i]
		vec.AddTimes(c.W[i*k:(i+1)*k], f.Start.W[i*k:(i+1)*k], w)
	}
}

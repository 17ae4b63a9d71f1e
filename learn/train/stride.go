package train

import (
	"math"

	"fubini/core/vec"
)

// Sight is what seeing an item once tells of its parameters, and a list of those
// that all share: the mean square of gradients, which stands in for the curvature
// of the objective. With several units it is their sum, because the gradients of
// one list all point one way.
type Sight struct{ U, W, V, Nu, NuK, B float64 }

// see returns the squares of one list's gradients. That of V is shared by all
// items: 1/n of it for each of n.
func see(g gradient) Sight {
	c := g.Common()
	b := vec.Dot(c.B, c.B)
	return Sight{U: vec.Dot(c.U, c.U), W: g.WeightSquare(), V: b, Nu: c.Nu * c.Nu, NuK: vec.Dot(c.NuK, c.NuK), B: b}
}

// look takes a block into account. It rises at once and falls slowly, so that
// steps are rather too short than too long.
func (s *Sight) look(tasks []*task) {
	var block Sight
	var items float64
	for _, t := range tasks {
		items += float64(len(t.list.Items))
		block.U += t.sight.U
		block.W += t.sight.W
		block.V += t.sight.V
		block.Nu += t.sight.Nu
		block.NuK += t.sight.NuK
		block.B += t.sight.B
	}
	lists := float64(len(tasks))
	for _, each := range []struct {
		old       *float64
		sum, over float64
	}{{&s.U, block.U, items}, {&s.W, block.W, items}, {&s.V, block.V, items}, {&s.Nu, block.Nu, lists}, {&s.NuK, block.NuK, lists}, {&s.B, block.B, lists}} {
		mean := each.sum / each.over
		*each.old = remember(*each.old, mean)
	}
}

// remember is what becomes of a mean square when the next block has another.
func remember(old, mean float64) float64 {
	const keep = 0.95
	return math.Max(mean, keep*old+(1-keep)*mean)
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
		common := func(sight float64) float64 { return rate / (float64(lists)*sight + math.SmallestNonzeroFloat32) }
		s.nu, s.nuK, s.b = common(s.sight.Nu+s.sight.NuK), common(s.sight.NuK), common(s.sight.B)
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

// each holds a number for every kind of an item's parameters.
type each struct{ u, w, v float64 }

// anchor is the precision with which an item's parameters are held where they
// started, or at zero.
func (s *stride) anchor(f *latentFit, i int) each {
	a := each{f.PriorU, f.PriorW, f.PriorV}
	if f.Shares != nil {
		a = each{f.Shares[i] * a.u, f.Shares[i] * a.w, f.Shares[i] * a.v}
	}
	if f.Start != nil {
		seen := float64(f.Seen[i])
		a.u += seen * s.sight.U
		a.w += seen * s.sight.W
		a.v += seen * s.sight.V
	}
	return a
}

// item returns the steps of an item's parameters.
func (s *stride) item(f *latentFit, i int) each {
	if s.rate == 0 {
		return each{s.absolute, s.absolute, s.absolute}
	}
	return s.steps(s.anchor(f, i), f.times[i]+f.Others.times(i))
}

func (s *stride) steps(a each, times float64) each {
	const least = 1e-12 // with no prior, where nothing was seen
	whole := s.rate * s.whole
	return each{whole / (a.u + times*s.sight.U + least), whole / (a.w + times*s.sight.W + least), whole / (a.v + times*s.sight.V + least)}
}

// settle lets the prior draw at the parameters of an item.
func (f *latentFit) settle(i int, s *stride) {
	c, k := f.state.Now, f.state.Now.K
	pull := s.anchor(f, i)
	if s.rate == 0 {
		pull = each{math.Min(1, s.share*pull.u), math.Min(1, s.share*pull.w), math.Min(1, s.share*pull.v)}
	} else {
		step := s.steps(pull, f.times[i]+f.Others.times(i))
		if f.Others != nil {
			f.Others.draw(c, i, each{step.u / s.whole, step.w / s.whole, step.v / s.whole}, s.sight)
		}
		pull = each{step.u / s.whole * pull.u, step.w / s.whole * pull.w, step.v / s.whole * pull.v}
	}
	c.U[i] -= pull.u * (c.U[i] - f.level(i))
	vec.Scale(c.W[i*k:(i+1)*k], 1-pull.w)
	if c.V != nil {
		vec.Scale(c.V[i*k:(i+1)*k], 1-pull.v)
	}
	f.companions.draw(c, i, pull)
	if f.Start == nil {
		return
	}
	c.U[i] += pull.u * f.Start.U[i]
	vec.AddTimes(c.W[i*k:(i+1)*k], f.Start.W[i*k:(i+1)*k], pull.w)
	if c.V != nil {
		vec.AddTimes(c.V[i*k:(i+1)*k], f.Start.V[i*k:(i+1)*k], pull.v)
	}
}

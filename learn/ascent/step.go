package ascent

import (
	"fmt"
	"math"

	"fubini/core/vec"
	"fubini/model/latent"
)

// Kinds is a triple: one number each for worths U, unit weights W and presence weights V. A processor holds its numbers in registers, where it
// would copy those of an array through memory.
type Kinds struct{ U, W, V float64 }

// Prior is a normal prior on the parameters of items, independent given its mean: a mean and a
// precision for each parameter.
type Prior struct {
	U, W, V float64 // precision of each worth, unit weight and presence weight; 0 means flat. They may be Auto
	ByRule  bool    // Auto is resolved by rule, also where package slots would choose by items held back
	Tastes  Use     // sampled tastes as the mean of U and W (package slots)
	Sizes   float64 // precision of each weight by tier size; 0 means flat

	Mean   *latent.Catalogue // prior means; nil means zero
	Levels []float64         // addition to the prior mean of each worth; nil means zero

	// Shares is a factor on the precision for each item; nil means 1. In distributed training it
	// is the share of the item's lists that a shard has.
	Shares []float64
	// Units is a factor on the precision of W for each unit; nil means 1.
	Units []float64
	// Lists is the number of earlier lists of each item that are summarised by the prior; nil
	// means 0. Each adds the curvature of one list to the precision.
	Lists []float64
}

// Use is whether something is used: where the data say so, always or never.
type Use int

// The values of Use.
const (
	ByData Use = iota
	Always
	Never
)

func (p *Prior) check(shape latent.Shape) error {
	switch {
	case p.Shares != nil && len(p.Shares) != shape.Items:
		return fmt.Errorf("ascent: shares of %d items in a catalogue of %d", len(p.Shares), shape.Items)
	case p.Lists != nil && len(p.Lists) != shape.Items:
		return fmt.Errorf("ascent: a start of %d items with counts of %d", shape.Items, len(p.Lists))
	case p.Mean != nil && p.Mean.Shape != shape:
		return fmt.Errorf("ascent: the mean of the prior is of another model or other data")
	}
	return nil
}

// precision is that of an item's parameters.
func (p *Prior) precision(i int, h *Curvature) Kinds {
	a := Kinds{p.U, p.W, p.V}
	if p.Shares != nil {
		a = Kinds{p.Shares[i] * a.U, p.Shares[i] * a.W, p.Shares[i] * a.V}
	}
	if p.Lists != nil {
		a.U += p.Lists[i] * h.U
		a.W += p.Lists[i] * h.W
		a.V += p.Lists[i] * h.V
	}
	return a
}

// pull moves the parameters of an item a share of the way to the mean.
func (p *Prior) pull(c *latent.Catalogue, i int, share Kinds) {
	from, to, level := i*c.K, (i+1)*c.K, 0.0
	if p.Levels != nil {
		level = p.Levels[i]
	}
	c.U[i] -= share.U * (c.U[i] - level)
	p.pullWeights(c.W[from:to], i, share.W)
	if p.Mean != nil {
		c.U[i] += share.U * p.Mean.U[i]
	}
	if c.V == nil {
		return
	}
	if p.Mean == nil {
		vec.Scale(c.V[from:to], 1-share.V)
		return
	}
	vec.Towards(c.V[from:to], p.Mean.V[from:to], share.V)
}

// pullWeights moves the unit weights of an item a share of the way to the mean, or, with precisions of each unit, as much more or
// less of it as the unit's has.
func (p *Prior) pullWeights(w []float64, i int, share float64) {
	var mean []float64
	if p.Mean != nil {
		mean = p.Mean.W[i*len(w) : (i+1)*len(w)]
	}
	switch {
	case p.Units != nil && mean != nil:
		vec.TowardsEach(w, mean, p.Units, share)
		return
	case p.Units == nil && mean != nil:
		vec.Towards(w, mean, share)
		return
	case p.Units == nil:
		vec.Scale(w, 1-share)
		return
	}
	for k, factor := range p.Units {
		w[k] *= 1 - min(1, share*factor)
	}
}

// Steps are the step sizes of one update.
type Steps interface {
	// Item returns the factors on the gradients of U, W and V of an item, and the shares of the
	// distance to the prior mean by which they move.
	Item(i int) (step, pull Kinds)
	// Common returns the factors on the gradients of the tie weight and of the biases.
	Common() (nu, b float64)
	// SizeWeight returns the factor on the gradient of weight n by tier size.
	SizeWeight(n int) float64
}

// Update is one batch of lists at the current parameters, from which a [Rule] computes step
// sizes.
type Update struct {
	Rate  float64 // learning rate of the epoch
	Lists float64 // number of lists in the batch
	All   float64 // number of all lists
	State *State
	Prior *Prior
	Times []float64 // number of lists that each item is in
}

// Whole is the number of all lists over the number in the batch.
func (u *Update) Whole() float64 { return u.All / u.Lists }

// Rule computes the step sizes of an update: [Newton] or [Absolute].
type Rule func(u *Update) Steps

// Newton is the rule of damped Newton steps with a diagonal approximation D of the curvature:
// the prior precision A plus the number of lists that an item is in times the curvature of
// one list. With G the gradient of a batch of B of the L lists,
//
//	step = rate/D (L/B G - A (parameter - mean)).
//
// Frequent and rare items move by the same share of a Newton step, whatever the scale of the
// parameters.
func Newton(u *Update) Steps {
	return &newton{u, Kinds{u.Prior.U, u.Prior.W, u.Prior.V}, u.Prior.Shares == nil && u.Prior.Lists == nil, u.Whole(), u.State.Curvature}
}

type newton struct {
	*Update
	precision Kinds // of every item
	same      bool  // it is that of every item indeed
	whole     float64
	curvature Curvature
}

func (s *newton) Item(i int) (step, pull Kinds) {
	const least = 1e-12 // with no prior, where nothing was seen
	h, a := &s.curvature, s.precision
	if !s.same {
		a = s.Prior.precision(i, h)
	}
	n, whole := s.Times[i], s.whole
	rate := s.Rate * whole
	step = Kinds{rate / (a.U + n*h.U + least), rate / (a.W + n*h.W + least), rate / (a.V + n*h.V + least)}
	return step, Kinds{step.U / whole * a.U, step.W / whole * a.W, step.V / whole * a.V}
}

func (s *newton) Common() (nu, b float64) {
	step := func(h float64) float64 { return s.Rate / (s.Lists*h + math.SmallestNonzeroFloat32) }
	h := s.State.Curvature
	return step(h.Nu + h.NuK), step(h.B)
}

func (s *newton) SizeWeight(n int) float64 {
	return s.Rate * s.Whole() / (s.Prior.Sizes + s.All*s.State.SizeCurvature[n] + math.SmallestNonzeroFloat32)
}

// Absolute is the rule of the paper: the rate times the mean gradient of a list. With G the gradient of a
// batch of B of the L lists, and the prior precision A,
//
//	step = rate (G/B - A/L (parameter - mean)).
func Absolute(u *Update) Steps { return absolute{u} }

type absolute struct{ *Update }

func (s absolute) Item(i int) (step, pull Kinds) {
	a, share, rate := s.Prior.precision(i, &s.State.Curvature), s.Rate/s.All, s.Rate/s.Lists
	return Kinds{rate, rate, rate}, Kinds{math.Min(1, share*a.U), math.Min(1, share*a.W), math.Min(1, share*a.V)}
}

func (s absolute) Common() (nu, b float64) { return s.Rate / s.Lists, s.Rate / s.Lists }

func (s absolute) SizeWeight(int) float64 { return s.Rate / s.Lists }

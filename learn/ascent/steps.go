package ascent

import (
	"math"

	"fubini/core/vec"
)

// Curvature is the mean square of gradients, of an item's parameters by place and of those
// that all lists share by list. It stands for the curvature of the objective. With several
// units it is their sum, because the gradients of one list are all parallel.
type Curvature struct{ U, W, V, Nu, NuK, B float64 }

// squares returns the squares of one list's gradients. That of V is shared by all
// items: 1/n of it for each of n.
func squares(g ListGradient) Curvature {
	c := g.Common()
	b := vec.Dot(c.B, c.B)
	return Curvature{U: vec.Dot(c.U, c.U), W: g.WeightSquare(), V: b, Nu: c.Nu * c.Nu, NuK: vec.Dot(c.NuK, c.NuK), B: b}
}

// update takes a block into account.
func (h *Curvature) update(tasks []*Task) {
	var block Curvature
	var items float64
	for _, t := range tasks {
		items += float64(len(t.List.Items))
		block.U += t.squares.U
		block.W += t.squares.W
		block.V += t.squares.V
		block.Nu += t.squares.Nu
		block.NuK += t.squares.NuK
		block.B += t.squares.B
	}
	lists := float64(len(tasks))
	h.U, h.W, h.V = running(h.U, block.U/items), running(h.W, block.W/items), running(h.V, block.V/items)
	h.Nu, h.NuK, h.B = running(h.Nu, block.Nu/lists), running(h.NuK, block.NuK/lists), running(h.B, block.B/lists)
}

// updateSizes is the same for the weight of every tier size.
func (s *State) updateSizes(tasks []*Task) {
	for n := range s.SizeCurvature {
		var sum float64
		for _, t := range tasks {
			g := t.Gradient.Common().Sizes[n]
			sum += g * g
		}
		s.SizeCurvature[n] = running(s.SizeCurvature[n], sum/float64(len(tasks)))
	}
}

// running is a running mean that rises at once and falls slowly, so that steps are rather
// too short than too long.
func running(old, mean float64) float64 {
	const keep = 0.95
	return math.Max(mean, keep*old+(1-keep)*mean)
}

// Steps are the lengths of the steps of one update.
type Steps interface {
	// Item returns the factors on the gradient of an item's parameters, and the share of the
	// way that they move to the mean of the prior.
	Item(i int) (step, pull Kinds)
	// Common returns the factors on the gradients of the tie weight and the biases.
	Common() (nu, b float64)
	// Size returns that on the gradient of weight n by tier size.
	Size(n int) float64
}

// Rule makes the steps of an update by the lists of a block.
type Rule func(f *Run, lists int) Steps

// Newton is the rule of steps that are a share of a Newton step with a diagonal
// approximation D of the curvature: the precision A of the prior, and the curvature of one
// list for each list that an item is in. With G the gradient of a block of B of the L
// lists,
//
//	step = rate/D (L/B G - A (parameter - mean)).
//
// The share is the same for items that everybody rated and for those that few did, and
// does not depend on the scale of anything.
func Newton(f *Run, lists int) Steps { return &newton{f, f.CurrentRate(), float64(lists)} }

type newton struct {
	*Run
	rate, lists float64
}

func (s *newton) Item(i int) (step, pull Kinds) {
	const least = 1e-12 // with no prior, where nothing was seen
	h, a := &s.State.Curvature, s.Prior.precision(i, &s.State.Curvature)
	n, whole := s.times[i]+s.Prior.elsewhere(i), s.rate*s.Whole
	step = Kinds{whole / (a[0] + n*h.U + least), whole / (a[1] + n*h.W + least), whole / (a[2] + n*h.V + least)}
	return step, Kinds{step[0] / s.Whole * a[0], step[1] / s.Whole * a[1], step[2] / s.Whole * a[2]}
}

func (s *newton) Common() (nu, b float64) {
	step := func(h float64) float64 { return s.rate / (s.lists*h + math.SmallestNonzeroFloat32) }
	h := s.State.Curvature
	return step(h.Nu + h.NuK), step(h.B)
}

func (s *newton) Size(n int) float64 {
	return s.rate * s.Whole / (s.Prior.Sizes + float64(len(s.Lists))*s.State.SizeCurvature[n] + math.SmallestNonzeroFloat32)
}

// Absolute is the rule of steps that are the rate times the mean gradient of the lists of a
// block, as in the paper.
func Absolute(f *Run, lists int) Steps {
	return &absolute{f, f.CurrentRate(), f.CurrentRate() / float64(lists)}
}

type absolute struct {
	*Run
	rate, step float64
}

func (s *absolute) Item(i int) (step, pull Kinds) {
	a, share := s.Prior.precision(i, &s.State.Curvature), s.rate/s.Whole
	return Kinds{s.step, s.step, s.step}, Kinds{math.Min(1, share*a[0]), math.Min(1, share*a[1]), math.Min(1, share*a[2])}
}

func (s *absolute) Common() (nu, b float64) { return s.step, s.step }

func (s *absolute) Size(int) float64 { return s.step }

package ascent

import "math"

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

// Update is what steps depend on: a block of lists at a point.
type Update struct {
	Rate  float64 // of the epoch
	Lists float64 // in the block
	All   float64 // lists in all
	State *State
	Prior *Prior
	Times []float64 // of each item: the number of lists it is in
}

// Whole is the number of lists in all for each in the block.
func (u *Update) Whole() float64 { return u.All / u.Lists }

// Rule makes the steps of an update.
type Rule func(u *Update) Steps

// Newton is the rule of steps that are a share of a Newton step with a diagonal
// approximation D of the curvature: the precision A of the prior, and the curvature of one
// list for each list that an item is in. With G the gradient of a block of B of the L
// lists,
//
//	step = rate/D (L/B G - A (parameter - mean)).
//
// The share is the same for items that everybody rated and for those that few did, and
// does not depend on the scale of anything.
func Newton(u *Update) Steps { return newton{u} }

type newton struct{ *Update }

func (s newton) Item(i int) (step, pull Kinds) {
	const least = 1e-12 // with no prior, where nothing was seen
	h, a := &s.State.Curvature, s.Prior.precision(i, &s.State.Curvature)
	n, whole := s.Times[i]+s.Prior.elsewhere(i), s.Whole()
	rate := s.Rate * whole
	step = Kinds{rate / (a[0] + n*h.U + least), rate / (a[1] + n*h.W + least), rate / (a[2] + n*h.V + least)}
	return step, Kinds{step[0] / whole * a[0], step[1] / whole * a[1], step[2] / whole * a[2]}
}

func (s newton) Common() (nu, b float64) {
	step := func(h float64) float64 { return s.Rate / (s.Lists*h + math.SmallestNonzeroFloat32) }
	h := s.State.Curvature
	return step(h.Nu + h.NuK), step(h.B)
}

func (s newton) Size(n int) float64 {
	return s.Rate * s.Whole() / (s.Prior.Sizes + s.All*s.State.SizeCurvature[n] + math.SmallestNonzeroFloat32)
}

// Absolute is the rule of steps that are the rate times the mean gradient of the lists of a
// block, as in the paper.
func Absolute(u *Update) Steps { return absolute{u} }

type absolute struct{ *Update }

func (s absolute) Item(i int) (step, pull Kinds) {
	a, share, rate := s.Prior.precision(i, &s.State.Curvature), s.Rate/s.Whole(), s.Rate/s.Lists
	return Kinds{rate, rate, rate}, Kinds{math.Min(1, share*a[0]), math.Min(1, share*a[1]), math.Min(1, share*a[2])}
}

func (s absolute) Common() (nu, b float64) { return s.Rate / s.Lists, s.Rate / s.Lists }

func (s absolute) Size(int) float64 { return s.Rate / s.Lists }

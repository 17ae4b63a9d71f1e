package ascent

import (
	"math"

	"fubini/core/vec"
	"fubini/model/latent"
)

// ListGradient is the gradient of the objective of one list. Its weights may not be written
// out.
type ListGradient interface {
	Common() *latent.Gradient
	AddWeights(item int, times float64, to []float64)
	WeightSquare() float64
}

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

// running is a running mean that rises at once and falls slowly, so that steps are rather
// too short than too long.
func running(old, mean float64) float64 {
	const keep = 0.95
	return math.Max(mean, keep*old+(1-keep)*mean)
}

package ascent

import (
	"math"

	"fubini/core/vec"
	"fubini/model/latent"
)

// ListGradient is the gradient of the objective of one list. The gradient of W may be kept as a
// product of factors.
type ListGradient interface {
	// WithoutW is the gradient of all parameters but W.
	WithoutW() *latent.Gradient
	// AddWeights adds a factor times the gradient of the row of W of an item.
	AddWeights(item int, times float64, to []float64)
	// WeightSquare is the sum of the squared gradient of W.
	WeightSquare() float64
}

// Curvature is a running mean of squared gradients, an estimate of the curvature of the
// objective: for U, W and V per item of a list, for the parameters that all lists share per
// list. Squares are summed over units, because the gradients of one list for different units
// are parallel.
type Curvature struct{ U, W, V, Nu, NuK, B float64 }

// squares returns the squares of one list's gradients. That of V is shared by all
// items: 1/n of it for each of n.
func squares(g ListGradient) Curvature {
	c := g.WithoutW()
	b := vec.Dot(c.B, c.B)
	return Curvature{U: vec.Dot(c.U, c.U), W: g.WeightSquare(), V: b, Nu: c.Nu * c.Nu, NuK: vec.Dot(c.NuK, c.NuK), B: b}
}

// running is a running mean that rises at once and falls slowly, so that steps are rather
// too short than too long.
func running(old, mean float64) float64 {
	const keep = 0.95
	return math.Max(mean, keep*old+(1-keep)*mean)
}

package latent

import (
	"fmt"
	"math"

	"fubini/core/cholesky"
)

// Together is how the first units are read together. The items of a list are no even sample of the directions of their weights: where
// two units go together in them, a placement is evidence of the one or of the other. See docs/maths.md#together.
type Together struct {
	Ridge   []float64 // of each of these units: the prior precision beside sums of products of weights
	Scatter []float64 // lower triangle, [unit][unit]: the mean of [Catalogue.Scatter] over the lists in training
}

// NewTogether returns the reading of the first units of a model with k, as many as there are ridges.
func NewTogether(k int, ridge, scatter []float64) (*Together, error) {
	if n := len(ridge); n == 0 || n > k || len(scatter) != n*n {
		return nil, fmt.Errorf("latent: %d units of %d are read together, with %d products", n, k, len(scatter))
	}
	for _, v := range scatter {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("latent: a mean product of weights is not a finite number")
		}
	}
	for _, v := range ridge {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("latent: units with a prior precision of %g are read together; it must be finite and above 0", v)
		}
	}
	return &Together{ridge, scatter}, nil
}

// Scatter adds to the lower triangle of a matrix of the first units a number of times the sum, over the items of a list, of the products of their
// weights, less those of the mean weights.
func (c *Catalogue) Scatter(items []int, times float64, mean, sum []float64) {
	clear(mean)
	for _, i := range items {
		w := c.W[i*c.K : i*c.K+len(mean)]
		cholesky.AddOuter(sum, times, w)
		for k, v := range w {
			mean[k] += v
		}
	}
	cholesky.AddOuter(sum, -times/float64(len(items)), mean)
}

// regard turns what the items of a list add to the first units, each by itself, beyond the usual, into what they say of these units together,
// (H + S)⁻¹ (H + T) d, with the ridge H, the scatter S of the list and T of all; or, for weights of units, into those of what the items add, (H + T) (H + S)⁻¹ w.
// S is that of as many items as lists have on average: of a short list with others like those of all lists, of a long one a share.
func (m *Model) regard(c *Catalogue, items []int, d []float64, ofWeights bool) {
	p := c.Population
	units := len(p.Together.Ridge)
	m.row, m.own, m.all = sized(m.row, units), sized(m.own, units*units), sized(m.all, units*units)
	copy(m.all, p.Together.Scatter)
	known := float64(len(items)) / p.Length
	for k, v := range m.all {
		m.own[k] = max(0, 1-known) * v
	}
	c.Scatter(items, min(1, 1/known), m.row, m.own)
	for k, h := range p.Together.Ridge {
		m.own[k*units+k] += h
		m.all[k*units+k] += h
	}
	if !cholesky.Factorise(m.own, units) { // weights that are not of this world: each unit by itself
		return
	}
	solve := func(x []float64) {
		cholesky.SolveLower(m.own, x)
		cholesky.SolveUpper(m.own, x)
	}
	if d = d[:units]; ofWeights {
		solve(d)
	}
	cholesky.Times(m.all, d, m.row)
	if copy(d, m.row); !ofWeights {
		solve(d)
	}
}

// Pull returns the weights of what each item of a list adds to the units, in the score of an item with weights w of the units: w itself, unless units are
// read together.
func (c *Catalogue) Pull(items []int, w []float64) []float64 {
	pull := append([]float64(nil), w...)
	if c.Population != nil && c.Population.Together != nil {
		new(Model).regard(c, items, pull, true)
	}
	return pull
}

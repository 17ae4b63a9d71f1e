package latent

import (
	"fubini/core/partition"
	"fubini/core/vec"
	"fubini/model/osm"
)

// Gradient is the gradient of an objective of one list, by the numbers that items have in the
// list.
type Gradient struct {
	U     []float64
	W     []float64 // [item*K+unit]
	Nu    float64
	NuK   []float64
	B     []float64
	Sizes osm.SizeWeights // by the weights of tier sizes
}

func (g *Gradient) reset(m *Model) {
	g.U, g.W = zeros(g.U, m.n), zeros(g.W, m.n*m.k)
	g.NuK, g.B, g.Nu = zeros(g.NuK, m.k), zeros(g.B, m.k), 0
	g.Sizes = zeros(g.Sizes, len(m.sizes))
}

// AddWeights adds a factor times the gradient of the row of W of an item to a vector.
func (g *Gradient) AddWeights(item int, times float64, to []float64) {
	k := len(g.B)
	vec.AddTimes(to, g.W[item*k:(item+1)*k], times)
}

// WeightSquare is the sum of the squared gradient of W.
func (g *Gradient) WeightSquare() float64 { return vec.Dot(g.W, g.W) }

// WithoutW is the gradient of all parameters but W.
func (g *Gradient) WithoutW() *Gradient { return g }

// Contrast is the gradient of stochastic approximation: the sufficient statistics of the
// observed order minus those of a draw from the model, both with the posterior means of the
// units, which have less variance than drawn units. Its expectation is the gradient of the log
// likelihood. The gradient of W is kept as its factors, scores and means; W itself is nil. It
// holds scratch space: use one for each goroutine.
type Contrast struct {
	Gradient
	scores []float64 // [2*item+side], the side observed or drawn, the latter with a minus sign
	means  []float64 // of units [side*K+unit]
}

// Evaluate computes the gradient from the observed order and a draw.
func (c *Contrast) Evaluate(m *Model, observed, drawn *partition.Partition) {
	c.U, c.NuK, c.B, c.Nu = zeros(c.U, m.n), zeros(c.NuK, m.k), zeros(c.B, m.k), 0
	c.Sizes = zeros(c.Sizes, len(m.sizes))
	c.scores, c.means = zeros(c.scores, 2*m.n), zeros(c.means, 2*m.k)
	c.add(m, observed, 1, 0)
	c.add(m, drawn, -1, 1)
}

// add adds sign times the statistics of x: scores, ties, sizes and means.
func (c *Contrast) add(m *Model, x *partition.Partition, sign float64, side int) {
	means := c.means[side*m.k : (side+1)*m.k]
	m.Posterior(x, means)
	ties := sign * m.scale * float64(x.TiedPairs())
	c.Nu += ties
	c.Sizes.Count(x, sign)
	vec.AddTimes(c.NuK, means, ties)
	vec.AddTimes(c.B, means, sign)
	for t := range x.Len() {
		s := sign * m.score(x, t)
		for _, i := range x.Block(t) {
			c.scores[2*i+side] = s
			c.U[i] += s
		}
	}
}

// AddWeights adds a factor times the gradient of the row of W of an item to a vector.
func (c *Contrast) AddWeights(item int, times float64, to []float64) {
	factors := [2]float64{times * c.scores[2*item], times * c.scores[2*item+1]}
	vec.AddRows(to, c.means, factors[:])
}

// WeightSquare is the sum of the squared gradient of W.
func (c *Contrast) WeightSquare() float64 {
	var observed, both, drawn float64
	for i := 0; i < len(c.scores); i += 2 {
		a, b := c.scores[i], c.scores[i+1]
		observed, both, drawn = observed+a*a, both+a*b, drawn+b*b
	}
	a, b := c.means[:len(c.B)], c.means[len(c.B):]
	return observed*vec.Dot(a, a) + 2*both*vec.Dot(a, b) + drawn*vec.Dot(b, b)
}

// sized returns a slice of n elements that keeps those it ever had, and the
// memory they hold.
func sized[E any](old []E, n int) []E {
	if cap(old) < n {
		return append(old[:cap(old)], make([]E, n-cap(old))...)
	}
	return old[:n]
}

// zeros returns a slice of n zeros, in the memory of an old one if it is large
// enough.
func zeros(old []float64, n int) []float64 {
	if cap(old) < n {
		return make([]float64, n)
	}
	old = old[:n]
	clear(old)
	return old
}

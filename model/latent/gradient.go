package latent

import (
	"fubini/core/partition"
	"fubini/core/vec"
)

// Gradient is that of some objective of one list, by the list's own numbering
// of its items.
type Gradient struct {
	U   []float64
	W   []float64 // [item*K+unit]
	Nu  float64
	NuK []float64
	B   []float64
}

func (g *Gradient) reset(m *Model) {
	g.U, g.W = zeros(g.U, m.n), zeros(g.W, m.n*m.k)
	g.NuK, g.B, g.Nu = zeros(g.NuK, m.k), zeros(g.B, m.k), 0
}

// Contrast is the gradient that stochastic approximation follows: the statistics
// of the observed order minus those of a draw from the model, both with the
// posterior means of the units in place of drawn ones, which has less variance.
// With many draws its mean is the gradient of the log likelihood. It keeps
// scratch space: one for each goroutine.
type Contrast struct {
	Gradient
	mean []float64
}

// Set computes the gradient.
func (c *Contrast) Set(m *Model, observed, drawn *partition.Partition) {
	c.reset(m)
	c.mean = zeros(c.mean, m.k)
	c.add(m, observed, 1)
	c.add(m, drawn, -1)
}

// add adds sign times the statistics of x: scores, scores times means, ties, and
// means.
func (c *Contrast) add(m *Model, x *partition.Partition, sign float64) {
	m.Posterior(x, c.mean)
	ties := sign * m.scale * float64(x.TiedPairs())
	c.Nu += ties
	vec.AddTimes(c.NuK, c.mean, ties)
	vec.AddTimes(c.B, c.mean, sign)
	for t := range x.Len() {
		s := sign * m.score(x, t)
		for _, i := range x.Block(t) {
			c.U[i] += s
			vec.AddTimes(c.W[i*m.k:(i+1)*m.k], c.mean, s)
		}
	}
}

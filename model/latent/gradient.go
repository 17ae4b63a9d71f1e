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

// reset sets all but W to zero, which has the right length.
func (g *Gradient) reset(m *Model) {
	g.U, g.W = vec.Zeros(g.U, m.n), sized(g.W, m.n*m.k)
	g.NuK, g.B, g.Nu = vec.Zeros(g.NuK, m.k), vec.Zeros(g.B, m.k), 0
	g.Sizes = vec.Zeros(g.Sizes, len(m.sizes))
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
// observed order minus those of a draw from the model, or their mean over several draws, all with the posterior means of the
// units, which have less variance than drawn units. Its expectation is the gradient of the log
// likelihood. The gradient of W is kept as its factors, scores and means; W itself is nil. It
// holds scratch space: use one for each goroutine.
type Contrast struct {
	Gradient
	sides  int       // the observed order, and the draws
	filled int       // of them so far
	scores []float64 // [sides*item+side], those of draws with a minus sign, divided by their number
	means  []float64 // of units [side*K+unit]
}

// Observe begins a gradient with the observed order; as many draws as it says follow.
func (c *Contrast) Observe(m *Model, observed *partition.Partition, draws int) {
	c.U, c.NuK, c.B, c.Nu = vec.Zeros(c.U, m.n), vec.Zeros(c.NuK, m.k), vec.Zeros(c.B, m.k), 0
	c.Sizes = vec.Zeros(c.Sizes, len(m.sizes))
	c.sides, c.filled = 1+draws, 0
	c.scores, c.means = vec.Zeros(c.scores, c.sides*m.n), vec.Zeros(c.means, c.sides*m.k)
	c.add(m, observed, 1)
}

// Draw takes one of the draws into the gradient.
func (c *Contrast) Draw(m *Model, drawn *partition.Partition) {
	c.add(m, drawn, -1/float64(c.sides-1))
}

// add adds a factor times the statistics of x: scores, ties, sizes and means.
func (c *Contrast) add(m *Model, x *partition.Partition, factor float64) {
	side := c.filled
	c.filled++
	means := c.means[side*m.k : (side+1)*m.k]
	m.Posterior(x, means)
	ties := factor * m.scale * float64(x.TiedPairs())
	c.Nu += ties
	c.Sizes.Count(x, factor)
	vec.AddTimes(c.NuK, means, ties)
	vec.AddTimes(c.B, means, factor)
	for t := range x.Len() {
		s := factor * m.score(x, t)
		for _, i := range x.Block(t) {
			c.scores[c.sides*i+side] = s
			c.U[i] += s
		}
	}
}

// AddWeights adds a factor times the gradient of the row of W of an item to a vector.
func (c *Contrast) AddWeights(item int, times float64, to []float64) {
	var few [8]float64 // no memory is asked for, as long as there are few draws
	factors := few[:0]
	for _, s := range c.scores[item*c.sides : (item+1)*c.sides] {
		factors = append(factors, times*s)
	}
	vec.AddRows(to, c.means, factors)
}

// WeightSquare is the sum of the squared gradient of W.
func (c *Contrast) WeightSquare() (square float64) {
	k := len(c.B)
	for a := range c.sides {
		for b := range a + 1 {
			var both float64
			for i := 0; i < len(c.scores); i += c.sides {
				both += c.scores[i+a] * c.scores[i+b]
			}
			if a != b {
				both *= 2
			}
			square += both * vec.Dot(c.means[a*k:(a+1)*k], c.means[b*k:(b+1)*k])
		}
	}
	return square
}

// sized returns a slice of n elements that keeps those it ever had, and the
// memory they hold.
func sized[E any](old []E, n int) []E {
	if cap(old) < n {
		return append(old[:cap(old)], make([]E, n-cap(old))...)
	}
	return old[:n]
}

package latent

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/core/vec"
	"fubini/model/osm"
)

// Catalogue holds the parameters of all items. The model of a list takes the
// rows of its items.
type Catalogue struct {
	Units Units
	Options
	K   int
	U   []float64 // worth of each item
	W   []float64 // W[i*K+k] of item i and unit k
	Nu  float64
	NuK []float64 // tie weight of each unit
	B   []float64 // bias of each unit

	// Sizes are the weights by tier size, of the base alone: units do not change them.
	// Nil means none.
	Sizes osm.Sizes

	// V[i*K+k] is what the presence of item i in a list says of unit k, wherever it
	// stands: which items a person has placed tells of their taste too. It adds
	// to the bias of the units, over all items of the list, divided by the root of
	// their number. Nil means nothing. See docs/maths.md#presence.
	V []float64
}

// NewCatalogue returns a catalogue of so many items and units, all parameters
// zero.
func NewCatalogue(items, k int, units Units, options Options) *Catalogue {
	return &Catalogue{Units: units, Options: options, K: k, U: make([]float64, items), W: make([]float64, items*k), NuK: make([]float64, k), B: make([]float64, k)}
}

// Model returns the model of a list of items.
func (c *Catalogue) Model(items []int) (*Model, error) {
	p := Parameters{Units: c.Units, U: make([]float64, len(items)), Nu: c.Nu, W: make([][]float64, len(items)), NuK: c.NuK, B: c.B, Sizes: c.Sizes}
	for k, i := range items {
		if i < 0 || i >= len(c.U) {
			return nil, fmt.Errorf("latent: item %d is outside the catalogue of %d", i, len(c.U))
		}
		p.U[k], p.W[k] = c.U[i], c.W[i*c.K:(i+1)*c.K]
	}
	p.B = slices.Clone(c.B)
	c.addPresence(p.B, items)
	return New(p, c.Options)
}

// Refill makes m the model of a list of other items, or of changed parameters,
// without allocating unless the list is longer than any before. The parameters
// are not checked again.
func (c *Catalogue) Refill(m *Model, items []int) {
	n, k := len(items), c.K
	m.units, m.n, m.k, m.nu = c.Units, n, k, c.Nu
	m.u, m.w = m.u[:0], m.w[:0]
	m.nuK, m.b = append(m.nuK[:0], c.NuK...), append(m.b[:0], c.B...)
	m.scale, m.centre = c.scoring(n)
	m.unitTies = anyOf(m.nuK)
	m.sizes = append(m.sizes[:0], c.Sizes...)
	for _, i := range items {
		m.u = append(m.u, c.U[i])
		m.w = append(m.w, c.W[i*k:(i+1)*k]...)
	}
	c.addPresence(m.b, items)
}

// addPresence adds what the items of a list say by being there.
func (c *Catalogue) addPresence(biases []float64, items []int) {
	if c.V == nil {
		return
	}
	each := Presence(len(items))
	for _, i := range items {
		vec.AddTimes(biases, c.V[i*c.K:(i+1)*c.K], each)
	}
}

// Presence is the factor on V in a list of n items.
func Presence(n int) float64 { return 1 / math.Sqrt(float64(n)) }

// Unknown returns the means of the units for a person of whom nothing is known:
// what the biases say, a half for binary units without any.
func (c *Catalogue) Unknown() []float64 {
	means := slices.Clone(c.B)
	if c.Units == Binary {
		for k, b := range means {
			means[k] = logprob.Logistic(b)
		}
	}
	return means
}

// Clone returns a copy that shares nothing with c.
func (c *Catalogue) Clone() *Catalogue {
	copied := *c
	copied.U, copied.W = slices.Clone(c.U), slices.Clone(c.W)
	copied.NuK, copied.B, copied.V = slices.Clone(c.NuK), slices.Clone(c.B), slices.Clone(c.V)
	copied.Sizes = slices.Clone(c.Sizes)
	return &copied
}

// MoveTowards moves every parameter a share of the way to another catalogue's.
func (c *Catalogue) MoveTowards(other *Catalogue, share float64) {
	for _, pair := range [][2][]float64{{c.U, other.U}, {c.W, other.W}, {c.NuK, other.NuK}, {c.B, other.B}, {c.V, other.V}, {c.Sizes, other.Sizes}} {
		for i, v := range pair[1] {
			pair[0][i] += share * (v - pair[0][i])
		}
	}
	c.Nu += share * (other.Nu - c.Nu)
}

// Finite says whether every parameter is a finite number.
func (c *Catalogue) Finite() bool {
	for _, list := range [][]float64{c.U, c.W, c.NuK, c.B, c.V, c.Sizes, {c.Nu}} {
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}

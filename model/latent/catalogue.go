package latent

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/core/vec"
	"fubini/model/osm"
)

// Shape is the dimensions of a catalogue and the options of its model.
type Shape struct {
	Items int
	K     int // number of hidden units
	Units Units
	Options
	Presence bool // there are presence weights V
	Largest  int  // largest tier size with a weight; 0 for none
}

// Catalogue is the parameters of the latent model for all items. The model of a list has the
// rows of its items.
type Catalogue struct {
	Shape
	Values []float64 // all parameters as one vector; the fields below are views of it

	U   []float64 // worth of each item
	W   []float64 // weight W[i*K+k] of item i in unit k
	Nu  *float64  // tie weight
	NuK []float64 // tie weight of each unit
	B   []float64 // bias of each unit

	// Sizes are weights by tier size, which do not depend on the units; nil means none.
	Sizes osm.SizeWeights

	// V are presence weights: the effect on unit k of item i being in the list at all, in any
	// tier, is V[i*K+k]. Their sum over the n items of a list, divided by the root of n, is
	// added to the bias of the unit. Nil means none. See docs/maths.md#presence.
	V []float64

	// Population has the moments of people's lists in training, from which short lists are read; nil for none, as
	// in training itself. It is not changed once it is made.
	Population *Population
}

// New returns a catalogue of this shape with all parameters zero.
func (s Shape) New() *Catalogue {
	n := s.Items + s.Items*s.K + 1 + 2*s.K
	if s.Presence {
		n += s.Items * s.K
	}
	if s.Largest > 0 {
		n += 2 * (s.Largest + 1)
	}
	return (&Catalogue{Shape: s, Values: make([]float64, n)}).view()
}

// view makes the named fields parts of Values: the parameters of items first, then those
// that all lists share. W and V come before U, so that W starts where the allocation does and
// its rows are aligned in memory.
func (c *Catalogue) view() *Catalogue {
	rest := c.Values
	next := func(n int) []float64 {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	c.W = next(c.Items * c.K)
	if c.Presence {
		c.V = next(c.Items * c.K)
	}
	c.U = next(c.Items)
	c.Nu, c.NuK, c.B = &next(1)[0], next(c.K), next(c.K)
	if c.Largest > 0 {
		c.Sizes = next(2 * (c.Largest + 1))
	}
	return c
}

// ParameterKind is one kind of parameters: its name in files, its values and their dimensions.
type ParameterKind struct {
	Name   string
	Values []float64
	Dims   []int
}

// Kinds returns the kinds of parameters of the catalogue, those of items first.
func (c *Catalogue) Kinds() []ParameterKind {
	blocks := []ParameterKind{
		{"u", c.U, []int{c.Items}}, {"W", c.W, []int{c.Items, c.K}}, {"v", c.V, []int{c.Items, c.K}},
		{"nu", c.Values[c.shared() : c.shared()+1], []int{1}}, {"nu_k", c.NuK, []int{c.K}}, {"b", c.B, []int{c.K}}, {"sizes", c.Sizes, []int{2, c.Largest + 1}},
	}
	return slices.DeleteFunc(blocks, func(b ParameterKind) bool { return b.Values == nil })
}

// shared is the place in Values of the first parameter that all lists share.
func (c *Catalogue) shared() int { return len(c.U) + len(c.W) + len(c.V) }

// Item is the item of the parameter at place k in Values, or -1 for a parameter that all lists
// share.
func (c *Catalogue) Item(k int) int {
	switch {
	case k < len(c.W)+len(c.V):
		return k / c.K % c.Items
	case k < c.shared():
		return k - len(c.W) - len(c.V)
	}
	return -1
}

// NewCatalogue returns a catalogue with k units and all parameters zero, without presence
// weights and weights by tier size; [Shape.New] makes any.
func NewCatalogue(items, k int, units Units, options Options) *Catalogue {
	return Shape{Items: items, K: k, Units: units, Options: options}.New()
}

// Model returns the model of a list of items.
func (c *Catalogue) Model(items []int) (*Model, error) {
	p := Parameters{Units: c.Units, U: make([]float64, len(items)), Nu: *c.Nu, W: make([][]float64, len(items)), NuK: c.NuK, B: c.B, Sizes: c.Sizes}
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

// Refill sets m to the model of a list of items, at the current parameters. It allocates only
// for a list longer than any before, and does not check the parameters.
func (c *Catalogue) Refill(m *Model, items []int) {
	n, k := len(items), c.K
	m.units, m.n, m.k, m.nu = c.Units, n, k, *c.Nu
	m.nuK, m.b = append(m.nuK[:0], c.NuK...), append(m.b[:0], c.B...)
	m.scale, m.centre = c.scoring(n)
	m.unitTies = anyOf(m.nuK)
	m.sizes = append(m.sizes[:0], c.Sizes...)
	if c.V != nil {
		m.items, m.factors = sized(m.items, n), sized(m.factors, n)
		numbers, factors, each := m.items[:len(items)], m.factors[:len(items)], Presence(n)
		for at, i := range items {
			numbers[at], factors[at] = uint32(i), each
		}
		vec.AddRowsAt(m.b, c.V, numbers, factors)
	}
	m.u, m.w = sized(m.u, n), sized(m.w, n*k)
	worths, weights := m.u[:len(items)], m.w
	for at, i := range items {
		worths[at] = c.U[i]
		copy(weights[:k], c.W[i*k:(i+1)*k])
		weights = weights[k:]
	}
}

// Replace sets the last item of m, which Refill made for a list of items, to another one.
func (c *Catalogue) Replace(m *Model, item int) {
	last, k := m.n-1, c.K
	m.u[last] = c.U[item]
	copy(m.w[last*k:], c.W[item*k:(item+1)*k])
	m.b = append(m.b[:0], c.B...)
	if c.V != nil {
		m.items[last] = uint32(item)
		vec.AddRowsAt(m.b, c.V, m.items, m.factors)
	}
}

// addPresence adds the weights of the presence of a list's items.
func (c *Catalogue) addPresence(biases []float64, items []int) {
	if c.V == nil {
		return
	}
	each := Presence(len(items))
	for _, i := range items {
		vec.AddTimes(biases, c.V[i*c.K:(i+1)*c.K], each)
	}
}

// Presence is the factor on the presence weights in a list of n items.
func Presence(n int) float64 { return 1 / math.Sqrt(float64(n)) }

// PriorMeans returns the prior means of the units, for a person without a list: those over
// people, or without a population the biases, or their logistic for binary units.
func (c *Catalogue) PriorMeans() []float64 {
	means := slices.Clone(c.B)
	if c.Population != nil {
		vec.AddTimes(means, c.Population.average, 1)
	}
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
	copied.Values = slices.Clone(c.Values)
	return copied.view()
}

// MoveTowards replaces every parameter p by p + share (q - p), with q that of the other
// catalogue.
func (c *Catalogue) MoveTowards(other *Catalogue, share float64) {
	for i, v := range other.Values {
		c.Values[i] += share * (v - c.Values[i])
	}
}

// Finite reports whether every parameter is a finite number.
func (c *Catalogue) Finite() bool {
	for _, v := range c.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Select returns a catalogue in which item i has the parameters of item from[i], or zeros if
// that is negative. The parameters that all lists share are copied.
func (c *Catalogue) Select(from []int) *Catalogue {
	shape := c.Shape
	shape.Items = len(from)
	next := shape.New()
	next.Population = c.Population
	copy(next.Values[next.shared():], c.Values[c.shared():])
	for i, at := range from {
		if at < 0 {
			continue
		}
		next.U[i] = c.U[at]
		copy(next.W[i*c.K:(i+1)*c.K], c.W[at*c.K:])
		if c.V != nil {
			copy(next.V[i*c.K:(i+1)*c.K], c.V[at*c.K:])
		}
	}
	return next
}

// GobEncode writes the shape, the parameters and the population.
func (c *Catalogue) GobEncode() ([]byte, error) {
	var b bytes.Buffer
	out := gob.NewEncoder(&b)
	var people Population
	if c.Population != nil {
		people = *c.Population
	}
	err := errors.Join(out.Encode(c.Shape), out.Encode(c.Values), out.Encode(people))
	return b.Bytes(), err
}

// GobDecode reads what GobEncode wrote.
func (c *Catalogue) GobDecode(text []byte) error {
	in := gob.NewDecoder(bytes.NewReader(text))
	var people Population
	if err := errors.Join(in.Decode(&c.Shape), in.Decode(&c.Values), in.Decode(&people)); err != nil {
		return err
	}
	c.view()
	c.Population = nil
	if people.Length == 0 {
		return nil
	}
	var err error
	if c.Population, err = NewPopulation(c.K, people.Length, people.Mean, people.Between, people.Within); err == nil {
		c.Population.Together = people.Together
	}
	return err
}

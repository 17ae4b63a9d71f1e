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

// Shape is the size of a catalogue and the kind of its model.
type Shape struct {
	Items int
	K     int // hidden units
	Units Units
	Options
	Presence bool // the units have weights V by which items are in a list
	Largest  int  // tier size with a weight of its own; 0 for none
}

// Catalogue holds the parameters of all items. The model of a list takes the
// rows of its items.
type Catalogue struct {
	Shape
	Values []float64 // all parameters, block after block; the fields below are parts of it

	U   []float64 // worth of each item
	W   []float64 // W[i*K+k] of item i and unit k
	Nu  *float64  // tie weight
	NuK []float64 // tie weight of each unit
	B   []float64 // bias of each unit

	// Sizes are the weights by tier size, of the base alone: units do not change them.
	// Nil means none.
	Sizes osm.Sizes

	// V[i*K+k] is the weight of the presence of item i in a list on unit k, wherever
	// the item stands: which items a person has placed is evidence of their taste too. It
	// adds to the bias of the units, summed over the items of the list and divided by the
	// root of their number. Nil means none. See docs/maths.md#presence.
	V []float64
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
// that all lists share.
func (c *Catalogue) view() *Catalogue {
	rest := c.Values
	next := func(n int) []float64 {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	c.U, c.W = next(c.Items), next(c.Items*c.K)
	if c.Presence {
		c.V = next(c.Items * c.K)
	}
	c.Nu, c.NuK, c.B = &next(1)[0], next(c.K), next(c.K)
	if c.Largest > 0 {
		c.Sizes = next(2 * (c.Largest + 1))
	}
	return c
}

// Block is one kind of parameters, with its name in files and its dimensions.
type Block struct {
	Name   string
	Values []float64
	Dims   []int
}

// Blocks are the kinds of parameters that a catalogue has, those of items first.
func (c *Catalogue) Blocks() []Block {
	blocks := []Block{
		{"u", c.U, []int{c.Items}}, {"W", c.W, []int{c.Items, c.K}}, {"v", c.V, []int{c.Items, c.K}},
		{"nu", c.Values[c.shared() : c.shared()+1], []int{1}}, {"nu_k", c.NuK, []int{c.K}}, {"b", c.B, []int{c.K}}, {"sizes", c.Sizes, []int{2, c.Largest + 1}},
	}
	return slices.DeleteFunc(blocks, func(b Block) bool { return b.Values == nil })
}

// shared is the place in Values of the first parameter that all lists share.
func (c *Catalogue) shared() int { return len(c.U) + len(c.W) + len(c.V) }

// Item is the item that a parameter belongs to, by its place in Values, or -1 for what all
// lists share.
func (c *Catalogue) Item(k int) int {
	switch {
	case k < c.Items:
		return k
	case k < c.shared():
		return (k - c.Items) / c.K % c.Items
	}
	return -1
}

// NewCatalogue returns a catalogue of items and k units, all parameters zero, without
// presence and weights by tier size; [Shape.New] makes any.
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

// Refill makes m the model of a list of other items, or of changed parameters,
// without allocating unless the list is longer than any before. The parameters
// are not checked again.
func (c *Catalogue) Refill(m *Model, items []int) {
	n, k := len(items), c.K
	m.units, m.n, m.k, m.nu = c.Units, n, k, *c.Nu
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

// Presence is the factor on V in a list of n items.
func Presence(n int) float64 { return 1 / math.Sqrt(float64(n)) }

// Unknown returns the means of the units for a person without a list: those that the
// biases give, a half for binary units without any.
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
	copied.Values = slices.Clone(c.Values)
	return copied.view()
}

// MoveTowards moves every parameter a share of the way to another catalogue's.
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

// Select returns a catalogue of other items: number i has the parameters of item from[i]
// of c, or zeros where that is negative. What all lists share is copied.
func (c *Catalogue) Select(from []int) *Catalogue {
	shape := c.Shape
	shape.Items = len(from)
	next := shape.New()
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

// GobEncode writes the shape and the parameters, without the calibration.
func (c *Catalogue) GobEncode() ([]byte, error) {
	var b bytes.Buffer
	out := gob.NewEncoder(&b)
	err := errors.Join(out.Encode(c.Shape), out.Encode(c.Values))
	return b.Bytes(), err
}

// GobDecode reads what GobEncode wrote.
func (c *Catalogue) GobDecode(text []byte) error {
	in := gob.NewDecoder(bytes.NewReader(text))
	if err := errors.Join(in.Decode(&c.Shape), in.Decode(&c.Values)); err != nil {
		return err
	}
	c.view()
	return nil
}

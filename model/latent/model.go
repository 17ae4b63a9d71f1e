package latent

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/vec"
	"fubini/model/osm"
)

// Units is the distribution of the hidden units given a list.
type Units int

// Binary units are Bernoulli, as in the paper; Gaussian units are normal with variance 1.
const (
	Binary Units = iota
	Gaussian
)

// String is the name of the distribution, binary or gaussian.
func (u Units) String() string {
	if u == Gaussian {
		return "gaussian"
	}
	return "binary"
}

// ParseUnits reads "binary" or "gaussian".
func ParseUnits(name string) (Units, error) {
	switch name {
	case "binary":
		return Binary, nil
	case "gaussian":
		return Gaussian, nil
	}
	return 0, fmt.Errorf("latent: no units %q; there are binary and gaussian", name)
}

// Parameters are the parameters of the model of one list of N items with K hidden units.
type Parameters struct {
	Units Units
	U     []float64       // worth of each item
	Nu    float64         // tie weight
	W     [][]float64     // worth of each item in each unit, [item][unit]
	NuK   []float64       // tie weight of each unit; nil means zero
	B     []float64       // bias of each unit; nil means zero
	Sizes osm.SizeWeights // weights of the base by tier size; nil means none
}

// Options of a model. The zero value is the paper's: raw scores.
type Options struct {
	// Size is the constant c of the size normalisation: scores and tie counts
	// are multiplied by c/(N-1). 0 switches it off.
	Size float64
	// Centred subtracts the mean score (N-1)/2 from every score, before scaling. Without
	// hidden units the distribution stays the same; with them it is another model.
	Centred bool
}

// scoring returns the factor on the scores and tied pairs of a list of n items, and the centre
// that is subtracted from every score before.
func (o Options) scoring(n int) (scale, centre float64) {
	scale = 1
	if o.Size > 0 && n > 1 {
		scale = o.Size / float64(n-1)
	}
	if o.Centred {
		centre = float64(n-1) / 2
	}
	return scale, centre
}

// Model is the latent model of one list. With the scaled score s_i of each item and C scaled
// tied pairs, a list X and units h have the log weight
//
//	sum of u_i s_i + nu C + sum over k of h_k a_k(X),  a_k(X) = b_k + sum of W_ik s_i + nu_k C,
//
// and Gaussian units also minus half their squares. Methods that only read may be called
// concurrently; Raise and [Catalogue.Refill] write.
type Model struct {
	units  Units
	n, k   int
	u      []float64
	nu     float64
	w      []float64 // w[i*k+j] of item i and unit j
	nuK, b []float64
	sizes  osm.SizeWeights // not scaled; empty for none
	scale  float64
	centre float64 // taken from every score before scaling

	unitTies bool // some nu_k is not zero

	sums, surplus []float64 // scratch space of [Catalogue.Embed]
	row, own, all []float64 // the same, for units that are read together
	items         []uint32  // room of Refill: the list's items
	factors       []float64 // and a factor for each
}

// New returns the model with these parameters, or an error for those that do not fit together.
func New(p Parameters, options Options) (*Model, error) {
	n := len(p.U)
	if n == 0 {
		return nil, fmt.Errorf("latent: no worths; at least one item is needed")
	}
	if len(p.W) != n && len(p.W) != 0 {
		return nil, fmt.Errorf("latent: W has rows for %d items, u has %d", len(p.W), n)
	}
	k := 0
	if len(p.W) > 0 {
		k = len(p.W[0])
	}
	m := &Model{units: p.Units, n: n, k: k, u: append([]float64{}, p.U...), nu: p.Nu,
		w: make([]float64, n*k), nuK: make([]float64, k), b: make([]float64, k)}
	if !(options.Size >= 0) || math.IsInf(options.Size, 1) {
		return nil, fmt.Errorf("latent: size normalisation %g; it must be 0 for none, or positive", options.Size)
	}
	m.scale, m.centre = options.scoring(n)
	for i, row := range p.W {
		if len(row) != k {
			return nil, fmt.Errorf("latent: item %d has weights for %d units, item 0 for %d", i, len(row), k)
		}
		copy(m.w[i*k:], row)
	}
	for _, vector := range []struct {
		name     string
		from, to []float64
	}{{"nu_k", p.NuK, m.nuK}, {"b", p.B, m.b}} {
		if len(vector.from) != 0 && len(vector.from) != k {
			return nil, fmt.Errorf("latent: %s has %d numbers for %d units", vector.name, len(vector.from), k)
		}
		copy(vector.to, vector.from)
	}
	for _, list := range [][]float64{m.u, m.w, m.nuK, m.b, {m.nu}} {
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("latent: a parameter is %g; all must be finite", v)
			}
		}
	}
	if err := p.Sizes.Check(); err != nil {
		return nil, fmt.Errorf("latent: %w", err)
	}
	m.sizes = slices.Clone(p.Sizes)
	m.unitTies = anyOf(m.nuK)
	return m, nil
}

// anyOf reports whether some value is not zero.
func anyOf(values []float64) bool {
	for _, v := range values {
		if v != 0 {
			return true
		}
	}
	return false
}

// Scoring returns the factor on scores and tied pairs, and the centre that is subtracted from
// every score before.
func (m *Model) Scoring() (scale, centre float64) { return m.scale, m.centre }

// N is the number of items.
func (m *Model) N() int { return m.n }

// K is the number of hidden units.
func (m *Model) K() int { return m.k }

// AddToBiases adds a multiple of a vector to the biases of the units.
func (m *Model) AddToBiases(units []float64, times float64) { vec.AddTimes(m.b, units, times) }

// Units is the distribution of the hidden units.
func (m *Model) Units() Units { return m.units }

// Activations writes a_k(x), the log odds or the mean of unit k given x, for every unit.
func (m *Model) Activations(x *partition.Partition, out []float64) {
	copy(out, m.b)
	ties := m.scale * float64(x.TiedPairs())
	vec.AddTimes(out, m.nuK, ties)
	for t := range x.Len() {
		s := m.score(x, t)
		for _, i := range x.Block(t) {
			vec.AddTimes(out, m.w[i*m.k:(i+1)*m.k], s)
		}
	}
}

// ItemScore is the scaled score of the items of block t.
func (o Options) ItemScore(x *partition.Partition, t int) float64 {
	scale, centre := o.scoring(x.N())
	return scored(x, t, scale, centre)
}

// scored is the score of the items of block t less the centre, times the scale.
func scored(x *partition.Partition, t int, scale, centre float64) float64 {
	return scale * (float64(x.Below(t)) + float64(x.Size(t)-1)/2 - centre)
}

// score is that of [Options.ItemScore].
func (m *Model) score(x *partition.Partition, t int) float64 {
	return scored(x, t, m.scale, m.centre)
}

// base is the log weight of x without hidden units.
func (m *Model) base(x *partition.Partition) float64 {
	weight := m.nu * m.scale * float64(x.TiedPairs())
	for t := range x.Len() {
		s := m.score(x, t)
		for _, i := range x.Block(t) {
			weight += s * m.u[i]
		}
	}
	return weight + m.sizes.Total(x)
}

// LogWeight is the log weight of x with the units summed out (minus the free energy): that
// without units, plus for each unit log(1 + e^a), or a^2/2 if it is Gaussian.
func (m *Model) LogWeight(x *partition.Partition) float64 {
	a := make([]float64, m.k)
	m.Activations(x, a)
	return m.base(x) + m.free(a, 1)
}

// free is the term of units with activations a in the log weight, at temperature tau on the
// path of annealing; 1 is the model itself. See docs/maths.md#latent.
func (m *Model) free(a []float64, tau float64) float64 {
	var total float64
	if m.units == Gaussian {
		return tau * vec.Dot(a, a) / 2
	}
	for _, v := range a {
		total += logprob.Log1pExp(tau * v)
	}
	return total
}

// LogJoint is the log weight of x together with units h. Gaussian units are a density: it has
// their constant, half the log of 2 pi for each.
func (m *Model) LogJoint(x *partition.Partition, h []float64) float64 {
	a := make([]float64, m.k)
	m.Activations(x, a)
	weight := m.base(x)
	for j, v := range h {
		weight += v * a[j]
		if m.units == Gaussian {
			weight -= v*v/2 + math.Log(2*math.Pi)/2
		}
	}
	return weight
}

// Posterior writes the posterior mean of every unit given x: the probability that a binary
// unit is on, or the mean of a Gaussian one. It is the embedding of x.
func (m *Model) Posterior(x *partition.Partition, out []float64) {
	m.Activations(x, out)
	if m.units == Gaussian {
		return
	}
	for j, a := range out {
		out[j] = logprob.Logistic(a)
	}
}

// Conditional returns the model of x given units h: a worth model with worths u + W h, tie
// weight nu + nu_k h and the same weights by tier size. Its log weight differs from
// [Model.LogJoint] by a constant.
func (m *Model) Conditional(h []float64) (*osm.Worths, error) {
	u := make([]float64, m.n)
	nu := m.given(h, 1, 1, u)
	given, err := osm.NewWorths(u, nu, osm.Options{})
	if err != nil {
		return nil, err
	}
	given.SetSizes(m.sizes, 1)
	return given, nil
}

// given writes the worths given h, the base times tau and the units times
// coupling, and returns the tie weight.
func (m *Model) given(h []float64, tau, coupling float64, worths []float64) (nu float64) {
	vec.DotRows(worths, h, m.w)
	for i, v := range worths {
		worths[i] = m.scale * (tau*m.u[i] + coupling*v)
	}
	return m.scale * (tau*m.nu + coupling*vec.Dot(h, m.nuK))
}

// constant is the difference between LogJoint and the log weight of Conditional: minus the
// centre times the sum of the worths given h.
func (m *Model) constant(h []float64) float64 {
	var sum float64
	for i, u := range m.u {
		sum += u + vec.Dot(m.w[i*m.k:(i+1)*m.k], h)
	}
	return -m.scale * m.centre * sum
}

// Raise adds a number to the worth of an item.
func (m *Model) Raise(item int, by float64) { m.u[item] += by }

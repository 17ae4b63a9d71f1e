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

// Features is the latent model in its general form: any log-linear family for the base, and
// weights on the same features for every unit, the paper's lambda_ak and mu_bk. With the
// statistics phi(x) of the family,
//
//	log weight of the base  theta . phi(x)
//	activation of unit k    b_k + theta_k . phi(x)
//
// It is not optimised. One goroutine may use it at a time.
type Features struct {
	family osm.Family
	items  []int
	bound  osm.Bound
	kind   Units
	base   []float64   // theta, by the parameters of the bound list
	units  [][]float64 // theta_k
	bias   []float64
	phi    []float64 // scratch
	all    []float64 // scratch: parameters of the whole family
}

// NewFeatures returns the model of a list of items. base, and each row of units, has a weight
// for every parameter of the family. bias may be nil.
func NewFeatures(family osm.Family, items []int, kind Units, base []float64, units [][]float64, bias []float64) (*Features, error) {
	bound, err := family.Bind(items)
	if err != nil {
		return nil, err
	}
	m := &Features{family: family, items: items, bound: bound, kind: kind, all: make([]float64, family.Dim()), phi: make([]float64, len(bound.Index()))}
	return m, m.Set(base, units, bias)
}

// Set sets all weights, as in [NewFeatures].
func (m *Features) Set(base []float64, units [][]float64, bias []float64) (err error) {
	if bias == nil {
		bias = make([]float64, len(units))
	}
	if len(bias) != len(units) {
		return fmt.Errorf("latent: %d biases for %d units", len(bias), len(units))
	}
	pick := func(weights []float64) ([]float64, error) {
		if len(weights) != m.family.Dim() {
			return nil, fmt.Errorf("latent: %d weights, the family has %d parameters", len(weights), m.family.Dim())
		}
		out := make([]float64, len(m.phi))
		for a, k := range m.bound.Index() {
			if out[a] = weights[k]; math.IsNaN(out[a]) || math.IsInf(out[a], 0) {
				return nil, fmt.Errorf("latent: the weight of %s is %g; it must be finite", m.family.Name(k), out[a])
			}
		}
		return out, nil
	}
	if m.base, err = pick(base); err != nil {
		return err
	}
	m.units, m.bias = nil, slices.Clone(bias)
	for _, weights := range units {
		unit, err := pick(weights)
		if err != nil {
			return err
		}
		m.units = append(m.units, unit)
	}
	return nil
}

// clone is the same model for another goroutine.
func (m *Features) clone() *Features {
	c := *m
	bound, err := m.family.Bind(m.items)
	if err != nil {
		panic(fmt.Sprintf("latent: %v", err)) // they were bound before
	}
	c.bound, c.phi, c.all = bound, make([]float64, len(m.phi)), make([]float64, len(m.all))
	return &c
}

// N is the number of items.
func (m *Features) N() int { return m.bound.N() }

// K is the number of hidden units.
func (m *Features) K() int { return len(m.units) }

// Activations writes a_k(x) for every unit.
func (m *Features) Activations(x *partition.Partition, out []float64) {
	m.bound.Statistics(x, m.phi)
	for k, weights := range m.units {
		out[k] = m.bias[k] + vec.Dot(weights, m.phi)
	}
}

// LogWeight is the log weight of x with the units summed out.
func (m *Features) LogWeight(x *partition.Partition) float64 {
	a := make([]float64, m.K())
	m.Activations(x, a)
	weight := vec.Dot(m.base, m.phi)
	for _, v := range a {
		if m.kind == Gaussian {
			weight += v * v / 2
		} else {
			weight += logprob.Log1pExp(v)
		}
	}
	return weight
}

// Posterior writes the mean of every unit given x.
func (m *Features) Posterior(x *partition.Partition, out []float64) {
	m.Activations(x, out)
	if m.kind == Binary {
		for k, a := range out {
			out[k] = logprob.Logistic(a)
		}
	}
}

// Conditional returns the model of x given units h, with weights theta + sum of h_k theta_k. It
// is valid until the next call.
func (m *Features) Conditional(h []float64) osm.Bound { return m.given(h, 1, 1) }

// given is the conditional with the base times tau and the units times a coupling.
func (m *Features) given(h []float64, tau, coupling float64) osm.Bound {
	for a, k := range m.bound.Index() {
		m.all[k] = tau * m.base[a]
		for j, weights := range m.units {
			m.all[k] += coupling * h[j] * weights[a]
		}
	}
	m.bound.SetParameters(m.all)
	return m.bound
}

// Statistics writes the statistics phi of x and the posterior means of the units. The gradient
// of the log likelihood is, observed minus expected, phi for the base and the mean of h_k times
// phi for unit k.
func (m *Features) Statistics(x *partition.Partition, phi, means []float64) {
	m.Posterior(x, means)
	copy(phi, m.phi)
}

// Score is the paper's mean-field score of a new item j for a person, given the posterior means
// of the units: the sum over the seen items i of log psi(j > i) plus, for every unit, its mean
// times log psi_k(j > i). The items of the model must be the seen ones, then j.
func (m *Features) Score(means []float64) float64 {
	given := m.Conditional(means)
	j := m.N() - 1
	var score float64
	for i := range j {
		score += given.LogAbove(j, i)
	}
	return score
}

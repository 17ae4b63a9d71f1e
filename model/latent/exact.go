package latent

import (
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/infer/exact"
)

// MaxStates is the limit of [Model.ExactLogZ] for binary units: 2^K states of the units times
// 3^N steps each.
const MaxStates = 1e11

// ExactSteps is about the number of steps of [Model.ExactLogZ]: 2^K 3^N with binary units, and the number of all x with Gaussian
// ones.
func (m *Model) ExactSteps() float64 {
	if m.units == Gaussian && m.k > 0 {
		return math.Exp(partition.LogFubini(m.n))
	}
	return math.Pow(2, float64(m.k)) * math.Pow(3, float64(m.n))
}

// ExactLogZ is the log normaliser over all x and h. Binary units are enumerated, with a subset
// table for each of their 2^K states, in O(2^K 3^N). With Gaussian units the log weight is not
// a sum over pairs, so that all x are listed, up to N = [exact.MaxListed].
func (m *Model) ExactLogZ() (float64, error) {
	if m.units == Gaussian || m.k == 0 {
		list, err := exact.List(m, partition.Space{})
		if err == nil {
			return list.LogZ, nil
		}
		if m.k > 0 {
			return 0, err
		}
	}
	if steps := m.ExactSteps(); steps > MaxStates {
		return 0, fmt.Errorf("latent: %d items and %d binary units take %.1e steps; the limit is %.0e, beyond it anneal", m.n, m.k, steps, MaxStates)
	}
	h := make([]float64, m.k)
	total := logprob.Zero
	for setting := range 1 << m.k {
		var bias float64
		for j := range h {
			h[j] = float64(setting >> j & 1)
			bias += h[j] * m.b[j]
		}
		given, err := m.Conditional(h)
		if err != nil {
			return 0, err
		}
		table, err := exact.NewTable(given, partition.Space{})
		if err != nil {
			return 0, err
		}
		total = logprob.Add(total, bias+m.constant(h)+table.LogZ())
	}
	return total, nil
}

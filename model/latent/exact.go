package latent

import (
	"fmt"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/infer/exact"
)

// MaxStates bounds ExactLogZ for binary units: tables are built for 2^K settings
// of the units, at 3^N steps each.
const MaxStates = 1e11

// ExactLogZ is the log normaliser over all x and h. Binary units are summed over
// one by one, each setting by its subset table, in O(2^K 3^N). The square of
// Gaussian units is not a sum over pairs, so x is listed, to N = exact.MaxListed.
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
	steps := 1.0
	for range m.n {
		steps *= 3
	}
	for range m.k {
		steps *= 2
	}
	if steps > MaxStates {
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

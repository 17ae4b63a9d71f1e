package osm

import (
	"fmt"
	"math"
)

// Mixture is the model of the lists of people who differ: each has or has not each of a few hidden units, by chance, and a unit adds
// its potentials to those of the base. With features of pairs these are the paper's lambda_ak f_a and mu_bk g_b. Given the
// units of a person the model is a [Visible]. See docs/maths.md#tastes.
type Mixture struct {
	Shares []float64 // probability of each unit
	Base   *Visible
	Units  []*Visible // what each unit adds to the base
}

// LogSetProbabilities are the log probabilities of all sets of units, of which unit k, with the share given, is bit k.
func LogSetProbabilities(shares []float64) []float64 {
	logs := make([]float64, 1<<len(shares))
	for s := range logs {
		for k, share := range shares {
			if s>>k&1 == 1 {
				logs[s] += math.Log(share)
			} else {
				logs[s] += math.Log1p(-share)
			}
		}
	}
	return logs
}

// Given is the model of the lists of a person with a set of units.
func (m *Mixture) Given(units int) *Visible {
	v := m.Base
	for k, unit := range m.Units {
		if units>>k&1 == 1 {
			v = v.Plus(1, unit)
		}
	}
	return v
}

// mostUnits is the largest number of units of a mixture: all sets of them are listed.
const mostUnits = 16

// Check returns an error unless all parts are of the same items, and shares are probabilities.
func (m *Mixture) Check() error {
	if len(m.Shares) != len(m.Units) || len(m.Units) == 0 || len(m.Units) > mostUnits {
		return fmt.Errorf("osm: %d hidden units and %d shares of them; there are 1 to %d", len(m.Units), len(m.Shares), mostUnits)
	}
	for k, share := range m.Shares {
		if !(share > 0 && share < 1) {
			return fmt.Errorf("osm: unit %d has the share %g; it must be between 0 and 1", k+1, share)
		}
	}
	if err := m.Base.Check(); err != nil {
		return err
	}
	for _, unit := range m.Units {
		if len(unit.Worths) != len(m.Base.Worths) || unit.Space != m.Base.Space {
			return fmt.Errorf("osm: a unit of %d items, and a base of %d", len(unit.Worths), len(m.Base.Worths))
		}
		if err := unit.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Plus is the model with the parameters of v and times those of another, in the sample space of v. What either has none of is zero.
func (v *Visible) Plus(times float64, other *Visible) *Visible {
	sum := func(a, b []float64) []float64 {
		if a == nil && b == nil {
			return nil
		}
		out := make([]float64, max(len(a), len(b)))
		copy(out, a)
		for k, x := range b {
			out[k] += times * x
		}
		return out
	}
	return &Visible{Worths: sum(v.Worths, other.Worths), Nu: v.Nu + times*other.Nu, Deviations: sum(v.Deviations, other.Deviations),
		Distance: v.Distance + times*other.Distance, Space: v.Space, PairTies: sum(v.PairTies, other.PairTies), PairOrders: sum(v.PairOrders, other.PairOrders)}
}

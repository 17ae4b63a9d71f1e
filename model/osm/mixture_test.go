package osm_test

import (
	"math"
	"testing"

	"fubini/model/osm"
)

func mixture() *osm.Mixture {
	return &osm.Mixture{Shares: []float64{0.3, 0.6},
		Base: &osm.Visible{Worths: []float64{1, 0, -1}, Nu: 0.5, PairTies: []float64{0, 1, 2, 1, 0, 3, 2, 3, 0}},
		Units: []*osm.Visible{
			{Worths: []float64{-2, 1, 1}, Nu: -0.25, PairTies: []float64{0, 0.5, 0, 0.5, 0, 0, 0, 0, 0}},
			{Worths: []float64{0, 0, 0}, Distance: 0.5, PairOrders: []float64{0, 1, 0, 0, 0, 0, 0, 0, 0}},
		}}
}

// Given a set of units the parameters are those of the base and of all its units; shares are probabilities of sets.
func TestMixtureGivenUnits(t *testing.T) {
	m := mixture()
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	v := m.Given(3)
	if v.Worths[0] != -1 || v.Nu != 0.25 || v.Distance != 0.5 || v.PairTies[1] != 1.5 || v.PairOrders[1] != 1 || m.Base.Worths[0] != 1 {
		t.Errorf("both units give %+v", v)
	}
	if none := m.Given(0); none.Worths[0] != 1 || none.Nu != 0.5 {
		t.Errorf("no units give %+v", none)
	}
	want, sum := []float64{0.7 * 0.4, 0.3 * 0.4, 0.7 * 0.6, 0.3 * 0.6}, 0.0
	for set, log := range osm.LogSetProbabilities(m.Shares) {
		sum += math.Exp(log)
		if !(math.Abs(math.Exp(log)-want[set]) <= 1e-12) {
			t.Errorf("set %d has probability %g, want %g", set, math.Exp(log), want[set])
		}
	}
	if !(math.Abs(sum-1) <= 1e-12) {
		t.Errorf("sets have probabilities of %g in all", sum)
	}
}

func TestMixtureRefusals(t *testing.T) {
	for name, spoil := range map[string]func(m *osm.Mixture){
		"a share of 1":       func(m *osm.Mixture) { m.Shares[0] = 1 },
		"a share of NaN":     func(m *osm.Mixture) { m.Shares[1] = math.NaN() },
		"a share too many":   func(m *osm.Mixture) { m.Shares = append(m.Shares, 0.5) },
		"no units":           func(m *osm.Mixture) { m.Shares, m.Units = nil, nil },
		"units of few items": func(m *osm.Mixture) { m.Units[1].Worths = []float64{0, 0} },
		"another space":      func(m *osm.Mixture) { m.Units[0].Space = osm.TwoTiers },
		"a base of NaN":      func(m *osm.Mixture) { m.Base.Nu = math.NaN() },
		"a unit of NaN":      func(m *osm.Mixture) { m.Units[0].Nu = math.NaN() },
	} {
		m := mixture()
		spoil(m)
		if m.Check() == nil {
			t.Errorf("%s is allowed", name)
		}
	}
}

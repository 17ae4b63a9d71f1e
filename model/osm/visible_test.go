package osm_test

import (
	"fmt"
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/infer/stattest"
	"fubini/model/osm"
)

var visibleForms = map[string]osm.Visible{
	"common":   {},
	"item":     {Deviations: []float64{0.8, -0.5, 0.1, 0.4, -0.8}},
	"distance": {Distance: 0.7},
	"both":     {Deviations: []float64{0.8, -0.5, 0.1, 0.4, -0.8}, Distance: -1.3},
}

func visible(form string, space osm.Space) *osm.Visible {
	v := visibleForms[form]
	v.Worths, v.Nu, v.Space = []float64{0.6, -0.2, 0.9, -1.5, 0.2}, 0.3, space
	return &v
}

// With one tie weight the model is that of worths, to the last bit of its normaliser or so. With others it is not.
func TestVisibleIsTheWorthModel(t *testing.T) {
	items := []int{4, 0, 3, 2}
	for form := range visibleForms {
		v := visible(form, osm.AllOrders)
		m, err := v.Model(items)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := osm.NewWorths([]float64{0.2, 0.6, -1.5, 0.9}, 0.3, osm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var most float64
		for x := range partition.All(len(items)) {
			most = max(most, math.Abs(m.LogWeight(x)-plain.LogWeight(x)))
		}
		if same := most <= 1e-12; same != (form == "common") {
			t.Errorf("%s: log weights differ by %g", form, most)
		}
	}
}

// Potentials by hand: nu + (n_i + n_j)/2 + delta log cosh of half the difference, beside the mean of the worths.
func TestVisiblePotentials(t *testing.T) {
	m, err := visible("both", osm.AllOrders).Model([]int{2, 3})
	if err != nil {
		t.Fatal(err)
	}
	want := (0.9-1.5)/2 + 0.3 + (0.1+0.4)/2 - 1.3*math.Log(math.Cosh(1.2))
	if got := m.LogTie(0, 1); !(math.Abs(got-want) <= 1e-14) || m.LogTie(1, 0) != got || m.LogAbove(0, 1) != 0.9 || m.LogAbove(1, 0) != -1.5 {
		t.Errorf("a tie weighs %g, by hand %g; above %g and %g", got, want, m.LogAbove(0, 1), m.LogAbove(1, 0))
	}
	if got := osm.LogCosh(-800); got != 800-math.Ln2 {
		t.Errorf("log cosh of 800 is %g", got)
	}
}

// The probabilities of a pair and of the slots of an item are those of all lists, summed.
func TestVisiblePairsAndSlots(t *testing.T) {
	for form := range visibleForms {
		for _, space := range []osm.Space{osm.AllOrders, osm.WithoutTies, osm.TwoTiers} {
			v := visible(form, space)
			m, err := v.Model([]int{3, 1})
			if err != nil {
				t.Fatal(err)
			}
			all, err := exact.List(m, space.Of(2))
			if err != nil {
				t.Fatal(err)
			}
			moments := all.Moments()
			win, tie, loss := v.Pair(3, 1)
			if !(math.Abs(win-moments.Above(0, 1)) <= 1e-14 && math.Abs(tie-moments.Tied(0, 1)) <= 1e-14 && math.Abs(loss-moments.Above(1, 0)) <= 1e-14) {
				t.Errorf("%s, %v: %g %g %g, of all lists %g %g %g", form, space, win, tie, loss, moments.Above(0, 1), moments.Tied(0, 1), moments.Above(1, 0))
			}
			if back, same, lost := v.Pair(1, 3); back != loss || same != tie || lost != win {
				t.Errorf("%s, %v: the pair turned round is %g %g %g", form, space, back, same, lost)
			}
		}
		v, items := visible(form, osm.AllOrders), []int{4, 0, 3}
		m, err := v.Model(append(items, 2))
		if err != nil {
			t.Fatal(err)
		}
		for order := range partition.All(3) {
			weights := make([]float64, 2*order.Len()+1)
			v.Slots(order, items, 2, weights)
			whole, err := partition.FromLevels(append(order.Levels(), -1))
			if err != nil {
				t.Fatal(err)
			}
			whole.Lift(3)
			var first float64
			for slot, got := range weights {
				whole.Insert(slot)
				if slot == 0 {
					first = m.LogWeight(whole)
				}
				if want := m.LogWeight(whole) - first; !(math.Abs(got-want) <= 1e-12) {
					t.Errorf("%s, %v, slot %d: %g, of the whole list %g", form, order, slot, got, want)
				}
				whole.Lift(3)
			}
		}
	}
}

// Annealing finds the normaliser of every space, within five of its standard errors; and where
// all weights are equal the number of outcomes, without any error.
func TestVisibleAnnealing(t *testing.T) {
	items := []int{0, 1, 2, 3, 4}
	for _, space := range []osm.Space{osm.AllOrders, osm.WithoutTies, osm.TwoTiers} {
		v := visible("both", space)
		m, err := v.Model(items)
		if err != nil {
			t.Fatal(err)
		}
		table, err := exact.NewTable(m, space.Of(len(items)))
		if err != nil {
			t.Fatal(err)
		}
		flat := &osm.Visible{Worths: make([]float64, 5), Space: space}
		for _, each := range []*osm.Visible{v, flat} {
			problem, err := each.Annealing(items, mcmc.ReinsertionMoves)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ais.Run(t.Context(), problem, ais.Options{Steps: 100, Runs: 200, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if each == flat {
				count, _ := space.Of(5).Count(5).Float64()
				if !(math.Abs(got.LogZ-math.Log(count)) <= 1e-12) {
					t.Errorf("%v: %g outcomes, by annealing %g", space, count, math.Exp(got.LogZ))
				}
			} else if !(math.Abs(got.LogZ-table.LogZ()) <= 5*got.StdErr) || !(got.StdErr < 0.05) {
				t.Errorf("%v: %g with standard error %g, exactly %g", space, got.LogZ, got.StdErr, table.LogZ())
			}
		}
	}
	if _, err := visible("common", osm.WithoutTies).Annealing(items, mcmc.SplitMergeMoves); err == nil {
		t.Error("splits and merges in a space with a fixed number of tiers")
	}
	if _, err := visible("common", osm.TwoTiers).Annealing([]int{1}, mcmc.ReinsertionMoves); err == nil {
		t.Error("one item in two tiers")
	}
}

// The walk of annealing starts uniformly: the frequencies of the outcomes of 3 items in each
// space, drawn 10,000 times, are within 5 standard errors.
func TestVisibleAnnealingStartsUniformly(t *testing.T) {
	for _, space := range []osm.Space{osm.AllOrders, osm.WithoutTies, osm.TwoTiers} {
		count, _ := space.Of(3).Count(3).Float64()
		seen := osm.StartsOf(&osm.Visible{Worths: make([]float64, 3), Space: space}, 10_000)
		if len(seen) != int(count) {
			t.Errorf("%v: %d outcomes of %g", space, len(seen), count)
		}
		for x, n := range seen {
			p := 1 / count
			if z := (float64(n) - 10_000*p) / math.Sqrt(10_000*p*(1-p)); !(math.Abs(z) <= 5) {
				t.Errorf("%v: %s comes %d times, %g standard errors from its share", space, x, n, z)
			}
		}
	}
}

func TestVisibleIsChecked(t *testing.T) {
	for k, v := range []*osm.Visible{
		{}, {Worths: []float64{0, math.NaN()}}, {Worths: []float64{0, 1e300}}, {Worths: []float64{0, 1}, Nu: math.Inf(1)},
		{Worths: []float64{0, 1}, Deviations: []float64{1}}, {Worths: []float64{0, 1}, Space: 3}, {Worths: []float64{0, 1}, Distance: math.NaN()},
	} {
		if v.Check() == nil {
			t.Errorf("%d: %+v was taken", k, v)
		}
	}
	v := visible("both", osm.TwoTiers)
	if err := v.Check(); err != nil {
		t.Error(err)
	}
	if _, err := v.Model([]int{0, 5}); err == nil {
		t.Error("an item outside the catalogue")
	}
	for _, space := range []osm.Space{osm.AllOrders, osm.WithoutTies, osm.TwoTiers} {
		if back, err := osm.ParseSpace(fmt.Sprint(space)); back != space || err != nil {
			t.Errorf("%v is read as %v, %v", space, back, err)
		}
	}
	if _, err := osm.ParseSpace("three"); err == nil {
		t.Error("a space that there is not")
	}
}

// The moves that sample a fit leave its distribution unchanged and reach all of its space; with
// one tie weight for all they would not leave it unchanged.
func TestVisibleIsSampled(t *testing.T) {
	items := []int{4, 0, 3}
	for form := range visibleForms {
		for _, space := range []osm.Space{osm.AllOrders, osm.WithoutTies, osm.TwoTiers} {
			m, err := visible(form, space).Model(items)
			if err != nil {
				t.Fatal(err)
			}
			all, err := exact.List(m, space.Of(3))
			if err != nil {
				t.Fatal(err)
			}
			gap := func(target mcmc.Target, moves mcmc.Moves) float64 {
				kernel, err := moves.Kernel(target, space.Of(3), 1)
				if err != nil {
					t.Fatal(err)
				}
				matrix := stattest.Transitions(all.States(), func(d rng.Dice, x *partition.Partition) { kernel.Step(d, x, nil) })
				if !stattest.Irreducible(matrix) {
					t.Errorf("%s, %v: some outcomes are out of reach", form, space)
				}
				return stattest.InvarianceGap(all.Probabilities(), matrix)
			}
			if g := gap(m, mcmc.ReinsertionMoves); !(g <= 1e-12) {
				t.Errorf("%s, %v: reinsertion moves the distribution by %g", form, space, g)
			}
			if space != osm.AllOrders {
				continue
			}
			if g := gap(m, mcmc.SplitMergeMoves); !(g <= 1e-12) {
				t.Errorf("%s: splits and merges move the distribution by %g", form, g)
			}
			plain, err := visible("common", space).Model(items)
			if err != nil {
				t.Fatal(err)
			}
			if g := gap(plain, mcmc.ReinsertionMoves); form != "common" && !(g > 1e-3) {
				t.Errorf("%s: the test cannot see one tie weight for all: %g", form, g)
			}
		}
	}
}

package ballot

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/model/osm"
)

// The probabilities of all weak orders of four items sum to 1, ties of two, three and four included.
func TestChoicesAreADistribution(t *testing.T) {
	d := Design{Items: 4, Choices: true}
	votes := Votes{Start: []int32{0, 4, 8, 12}, Item: []int32{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}, Tier: []int32{0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 2, 2}, Weight: []float64{1, 1, 1}}
	data, err := Gather(d, votes)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(data.tieSizes, []int{2, 3, 4}) {
		t.Fatalf("tie sizes %v", data.tieSizes)
	}
	m := data.NewLocal()
	m.Load([]float64{0.3, -0.2, 1, 0, -0.7, 0.4, -1}, 0)
	var total float64
	for _, tiers := range m.Outcomes() {
		total += math.Exp(m.choose(tiers, false))
	}
	if !(math.Abs(total-1) <= 1e-12) {
		t.Errorf("the probabilities of all weak orders sum to %g", total)
	}
}

// The probabilities of pairs are those of the sum over all outcomes, with ties of several sizes and without ties; the pairs given a
// vote are others.
func TestChoicePairs(t *testing.T) {
	for _, tiers := range [][]int32{{0, 0, 0, 1, 1}, {0, 1, 2, 3, 4}} {
		votes := Votes{Start: []int32{0, 5}, Item: []int32{0, 1, 2, 3, 4}, Tier: tiers, Weight: []float64{1}}
		data, err := Gather(Design{Items: 5, Choices: true}, votes)
		if err != nil {
			t.Fatal(err)
		}
		m := data.NewLocal()
		m.Load([]float64{0.3, -0.2, 1, 0, -0.5, -0.7, 0.4}, 0)
		if m.PairsByVote() {
			t.Fatal("five items are too many")
		}
		above, tied, err := m.ExpectedPairs()
		if err != nil {
			t.Fatal(err)
		}
		wantAbove, wantTied := make([]float64, 25), make([]float64, 25)
		for _, outcome := range m.Outcomes() {
			possible := true
			eachTier(outcome, func(size int, _ bool) { possible = possible && (size == 1 || slices.Contains(data.tieSizes, size)) })
			if !possible {
				continue
			}
			p := math.Exp(m.choose(outcome, false))
			for k := range 5 {
				for l := range 5 {
					switch {
					case k == l:
					case outcome[k] == outcome[l]:
						wantTied[k*5+l] += p
					case outcome[k] < outcome[l]:
						wantAbove[k*5+l] += p
					}
				}
			}
		}
		given, _ := m.choicePairs(tiers)
		apart := false
		for k := range 25 {
			if !(math.Abs(above[k]-wantAbove[k]) <= 1e-12) || !(math.Abs(tied[k]-wantTied[k]) <= 1e-12) {
				t.Errorf("tiers %v, pair %d: %g and %g, listed %g and %g", tiers, k, above[k], tied[k], wantAbove[k], wantTied[k])
			}
			apart = apart || math.Abs(given[k]-wantAbove[k]) > 1e-3
		}
		if !apart {
			t.Error("the test cannot tell expectations from those given a vote")
		}
	}
}

// A design that choices have no parameters for is refused by its own reason.
func TestChoicesSayWhatTheyLack(t *testing.T) {
	for want, d := range map[string]Design{
		"none by items or by distance":  {Ties: ItemTies},
		"no sample space of two tiers":  {Space: TwoTiers},
		"no features of pairs":          {Pairs: osm.Features{Ties: []osm.Feature{{Name: "f"}}}},
		"no hidden units":               {Units: 1},
		"for each size of tier already": {Sizes: 3},
		"fitted exactly at any length":  {Slots: true},
	} {
		d.Items, d.Choices = 3, true
		if err := d.Check(Precision{Size: 1, Unit: 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Parameters go by the names of items and raters, where they are known.
func TestNamesOfParameters(t *testing.T) {
	d := Design{Items: 2, Ties: ItemTies, Raters: 1, Units: 1, ItemNames: []string{"x", "y"}, RaterNames: []string{"ann"}}
	var names []string
	for k := range d.Layout().All {
		names = append(names, d.Name(k))
	}
	want := []string{"worth of x", "worth of y", "nu", "tie weight of x", "tie weight of y", "unit 1 of worth of x", "unit 1 of worth of y", "log spread of reliabilities", "reliability of ann"}
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	d.ItemNames = nil
	if got := d.Name(1); got != "worth of number 1" {
		t.Error(got)
	}
}

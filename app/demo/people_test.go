package demo

import (
	"bytes"
	"context"
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/format"
	"fubini/infer/exact"
	"fubini/infer/stattest"
)

func people(t *testing.T, seed uint64, n, jobs int) []Person {
	t.Helper()
	found, err := New().People(context.Background(), seed, n, jobs)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// drawn counts how often each of the listed orders is drawn from a world.
func drawn(t *testing.T, w *World, items []int, tiers, draws int, states []*partition.Partition) []int {
	t.Helper()
	index := map[string]int{}
	for k, x := range states {
		index[x.String()] = k
	}
	counts := make([]int, len(states))
	for k := range draws {
		p, err := w.draw(rng.Stream(7, "small world", uint64(k)), items, tiers, sweeps)
		if err != nil {
			t.Fatal(err)
		}
		at, known := index[p.Order.String()]
		if !known {
			t.Fatalf("%v is outside the space of at most %d tiers", p.Order, tiers)
		}
		counts[at]++
	}
	return counts
}

// lawOf lists every order of some items and its exact probability, summed over all
// sets of tastes that somebody may have.
func lawOf(t *testing.T, w *World, items []int, tiers int) (states []*partition.Partition, law []float64) {
	t.Helper()
	has := make([]float64, tastes)
	for set := range 1 << tastes {
		chance := 1.0
		for k, share := range w.Truth.PriorMeans() {
			has[k] = float64(set >> k & 1)
			if has[k] == 0 {
				share = 1 - share
			}
			chance *= share
		}
		given, err := w.given(items, has)
		if err != nil {
			t.Fatal(err)
		}
		listing, err := exact.List(given, partition.AtMost(tiers))
		if err != nil {
			t.Fatal(err)
		}
		if states == nil {
			states, law = listing.States(), make([]float64, len(listing.States()))
		}
		for k, p := range listing.Probabilities() {
			law[k] += chance * p
		}
	}
	return states, law
}

// On five foods of quite different tastes every order comes as often as the model
// says; and a world whose tastes are a little weaker
// does not pass for this one.
func TestPeopleAreDrawnFromTheModel(t *testing.T) {
	skipIfShort(t)
	w := New()
	var items []int
	for i, item := range w.Items {
		switch item.ID {
		case "ramen", "chocolate", "steak", "green-salad", "oysters":
			items = append(items, i)
		}
	}
	const draws, tiers = 20000, 3
	states, expected := lawOf(t, w, items, tiers)
	for k := range expected {
		expected[k] *= draws
	}
	if p := stattest.ChiSquare(drawn(t, w, items, tiers, draws, states), expected); p < 1e-6 {
		t.Errorf("the draws do not follow the model: p = %g", p)
	}
	weaker := New()
	for i := range weaker.Truth.W {
		weaker.Truth.W[i] *= 0.9
	}
	if p := stattest.ChiSquare(drawn(t, weaker, items, tiers, draws, states), expected); p > 1e-6 {
		t.Errorf("the test cannot see weaker tastes: p = %g", p)
	}
}

// Longer chains make no other people: for the longest lists, the mean log weight
// of a list given its tastes and the mean number of ties do not move when the chain
// is four times as long. A chain of a single sweep is seen to be too short.
func TestChainsAreLongEnough(t *testing.T) {
	skipIfShort(t)
	w := New()
	const n = 1500
	// The same items and tastes for both, so that only the chains differ.
	differences := func(sweeps int) (worst float64) {
		var sums, squares [2]float64
		for k := range uint64(n) {
			var found [2][2]float64
			for run, length := range []int{sweeps, 4 * sweeps} {
				r := rng.Stream(3, "length of chains", k)
				items := w.tried(r)
				p, err := w.draw(r, items, mostTiers, length)
				if err != nil {
					t.Fatal(err)
				}
				given, err := w.given(items, p.Tastes)
				if err != nil {
					t.Fatal(err)
				}
				found[run] = [2]float64{given.LogWeight(p.Order), float64(p.Order.TiedPairs())}
			}
			for j := range sums {
				d := found[1][j] - found[0][j]
				sums[j] += d
				squares[j] += d * d
			}
		}
		for j, sum := range sums {
			mean := sum / n
			worst = max(worst, math.Abs(stattest.ZScore(mean, math.Sqrt((squares[j]/n-mean*mean)/n), 0)))
		}
		return worst
	}
	if z := differences(sweeps); !(z < 4.5) {
		t.Errorf("%d sweeps are too few: %.1f standard errors off", sweeps, z)
	}
	if z := differences(1); !(z > 4.5) {
		t.Errorf("the test cannot see that one sweep is too few: %.1f standard errors off", z)
	}
}

// The same seed gives the same bytes, whoever does the work and however many
// people are asked for; another seed gives others.
func TestSameSeedSameBytes(t *testing.T) {
	text := func(p []Person) []byte {
		set, err := New().Ratings(p)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := format.Write(&out, set, format.Options{Format: "csv"}); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	one := text(people(t, 1, 40, 1))
	if !bytes.Equal(one, text(people(t, 1, 40, 4))) || !bytes.Equal(one, text(people(t, 1, 60, 2)[:40])) {
		t.Error("the same seed gave other people")
	}
	if bytes.Equal(one, text(people(t, 2, 40, 4))) {
		t.Error("another seed gave the same people")
	}
}

// The lists are such as people make: three to six tiers mostly, ties common, no
// taste in nearly everybody or nearly nobody, and each food placed often enough.
func TestPeopleAreLikePeople(t *testing.T) {
	skipIfShort(t)
	w := New()
	all := people(t, 1, TrainingPeople, 0)
	usual, alone, placed := 0, 0, 0
	times := make([]int, len(w.Items))
	var on weights
	for _, p := range all {
		if n := p.Order.Len(); n >= leastTiers && n <= mostTiers {
			usual++
		}
		for b := range p.Order.Len() {
			if p.Order.Size(b) == 1 {
				alone++
			}
		}
		if n := len(p.Items); n < leastTried || n > mostTried {
			t.Errorf("somebody tried %d foods", n)
		}
		placed += len(p.Items)
		for _, i := range p.Items {
			times[i]++
		}
		for k, v := range p.Tastes {
			on[k] += v / TrainingPeople
		}
	}
	t.Logf("share of people with each of %v: %.2f", w.Tastes, on)
	if share := float64(usual) / TrainingPeople; !(share > 0.95) {
		t.Errorf("a share %.2f of people use %d to %d tiers", share, leastTiers, mostTiers)
	}
	if share := float64(alone) / float64(placed); !(share < 0.1) {
		t.Errorf("a share %.2f of foods stand alone in a tier", share)
	}
	for k, share := range on {
		if !(share > 0.15 && share < 0.85) {
			t.Errorf("%s: a share %.2f of people", w.Tastes[k], share)
		}
	}
	for i, n := range times {
		if n < 100 {
			t.Errorf("%s was placed by %d people", w.Items[i].ID, n)
		}
	}
}

// Tastes show in lists: those who have one put its foods higher than others do.
func TestTastesShow(t *testing.T) {
	skipIfShort(t)
	w := New()
	all := people(t, 1, 500, 0)
	for k, name := range w.Tastes {
		var height, count [2]float64
		for _, p := range all {
			for place, i := range p.Items {
				if foods[i].weights[k] < 3 || p.Order.Len() < 2 {
					continue
				}
				has := int(p.Tastes[k])
				height[has] += 1 - float64(p.Order.BlockOf(place))/float64(p.Order.Len()-1)
				count[has]++
			}
		}
		if lacks, has := height[0]/count[0], height[1]/count[1]; !(has > lacks+0.2) {
			t.Errorf("%s: mean height %.2f with it, %.2f without", name, has, lacks)
		}
	}
}

package odds

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
)

// By hand: four events in two bins, and events of one probability shared by bins.
func TestEqualMassByHand(t *testing.T) {
	all := EqualMass([]Event{{P: 0.9, Happened: true}, {P: 0.1}, {P: 0.7}, {P: 0.3, Happened: true}}, 2)
	if len(all.Bins) != 2 || all.Events != 4 {
		t.Fatalf("%+v", all)
	}
	for k, want := range []Bin{{P: 0.2, Observed: 0.5, Count: 2}, {P: 0.8, Observed: 0.5, Count: 2}} {
		got := all.Bins[k]
		if !(math.Abs(got.P-want.P) <= 1e-12) || got.Observed != want.Observed || got.Count != want.Count || !(got.Low < 0.5 && got.High > 0.5) {
			t.Errorf("bin %d: %+v, by hand %+v", k, got, want)
		}
	}
	if !(math.Abs(all.ECE-0.3) <= 1e-12) {
		t.Errorf("expected calibration error %g, by hand 0.3", all.ECE)
	}
	tied := []Event{{P: 0.5, Happened: true}, {P: 0.5, Happened: true}, {P: 0.5}, {P: 0.5}, {P: 0.5, Happened: true}}
	all = EqualMass(tied, 2)
	slices.Reverse(tied)
	again := EqualMass(tied, 2)
	for k, bin := range all.Bins {
		if !(math.Abs(bin.Observed-0.6) <= 1e-12) || bin.Count != []int{3, 2}[k] || again.Bins[k] != bin {
			t.Errorf("tied events: %+v, in another order %+v", bin, again.Bins[k])
		}
	}
}

// Events that happen as often as they are said to have a small error; those that are
// exaggerated a large one.
func TestEqualMassSeesExaggeration(t *testing.T) {
	r := rng.Stream(1, "events")
	var honest, exaggerated []Event
	for range 20000 {
		p := r.Float64()
		happened := r.Float64() < p
		honest = append(honest, Event{P: p, Happened: happened})
		odds := math.Pow(p/(1-p), 2)
		exaggerated = append(exaggerated, Event{P: odds / (1 + odds), Happened: happened})
	}
	// A bin of 1,333 has a standard error of at most 0.014.
	if got := EqualMass(honest, 15); !(got.ECE <= 0.02) || len(got.Bins) != 15 {
		t.Errorf("honest odds: error %g in %d bins", got.ECE, len(got.Bins))
	}
	if got := EqualMass(exaggerated, 15); !(got.ECE >= 0.05) {
		t.Errorf("odds squared: error %g only", got.ECE)
	}
}

func ExampleEqualMass() {
	// Rain was given 20 % on five days and came on one; 80 % on five, and came on three.
	var days []Event
	for day := range 5 {
		days = append(days, Event{P: 0.2, Happened: day == 0}, Event{P: 0.8, Happened: day < 3})
	}
	all := EqualMass(days, 2)
	for _, bin := range all.Bins {
		fmt.Printf("given %.1f, came %.1f\n", bin.P, bin.Observed)
	}
	fmt.Printf("off by %.1f\n", all.ECE)
	// Output:
	// given 0.2, came 0.2
	// given 0.8, came 0.6
	// off by 0.1
}

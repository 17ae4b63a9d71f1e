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
	all := equalMass([]event{{p: 0.9, happened: true}, {p: 0.1}, {p: 0.7}, {p: 0.3, happened: true}}, 2)
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
	tied := []event{{p: 0.5, happened: true}, {p: 0.5, happened: true}, {p: 0.5}, {p: 0.5}, {p: 0.5, happened: true}}
	all = equalMass(tied, 2)
	slices.Reverse(tied)
	again := equalMass(tied, 2)
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
	var honest, exaggerated []event
	for range 20000 {
		p := r.Float64()
		happened := r.Float64() < p
		honest = append(honest, event{p: p, happened: happened})
		odds := math.Pow(p/(1-p), 2)
		exaggerated = append(exaggerated, event{p: odds / (1 + odds), happened: happened})
	}
	// A bin of 1,333 has a standard error of at most 0.014.
	if got := equalMass(honest, 15); !(got.ECE <= 0.02) || len(got.Bins) != 15 {
		t.Errorf("honest odds: error %g in %d bins", got.ECE, len(got.Bins))
	}
	if got := equalMass(exaggerated, 15); !(got.ECE >= 0.05) {
		t.Errorf("odds squared: error %g only", got.ECE)
	}
}

func Example_equalMass() {
	// Rain was given 20 % on five days and came on one; 80 % on five, and came on three.
	var days []event
	for day := range 5 {
		days = append(days, event{p: 0.2, happened: day == 0}, event{p: 0.8, happened: day < 3})
	}
	all := equalMass(days, 2)
	for _, bin := range all.Bins {
		fmt.Printf("given %.1f, came %.1f\n", bin.P, bin.Observed)
	}
	fmt.Printf("off by %.1f\n", all.ECE)
	// Output:
	// given 0.2, came 0.2
	// given 0.8, came 0.6
	// off by 0.1
}

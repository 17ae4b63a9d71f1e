package main

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// The model of costs finds those by which jobs were priced, and a projection has them.
func TestBeamModel(t *testing.T) {
	want := beamModel{fixed: 3, fixedRating: 5e-6, round: .5, roundRating: 2e-6}
	price := func(ratings, rounds int) trainingCost {
		r, n := float64(ratings), float64(rounds)
		return trainingCost{ratings: ratings, rounds: rounds, core: want.fixed + want.fixedRating*r + n*(want.round+want.roundRating*r)}
	}
	costs := [4]trainingCost{price(250_000, 2), price(250_000, 6), price(1_000_000, 2), price(1_000_000, 6)}
	got := modelOf(costs)
	for _, each := range [][2]float64{{got.fixed, want.fixed}, {got.fixedRating, want.fixedRating}, {got.round, want.round}, {got.roundRating, want.roundRating}} {
		if !(math.Abs(each[0]-each[1]) <= 1e-9*each[1]) {
			t.Errorf("a cost of %g, want %g", each[0], each[1])
		}
	}
	if hours, want := got.hours(1e9, 50, 64), (3+50*.5/4+(5e-6+50*2e-6)*1e9/64)/3600; !(math.Abs(hours-want) <= 1e-9*want) {
		t.Errorf("%g hours, want %g", hours, want)
	}
	var page bytes.Buffer
	writeBeam(&page, costs[:], "v1")
	if !strings.Contains(page.String(), "| 1000000000 | 14.6 | 1.83 | 0.458 |") || strings.Contains(page.String(), "By the last four") {
		t.Errorf("%s", page.String())
	}
	page.Reset()
	few, also := price(10_000_000, 2), price(10_000_000, 3)
	also.core += 7 // more than foretold, all of it in the third round
	writeBeam(&page, append(costs[:], few, also), "v1")
	for _, part := range []string{"| 250000 | 2 | 6.2 | 0.0 | 0 |", "10000000 ratings and 3 rounds take 114 core seconds; measured are 122.", "5.00 µs a rating before", "0.50 core seconds and 2.00 µs", "By the last four, a job costs 4.6 core seconds and 3.44 µs a rating before the first round, and each round -0.28 core seconds and 2.78 µs a rating.", "| 1000000000 | 19.8 |"} {
		if !strings.Contains(page.String(), part) {
			t.Errorf("no %q in\n%s", part, page.String())
		}
	}
}

func TestBeamWants(t *testing.T) {
	if err := beam([]string{"-dir", t.TempDir(), "-from", "ratings.dat", "-fubini", "fubini"}); err == nil || !strings.Contains(err.Error(), "-beam") {
		t.Errorf("without a program: %v", err)
	}
}

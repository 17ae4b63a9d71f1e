package odds

import (
	"math"
	"testing"

	"fubini/core/rng"
)

// Events that come as often as they were given lie in their intervals and have a
// small error; the same events given bolder probabilities are found out.
func TestReliabilityTellsHonestOdds(t *testing.T) {
	const n, bins = 20000, 10
	honest, bold := make([]event, n), make([]event, n)
	r := rng.Stream(1, "events")
	for k := range n {
		p := r.Float64()
		happened := r.Float64() < p
		honest[k] = event{p: p, happened: happened}
		bold[k] = event{p: p * p / (p*p + (1-p)*(1-p)), happened: happened}
	}
	good, bad := equalMass(honest, bins), equalMass(bold, bins)
	if good.Events != n || len(good.Bins) != bins {
		t.Fatalf("%d events in %d bins", good.Events, len(good.Bins))
	}
	inside := 0
	for _, b := range good.Bins {
		if !(b.Low <= b.Observed && b.Observed <= b.High) {
			t.Errorf("%+v: the share lies outside its own interval", b)
		}
		if b.Low <= b.P && b.P <= b.High {
			inside++
		}
	}
	if inside < 8 { // of ten 95 % intervals; fewer come once in a hundred seeds
		t.Errorf("%d of 10 honest bins hold their probability", inside)
	}
	if !(good.ECE < 0.02) || !(bad.ECE > 0.05) {
		t.Errorf("calibration error %g of honest odds, %g of bold ones", good.ECE, bad.ECE)
	}
}

// By hand: 3 of 4 at 0.5, where the Wilson interval is known from its quadratic
// (s - p)^2 = z^2 p(1-p)/n.
func TestIntervalByHand(t *testing.T) {
	var events []event
	for k := range 4 {
		events = append(events, event{p: 0.5, happened: k < 3})
	}
	got := equalMass(events, 1)
	if len(got.Bins) != 1 || got.Bins[0].Count != 4 || got.Bins[0].Observed != 0.75 || got.ECE != 0.25 {
		t.Fatalf("%+v", got)
	}
	for _, p := range []float64{got.Bins[0].Low, got.Bins[0].High} {
		if z := (0.75 - p) * (0.75 - p) / (p * (1 - p) / 4); !(math.Abs(math.Sqrt(z)-1.96) <= 1e-3) {
			t.Errorf("the end %g lies %g standard errors off", p, math.Sqrt(z))
		}
	}
}

// Bins of equal width hold every event once, each in its tenth; honest odds lie in their intervals there too, and bold
// ones do not.
func TestEvenBins(t *testing.T) {
	const n = 20000
	honest, bold := make([]event, n), make([]event, n)
	r := rng.Stream(2, "events")
	for k := range n {
		p := r.Float64() * r.Float64() // most are small, as those of slots
		happened := r.Float64() < p
		honest[k], bold[k] = event{p, happened}, event{math.Sqrt(p), happened}
	}
	count := func(bins []Bin) (events, inside int) {
		for _, b := range bins {
			events += b.Count
			if b.Low <= b.P && b.P <= b.High {
				inside++
			}
		}
		return events, inside
	}
	good, bad := equalMass(honest, Bins), equalMass(bold, Bins)
	if events, inside := count(good.Even); len(good.Even) != 10 || events != n || inside < 8 {
		t.Errorf("%d of %d events in %d bins, of which %d hold their probability", events, n, len(good.Even), inside)
	}
	for k, b := range good.Even {
		if !(b.P >= float64(k)/10 && b.P <= float64(k+1)/10) {
			t.Errorf("bin %d has the mean %g", k, b.P)
		}
	}
	if _, inside := count(bad.Even); inside > 2 {
		t.Errorf("%d bins of bold odds hold their probability", inside)
	}
	if got := even([]event{{1, true}, {0.95, true}, {0, false}}, 10); len(got) != 2 || got[1].Count != 2 || got[1].Observed != 1 {
		t.Errorf("certain and impossible events: %+v", got)
	}
}

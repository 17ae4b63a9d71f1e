package evaluate_test

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/judge/evaluate"
)

// Forecasts that come true as often as they say lie in their intervals and have a
// small error; the same forecasts made bolder are found out.
func TestReliabilityTellsHonestForecasts(t *testing.T) {
	var honest, bold evaluate.Forecasts
	r := rng.Stream(1, "forecasts")
	const n = 20000
	for range n {
		p := r.Float64()
		happened := r.Float64() < p
		honest.Add(p, happened)
		bold.Add(p*p/(p*p+(1-p)*(1-p)), happened)
	}
	good, bad := honest.Reliability(), bold.Reliability()
	if good.Events != n || len(good.Bins) != 10 {
		t.Fatalf("%d forecasts in %d bins", good.Events, len(good.Bins))
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
		t.Errorf("calibration error %g of honest forecasts, %g of bold ones", good.ECE, bad.ECE)
	}
}

// By hand: 3 of 4 at 0.5, where the Wilson interval is known from its quadratic
// (s - p)^2 = z^2 p(1-p)/n.
func TestReliabilityByHand(t *testing.T) {
	var f, parts evaluate.Forecasts
	for k := range 4 {
		var one evaluate.Forecasts
		f.Add(0.5, k < 3)
		one.Add(0.5, k < 3)
		parts.Merge(&one)
	}
	f.Add(1, true)
	parts.Add(1, true)
	got := f.Reliability()
	if len(got.Bins) != 2 || got.Bins[0].Count != 4 || got.Bins[0].Observed != 0.75 || got.Bins[1].P != 1 {
		t.Fatalf("%+v", got)
	}
	if !(math.Abs(got.ECE-0.2) <= 1e-12) {
		t.Errorf("calibration error %g, want 4/5 of 0.25", got.ECE)
	}
	for _, p := range []float64{got.Bins[0].Low, got.Bins[0].High} {
		if z := (0.75 - p) * (0.75 - p) / (p * (1 - p) / 4); !(math.Abs(math.Sqrt(z)-1.96) <= 1e-3) {
			t.Errorf("the end %g lies %g standard errors off", p, math.Sqrt(z))
		}
	}
	if merged := parts.Reliability(); merged.ECE != got.ECE || merged.Events != got.Events {
		t.Errorf("merged %+v, whole %+v", merged, got)
	}
	if empty := new(evaluate.Forecasts).Reliability(); empty.ECE != 0 || empty.Events != 0 || empty.Bins != nil {
		t.Errorf("nothing stated: %+v", empty)
	}
}

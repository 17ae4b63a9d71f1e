package odds

import (
	"errors"
	"math"
	"testing"

	"fubini/core/logprob"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/latent/planted"
)

func ratedShares(h held) []float64 { return h.rated }

// heldBy draws ratings whose slots follow a correction of random log weights.
func heldBy(correction Correction, n int) []held {
	r := rng.Stream(1, "placed")
	var out []held
	for range n {
		tiers := 1 + r.IntN(4)
		one := held{sizes: make([]int, tiers), weights: make([]float64, 2*tiers+1), rated: make([]float64, 2*tiers+1)}
		for t := range one.sizes {
			one.sizes[t] = 1 + r.IntN(6)
		}
		for s := range one.weights {
			one.weights[s], one.rated[s] = 1.5*r.NormFloat64(), 1/float64(2*tiers+1)
		}
		odds := append([]float64{}, one.weights...)
		correction.apply(odds, one.sizes, one.rated)
		norm := logprob.SumExp(odds)
		for s, v := range odds {
			odds[s] = math.Exp(v - norm)
		}
		one.slot = r.Pick(odds)
		out = append(out, one)
	}
	return out
}

// A correction comes back from ratings that follow it.
func TestCorrectionRecovered(t *testing.T) {
	want := Correction{Power: 0.6, Share: 0.5, Ties: -1, Gap: -0.7, Place: 0.4, Middle: -1.5}
	got, err := fitCorrection(heldBy(want, 40000), uncorrected, ratedShares)
	if err != nil {
		t.Fatal(err)
	}
	// Standard errors with 40,000 ratings, from the information at the truth, are 0.007
	// for the power and up to 0.15 for the others; four of them.
	a, b := got.vector(), want.vector()
	for k, tolerance := range []float64{0.03, 0.3, 0.4, 0.6, 0.2, 0.6} {
		if !(math.Abs(a[k]-b[k]) <= tolerance) {
			t.Errorf("parameter %d: %.3f, drawn with %.3f", k, a[k], b[k])
		}
	}
}

// Nothing near the fit is likelier.
func TestCorrectionIsAMaximum(t *testing.T) {
	placed := heldBy(Correction{Power: 0.8, Share: 0.3}, 2000)
	got, err := fitCorrection(placed, uncorrected, ratedShares)
	if err != nil {
		t.Fatal(err)
	}
	likelihood := func(p [correctionSize]float64) (sum float64) {
		for _, each := range placed {
			weights := append([]float64{}, each.weights...)
			correctionOf(p).apply(weights, each.sizes, each.rated)
			sum += weights[each.slot] - logprob.SumExp(weights)
		}
		for k, v := range p { // the prior at no correction
			d := v - Correction{Power: 1}.vector()[k]
			sum -= d * d / 2
		}
		return sum
	}
	top := got.vector()
	best := likelihood(top)
	for k := range top {
		for _, step := range []float64{-0.01, 0.01} {
			other := top
			other[k] += step
			if v := likelihood(other); !(v < best) {
				t.Errorf("parameter %d moved by %g: log likelihood %.6f, at the fit %.6f", k, step, v, best)
			}
		}
	}
}

func TestTooLittleToCalibrateBy(t *testing.T) {
	if _, err := fitCorrection(heldBy(Correction{Power: 1}, fewestHeld-1), uncorrected, ratedShares); !errors.Is(err, errUncalibrated) {
		t.Errorf("too few ratings: %v", err)
	}
	if _, err := fitCorrection(heldBy(Correction{Power: -1}, 1000), uncorrected, ratedShares); !errors.Is(err, errUncalibrated) {
		t.Errorf("ratings that contradict the model: %v", err)
	}
}

// A calibration that changes nothing leaves odds alone; one that knows the ratings of the tiers leaves no room where
// there is none.
func TestCalibratedOdds(t *testing.T) {
	c := full(latent.Gaussian, 8, 2)
	tiers := list(t, "0~1 > 2 > 3", 0, 1, 2, 5)
	var calibration *Calibration
	place := func(ratings []float64) Odds { return placer(t, c, calibration, person(tiers, ratings)).Place(4) }
	raw := place(nil)
	none := Correction{Power: 1}
	calibration = &Calibration{Levels: []float64{1, 2, 3, 4, 5}, Shares: []float64{0.1, 0.2, 0.3, 0.3, 0.1}, Plain: none, Rated: Correction{Power: 1, Share: 1}}
	same := place(nil)
	for s := range raw.Gaps {
		if !(math.Abs(raw.Gaps[s]-same.Gaps[s]) <= 1e-12) {
			t.Errorf("gap %d: %g, and not corrected %g", s, raw.Gaps[s], same.Gaps[s])
		}
	}
	rated := place([]float64{5, 4, 2})
	for g, room := range []bool{false, false, true, true} {
		if got := rated.Gaps[g]; (got > 1e-6) != room {
			t.Errorf("gap %d has odds %g", g, got)
		}
	}
	if _, err := NewPlacer(c, calibration, person(tiers, []float64{5, math.NaN(), 1})); err == nil {
		t.Error("a rating that is not a number was taken")
	}
}

// Shares of slots are those of people with as many tiers, and even where there is nobody: no slot is impossible.
func TestSlotSharesByHand(t *testing.T) {
	// a and b have one tier each, at the top and at the bottom; c has all three levels; nobody has two tiers.
	c := newCalibration(planted.Table(t, []float32{3}, []float32{1, 1}, []float32{1, 2, 3}))
	want := [][]float64{
		// of six ratings three are 1, one is 2, two are 3; above, in and below the tier
		{(0 + (1.0+2)/6) / 2, (2.0/6 + 3.0/6) / 2, ((3.0+1)/6 + 0) / 2},
		{.2, .2, .2, .2, .2},
		{0, 2.0 / 6, 0, 1.0 / 6, 0, 3.0 / 6, 0},
	}
	if len(c.BySlots) != len(want) {
		t.Fatalf("%d numbers of tiers", len(c.BySlots))
	}
	for k, shares := range c.BySlots {
		for s := range want[k] {
			if !(math.Abs(shares[s]-want[k][s]) <= 1e-12) {
				t.Errorf("%d tiers: %v, by hand %v", k+1, shares, want[k])
				break
			}
		}
	}
}

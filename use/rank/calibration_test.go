package rank_test

import (
	"errors"
	"math"
	"testing"

	"fubini/core/logprob"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/use/rank"
)

// placedBy draws ratings whose slots follow a reading of random log weights.
func placedBy(reading latent.Reading, n int) []rank.Placed {
	r := rng.Stream(1, "placed")
	var out []rank.Placed
	for range n {
		tiers := 1 + r.IntN(4)
		one := rank.Placed{Sizes: make([]int, tiers), Weights: make([]float64, 2*tiers+1), Shares: make([]float64, 2*tiers+1)}
		for t := range one.Sizes {
			one.Sizes[t] = 1 + r.IntN(6)
		}
		for s := range one.Weights {
			one.Weights[s], one.Shares[s] = 1.5*r.NormFloat64(), 1/float64(2*tiers+1)
		}
		odds := append([]float64{}, one.Weights...)
		reading.Read(odds, one.Sizes, one.Shares)
		norm := logprob.SumExp(odds)
		for s, v := range odds {
			odds[s] = math.Exp(v - norm)
		}
		one.Slot = r.Pick(odds)
		out = append(out, one)
	}
	return out
}

// A reading comes back from ratings that follow it.
func TestReadingRecovered(t *testing.T) {
	want := latent.Reading{Power: 0.6, Share: 0.5, Ties: -1, Gap: -0.7, Place: 0.4, Middle: -1.5}
	got, err := rank.FitReading(placedBy(want, 40000))
	if err != nil {
		t.Fatal(err)
	}
	// Standard errors with 40,000 ratings, from the information at the truth, are 0.007
	// for the power and up to 0.15 for the others; four of them.
	a, b := got.Parameters(), want.Parameters()
	for k, tolerance := range []float64{0.03, 0.3, 0.4, 0.6, 0.2, 0.6} {
		if !(math.Abs(a[k]-b[k]) <= tolerance) {
			t.Errorf("parameter %d: %.3f, drawn with %.3f", k, a[k], b[k])
		}
	}
}

// Nothing near the fit is likelier.
func TestReadingIsAMaximum(t *testing.T) {
	placed := placedBy(latent.Reading{Power: 0.8, Share: 0.3}, 2000)
	got, err := rank.FitReading(placed)
	if err != nil {
		t.Fatal(err)
	}
	likelihood := func(p [latent.ReadingSize]float64) (sum float64) {
		for _, each := range placed {
			weights := append([]float64{}, each.Weights...)
			latent.ReadingOf(p).Read(weights, each.Sizes, each.Shares)
			sum += weights[each.Slot] - logprob.SumExp(weights)
		}
		for k, v := range p { // the pull to the weights as they are
			d := v - latent.Reading{Power: 1}.Parameters()[k]
			sum -= d * d / 2
		}
		return sum
	}
	top := got.Parameters()
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
	if _, err := rank.FitReading(placedBy(latent.Reading{Power: 1}, rank.FewestPlaced-1)); !errors.Is(err, rank.ErrNoReading) {
		t.Errorf("too few ratings: %v", err)
	}
	if _, err := rank.FitReading(placedBy(latent.Reading{Power: -1}, 1000)); !errors.Is(err, rank.ErrNoReading) {
		t.Errorf("ratings that contradict the model: %v", err)
	}
}

// A calibration that changes nothing leaves odds alone; one that knows the ratings of
// the tiers leaves no room where there is none.
func TestCalibratedOdds(t *testing.T) {
	c := full(latent.Gaussian, 8, 2)
	tiers := list(t, "0~1 > 2 > 3", 0, 1, 2, 5)
	place := func(values []float64) rank.Odds {
		p, err := rank.Read(c, tiers)
		if err != nil {
			t.Fatal(err)
		}
		if values != nil {
			if err := p.Rated(values); err != nil {
				t.Fatal(err)
			}
		}
		return p.Place(4)
	}
	raw := place(nil)
	asIs := latent.Reading{Power: 1}
	c.Calibration = &latent.Calibration{Levels: []float64{1, 2, 3, 4, 5}, Shares: []float64{0.1, 0.2, 0.3, 0.3, 0.1}, Plain: asIs, Rated: latent.Reading{Power: 1, Share: 1}}
	same := place(nil)
	for s := range raw.Gaps {
		if !(math.Abs(raw.Gaps[s]-same.Gaps[s]) <= 1e-12) {
			t.Errorf("gap %d: %g, and read as it is %g", s, raw.Gaps[s], same.Gaps[s])
		}
	}
	rated := place([]float64{5, 4, 2})
	for g, room := range []bool{false, false, true, true} {
		if got := rated.Gaps[g]; (got > 1e-6) != room {
			t.Errorf("gap %d has odds %g", g, got)
		}
	}
	p, err := rank.Read(c, tiers)
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range [][]float64{{5, 4}, {5, 5, 2}, {1, 2, 3}, {5, math.NaN(), 1}} {
		if p.Rated(values) == nil {
			t.Errorf("ratings %v of three tiers were taken", values)
		}
	}
}

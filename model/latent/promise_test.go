package latent_test

import (
	"context"
	"math"
	"os"
	"testing"
	"time"

	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/infer/stattest"
	"fubini/model/latent"
)

// The paper's settings, S = 1000 and R = 100, on random models of up to eight
// items and six binary units, raw potentials, all parameters of deviation 0.5:
// intervals hold the truth, and estimates are not above it on average.
func TestAnnealingAtThePapersSettings(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("minutes of annealing; set FUBINI_LONG=1")
	}
	const models = 200
	covered := 0
	var below, square float64
	for s := range models {
		r := rng.Stream(1, "promised", uint64(s))
		n, k := 2+r.IntN(7), 1+r.IntN(6)
		p := parameters(uint64(s), latent.Binary, n, k, 0.5)
		p.B, p.NuK = nil, nil
		m := must[*latent.Model](t)(latent.New(p, latent.Options{}))
		truth := must[float64](t)(m.ExactLogZ())
		o := ais.Options{Steps: 1000, Runs: 100, Seed: uint64(s)}
		e := must[*ais.Estimate](t)(ais.Run(context.Background(), m.Annealing(mcmc.ReinsertionMoves, false), o))
		if low, high := e.Interval(); low <= truth && truth <= high {
			covered++
		}
		b := truth - e.LogZ
		below, square = below+b/models, square+b*b/models
	}
	if share := float64(covered) / models; !(share >= 0.9) {
		t.Errorf("95 %% intervals hold the truth for %.3f of the models", share)
	}
	if z := stattest.ZScore(below, math.Sqrt((square-below*below)/models), 0); !(z > -3) {
		t.Errorf("estimates are above the truth, z = %.1f", z)
	}
	t.Logf("covered %.3f; %.5f below the truth on average", float64(covered)/models, below)
}

// Ten items and ten units: half a second for an error of some hundredths.
func TestAnnealingTenByTen(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("seconds of annealing; set FUBINI_LONG=1")
	}
	const models = 10
	var mean float64
	var spent time.Duration
	for s := range models {
		p := parameters(uint64(s), latent.Binary, 10, 10, 0.5)
		p.B, p.NuK = nil, nil
		m := must[*latent.Model](t)(latent.New(p, latent.Options{}))
		truth := must[float64](t)(m.ExactLogZ())
		start := time.Now()
		e := must[*ais.Estimate](t)(ais.Run(context.Background(), m.Annealing(mcmc.ReinsertionMoves, false), ais.Options{Steps: 1000, Runs: 100, Seed: uint64(s)}))
		spent += time.Since(start)
		mean += math.Abs(e.LogZ-truth) / models
	}
	t.Logf("mean absolute error %.4f nats, %v each", mean, spent/models)
	if !(mean < 0.05) {
		t.Errorf("the mean absolute error is %.3f nats", mean)
	}
}

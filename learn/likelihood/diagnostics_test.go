package likelihood

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/learn/ballot"
)

// For pairs of the true model the deviance is near its degrees of freedom, observed ties are those expected (the maximum makes
// them equal), and residuals are chi-square; a model without the item ties that there are is seen.
func TestGoodness(t *testing.T) {
	design := ballot.Design{Items: 6, Ties: ballot.ItemTies}
	theta := []float64{1, 0.5, 0, 0, -0.5, -1, 0.2, 1.5, -1.5, 0, 0, 0.5, -0.5}
	votes := planted(t, design, theta, 6000, 2, rng.Stream(1, "goodness"))
	for _, c := range []struct {
		ties ballot.Ties
		low  float64
		high float64
	}{{ballot.ItemTies, 0.2, 2.2}, {ballot.CommonTies, 10, 1e4}} {
		design.Ties = c.ties
		fit := must[*Fit](t)(must[*Data](t)(Group(design, votes)).Maximise(t.Context(), Defaults()))
		g := must[*Goodness](t)(fit.Goodness(t.Context()))
		if !(math.Abs(g.Observed-g.Expected) <= 1e-6) {
			t.Errorf("ties %d: %.6f tied, %.6f expected", c.ties, g.Observed, g.Expected)
		}
		if ratio := g.Deviance / g.Degrees; !(ratio > c.low && ratio < c.high) {
			t.Errorf("ties %d: deviance %.1f with %.0f degrees of freedom", c.ties, g.Deviance, g.Degrees)
		}
		var square float64
		for _, p := range g.Pairs {
			square += p.Square
		}
		if !(math.Abs(square/g.Deviance-1) < 0.2) { // Pearson's statistic and the deviance are near for so many votes
			t.Errorf("ties %d: residuals sum to %.1f, the deviance is %.1f", c.ties, square, g.Deviance)
		}
	}
}

// Parts of a split have all votes between them, and a held-out vote is as likely as one fitted, but for what parameters take.
func TestSplitAndHeldOut(t *testing.T) {
	design := ballot.Design{Items: 6}
	d := must[*Data](t)(Group(design, planted(t, design, []float64{1, 0.5, 0, 0, -0.5, -1, 0.2}, 3000, 3, rng.Stream(1, "held out"))))
	first, second, err := d.Split(0.8, 1)
	if err != nil {
		t.Fatal(err)
	}
	if first.Weight+second.Weight != d.Weight || !(math.Abs(first.Weight/d.Weight-0.8) < 0.03) {
		t.Errorf("%g and %g of %g votes", first.Weight, second.Weight, d.Weight)
	}
	fit := must[*Fit](t)(first.Maximise(t.Context(), Defaults()))
	out := must[float64](t)(fit.LogLikelihoodOf(t.Context(), second))
	if in := fit.LogLikelihood / first.Weight; !(math.Abs(out/second.Weight-in) < 0.05) {
		t.Errorf("%.4f nats a vote held out, %.4f in the fit", out/second.Weight, in)
	}
}

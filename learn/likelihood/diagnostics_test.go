package likelihood

import (
	"math"
	"testing"

	"fubini/core/rng"
)

// For pairs of the true model the deviance is near its degrees of freedom, observed ties are those expected (the maximum makes
// them equal), and residuals are chi-square; a model without the item ties that there are is seen.
func TestGoodness(t *testing.T) {
	design := Design{Items: 6, Ties: ItemTies}
	theta := []float64{1, 0.5, 0, 0, -0.5, -1, 0.2, 1.5, -1.5, 0, 0, 0.5, -0.5}
	votes := planted(t, design, theta, 6000, 2, rng.Stream(1, "goodness"))
	for _, c := range []struct {
		ties Ties
		low  float64
		high float64
	}{{ItemTies, 0.2, 2.2}, {CommonTies, 10, 1e4}} {
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

// The effect of a lost vote is what a refit without it finds, up to the second order, and the votes that turn a difference
// round do so.
func TestInfluenceIsThatOfARefit(t *testing.T) {
	design := Design{Items: 5}
	votes := planted(t, design, []float64{0.5, 0.4, 0, -0.3, -0.6, 0.1}, 400, 2, rng.Stream(2, "influence"))
	d := must[*Data](t)(Group(design, votes))
	fit := must[*Fit](t)(d.Maximise(t.Context(), Defaults()))
	c := must[Covariance](t)(fit.Covariance())
	in := must[*Influence](t)(fit.Influence(t.Context(), c, 1, 0, 3))
	without := func(times map[int]float64) *Fit {
		less := *d
		less.orders = append([]order{}, d.orders...)
		less.groups = append([]group{}, d.groups...)
		for g := range len(d.groups) - 1 {
			for o := d.groups[g].first; o < d.groups[g+1].first; o++ {
				less.orders[o].weight -= times[int(o)]
				less.groups[g].weight -= times[int(o)]
			}
		}
		return must[*Fit](t)(less.Maximise(t.Context(), Defaults()))
	}
	find := func(tell Telling) int {
		for o := range d.orders {
			if &d.items(d.orders[o].vote)[0] == &tell.Items[0] {
				return o
			}
		}
		t.Fatal("no such outcome")
		return 0
	}
	sign := math.Copysign(1, in.Difference)
	for _, tell := range in.Top {
		after := without(map[int]float64{find(tell): 1})
		change := sign * (after.Worths()[1] - after.Worths()[0] - in.Difference)
		if !(math.Abs(change-tell.Effect) <= 0.1*math.Abs(tell.Effect)) {
			t.Errorf("a lost vote changes the difference by %.5f, not %.5f", change, tell.Effect)
		}
	}
	if !(in.Votes > 0 && in.Votes < 200) {
		t.Errorf("%g votes turn the difference of %.3f round", in.Votes, in.Difference)
	}
}

// Parts of a split have all votes between them, and a held-out vote is as likely as one fitted, but for what parameters take.
func TestSplitAndHeldOut(t *testing.T) {
	design := Design{Items: 6}
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

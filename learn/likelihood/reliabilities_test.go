package likelihood

import (
	"math"
	"os"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/learn/ballot"
	"fubini/learn/reliability"
)

// differing draws votes of raters with log-normal reliabilities, each vote on n items; the reliabilities are the end of theta.
func differing(t *testing.T, worths []float64, raters, each, n int, spread float64, r *rng.Rand) (d *Data, theta []float64) {
	t.Helper()
	design := ballot.Design{Items: len(worths), Raters: raters}
	theta = append(append([]float64{}, worths...), 0.3, math.Log(spread))
	for range raters {
		theta = append(theta, math.Exp(spread*r.NormFloat64()-spread*spread/2))
	}
	return must[*Data](t)(Group(design, planted(t, design, theta, each*raters, n, r))), theta
}

// The mean square of the spread is that of Student's distribution where reliabilities are seen and the prior says nothing, nearly 1 for
// very many raters, and no more than 1 where votes tell little of each rater.
func TestMeanSquareSpread(t *testing.T) {
	for _, n := range []int{8, 20, 400} {
		if got, want := reliability.MeanSquareSpread(1/(2*float64(n)), 0, n), float64(n)/float64(n-3); !(math.Abs(got-want) <= 1e-6*want) { // a sum over points 0.01 apart
			t.Errorf("%d raters: %.8f, by Student's distribution %.8f", n, got, want)
		}
	}
	if got := reliability.MeanSquareSpread(0.05, 1, 20); !(got > 1.1 && got < 1.3) {
		t.Errorf("20 raters seen with errors: %g times the square of the estimate", got)
	}
	for _, variance := range []float64{0.1, 0.2, 0.3} {
		if got := reliability.MeanSquareSpread(variance, 1, 400); got != 1 {
			t.Errorf("400 raters of whom little is known: %g times the square of the estimate", got)
		}
	}
}

// Intervals of worths, differences, ranks and reliabilities hold the truth as often as they claim, whether raters have many votes or
// few; without reliabilities they do not.
func TestIntervalsOfRatersCover(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	worths := []float64{1.5, 0.9, 0.3, 0, -0.4, -0.8, -1.5}
	for k, c := range []struct {
		name, votes     string
		worths          []float64
		raters, each, n int
		spread          float64
		blind           float64 // share of the intervals of worths that hold without reliabilities, at most
	}{
		{"reliabilities, many votes a rater", "30 raters of 60 pairs", worths, 30, 60, 2, 0.5, 0.9},
		{"reliabilities, few votes a rater", "400 raters of 3 pairs", worths, 400, 3, 2, 0.5, 1},
		{"reliabilities, four-way tiers", "20 raters of 12 tier lists of 4", worths[:6], 20, 12, 4, 0.5, 0.9},
		{"reliabilities, five-way tiers", "20 raters of 10 tier lists of 5", worths, 20, 10, 5, 0.5, 0.9},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.n > 2 && os.Getenv("FUBINI_LONG") == "" {
				t.Skip("minutes of fits; set FUBINI_LONG=1")
			}
			row := coverage{name: c.name, votes: c.votes, others: []named{{name: "nu"}}}
			reliable := named{name: "reliabilities"}
			blind := coverage{}
			n, g := sets(1), len(c.worths)
			truth := slices.Clone(c.worths)
			for i := range truth {
				for _, w := range c.worths {
					truth[i] -= w / float64(g)
				}
			}
			for set := range n {
				r := rng.Stream(uint64(set), "reliabilities", uint64(k))
				d, theta := differing(t, truth, c.raters, c.each, c.n, c.spread, r)
				fit, err := d.Maximise(t.Context(), Options{Steps: 100, Jobs: 1, Prior: ballot.Precision{Spread: 1}})
				if err != nil {
					t.Fatalf("set %d: %v", set, err)
				}
				covariance := must[Covariance](t)(fit.Covariance())
				row.board(t, fit, covariance, truth)
				row.others[0].add(math.Abs(fit.Theta[g]-theta[g]) <= z95*math.Sqrt(covariance[g*(d.Global+1)]))
				low, high := fit.ReliabilityIntervals(covariance, 0.95)
				for j, v := range theta[d.Global:] {
					reliable.add(low[j] <= v && v <= high[j])
				}
				alike := must[*Fit](t)((&Data{Data: d.WithoutRaters()}).Maximise(t.Context(), Options{Steps: 100, Jobs: 1}))
				blind.board(t, alike, must[Covariance](t)(alike.Covariance()), truth)
			}
			row.others = append(row.others, reliable)
			row.check(t, n)
			keepCoverage(t, row)
			share := blind.worths.held / blind.worths.all
			t.Logf("without reliabilities %.1f %% hold", 100*share)
			if !(share <= c.blind) {
				t.Errorf("without reliabilities %.1f %% hold: the test sees nothing", 100*share)
			}
		})
	}
}

// Where the spread is known, the interval of a reliability is that of its log-normal posterior; a rater without votes has the
// prior, and the less is known of the spread the wider it is.
func TestIntervalOfAReliability(t *testing.T) {
	const spread = 0.5
	known := reliability.Spreads(0)
	posterior := reliability.Posterior{Place: reliability.Place{Mean: 0.3, SD: 0.2}}
	low, high := posterior.Interval(spread, known, 1, 0.05, 0.95)
	reach := z95 * math.Sqrt(0.2*0.2+0.05)
	if !(math.Abs(low-math.Exp(0.3-reach)) <= 1e-7 && math.Abs(high-math.Exp(0.3+reach)) <= 1e-7) {
		t.Errorf("%.8f to %.8f, want %.8f to %.8f", low, high, math.Exp(0.3-reach), math.Exp(0.3+reach))
	}
	without := reliability.Posterior{Place: reliability.Prior{Spread: spread}.Place()}
	last := 0.0
	for _, sd := range []float64{0, 0.2, 0.4, 0.6} {
		low, high := without.Interval(spread, reliability.Spreads(sd*sd), 0, 0, 0.95)
		if width := math.Log(high / low); !(width > last) {
			t.Errorf("log spread known to %g: width %g, to less %g", sd, width, last)
		} else if sd == 0 && !(math.Abs(width-2*z95*spread) <= 1e-6) {
			t.Errorf("width %g of the prior, want %g", width, 2*z95*spread)
		} else {
			last = width
		}
	}
	// Draws of a log spread, then of a reliability without votes: the share in the interval is its level.
	const sd, draws = 0.4, 200000
	low, high = without.Interval(spread, reliability.Spreads(sd*sd), 0, 0, 0.95)
	r := rng.Stream(1, "interval of a reliability")
	held := 0.0
	for range draws {
		s := spread * math.Exp(sd*r.NormFloat64())
		if v := math.Exp(s*r.NormFloat64() - s*s/2); low <= v && v <= high {
			held++
		}
	}
	if !(math.Abs(held/draws-0.95) <= 0.006) { // 0.0005 by chance, the rest by the few numbers that stand for a normal distribution
		t.Errorf("%.2f %% of the draws are in the interval", 100*held/draws)
	}
}

package likelihood

import (
	"math"
	"os"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/learn/ballot"
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

// The mean square of the spread is that of Student's distribution where the prior says nothing, nearly 1 for very many raters, and
// finite where only the prior tells of the spread.
func TestMeanSquareSpread(t *testing.T) {
	for _, n := range []float64{8, 20, 400} {
		if got, want := meanSquareSpread(-1, 1/(2*n), 0), n/(n-3); !(math.Abs(got-want) <= 1e-6*want) { // a sum over points 0.01 apart
			t.Errorf("%g raters: %.8f, by Student's distribution %.8f", n, got, want)
		}
	}
	// A log spread that is normal around the estimate: the mean of a log-normal square is e^(2/precision), and the seen ones add some.
	if got := meanSquareSpread(ballot.CentreOfSpread, 1, 1); !(got > math.Exp(2) && got < 20) {
		t.Errorf("by the prior alone the mean square is %g times that of the estimate", got)
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
		most            int     // data sets
	}{
		{"reliabilities, many votes a rater", "30 raters of 60 pairs", worths, 30, 60, 2, 0.5, 0.9, 1000},
		{"reliabilities, few votes a rater", "400 raters of 3 pairs", worths, 400, 3, 2, 0.5, 1, 1000},
		{"reliabilities, five-way tiers", "20 raters of 10 tier lists of 5", worths[:6], 20, 10, 5, 0.5, 0.9, 300},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.n > 2 && os.Getenv("FUBINI_LONG") == "" {
				t.Skip("minutes of fits; set FUBINI_LONG=1")
			}
			row := coverage{name: c.name, votes: c.votes, others: []named{{name: "nu"}}}
			reliable := named{name: "reliabilities"}
			blind := coverage{}
			n, g := min(sets(), c.most), len(c.worths)
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
				for j, e := range fit.ReliabilityErrors(covariance) {
					low, high := ReliabilityInterval(fit.Reliabilities()[j], e, 0.95)
					reliable.add(low <= theta[d.Global+j] && theta[d.Global+j] <= high)
				}
				alike := must[*Fit](t)((&Data{Data: d.WithoutRaters()}).Maximise(t.Context(), Options{Steps: 100, Jobs: 1}))
				blind.board(t, alike, must[Covariance](t)(alike.Covariance()), truth)
			}
			row.check(t, n)
			// Their intervals take the spread as known, and so are too narrow where few votes tell of it.
			if share := reliable.held / reliable.all; !(share >= 0.9) {
				t.Errorf("reliabilities: %.1f %% of the intervals hold the truth", 100*share)
			}
			row.others = append(row.others, reliable)
			keepCoverage(t, row)
			share := blind.worths.held / blind.worths.all
			t.Logf("without reliabilities %.1f %% hold", 100*share)
			if !(share <= c.blind) {
				t.Errorf("without reliabilities %.1f %% hold: the test sees nothing", 100*share)
			}
		})
	}
}

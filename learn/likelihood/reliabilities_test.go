package likelihood

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/learn/ballot"
)

// Intervals of worths and of reliabilities hold the truth as often as they claim, over raters drawn from the prior whose strength
// is learned.
func TestIntervalsOfReliabilitiesCover(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const raters = 30
	worths := []float64{1.5, 0.9, 0.3, 0, -0.4, -0.8, -1.5}
	design := ballot.Design{Items: 7, Raters: raters}
	n := sets()
	var held, reliable, count, careless float64
	for set := range n {
		r := rng.Stream(uint64(set), "reliabilities")
		theta := append(append([]float64{}, worths...), 0.3)
		for range raters {
			theta = append(theta, 1+0.4*r.NormFloat64())
		}
		d := must[*Data](t)(Group(design, planted(t, design, theta, 60*raters, 2, r)))
		fit, err := d.Learn(t.Context(), Options{Steps: 100, Jobs: 1, Prior: ballot.Precision{Reliability: 4}})
		if err != nil {
			t.Fatalf("set %d: %v", set, err)
		}
		c := must[Covariance](t)(fit.Covariance())
		mode := must[*Fit](t)(d.Maximise(t.Context(), Options{Steps: 100, Jobs: 1, Prior: fit.Prior})) // of worths and reliabilities together
		plain := must[Covariance](t)(mode.Covariance())
		for i, w := range worths {
			if math.Abs(mode.Worths()[i]-w) <= z95*math.Sqrt(plain[i*d.Global+i]) {
				careless++
			}
			if math.Abs(fit.Worths()[i]-w) <= z95*math.Sqrt(c[i*d.Global+i]) {
				held++
			}
		}
		for k, e := range fit.ReliabilityErrors(c) {
			count++
			if math.Abs(fit.Reliabilities()[k]-theta[d.Global+k]) <= z95*e {
				reliable++
			}
		}
	}
	covered(t, "worths", held, float64(len(worths)*n), n)
	covered(t, "reliabilities", reliable, count, n)
	if share := careless / float64(len(worths)*n); !(share < 0.91) {
		t.Errorf("around the mode of worths and reliabilities together %.1f %% hold: the test sees nothing", 100*share)
	}
}

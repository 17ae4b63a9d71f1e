package likelihood

import (
	"math"
	"slices"
	"testing"

	"fubini/core/logprob"
	"fubini/core/rng"
	"fubini/learn/ballot"
	"fubini/learn/ballot/drawn"
)

// bruteForce is the log likelihood of pairs with common ties and reliabilities integrated out, by a fine sum over each.
func bruteForce(votes ballot.Votes, theta []float64, items, raters int) (log float64) {
	nu, spread := theta[items], math.Exp(theta[items+1])
	for r := range int32(raters) {
		const steps, width = 12000, 30.0
		logs := make([]float64, steps)
		for k := range steps {
			z := width * (2*(float64(k)+0.5)/steps - 1) // a rater with very many votes may be 10 and more standard deviations away
			s := math.Exp(spread*z - spread*spread/2)
			p := &logs[k]
			*p = -z*z/2 + math.Log(2*width/steps/math.Sqrt(2*math.Pi))
			for v, w := range votes.Weight {
				if votes.Rater[v] != r {
					continue
				}
				d := s * (theta[votes.Item[2*v]] - theta[votes.Item[2*v+1]]) / 2
				weights := []float64{d, nu, -d}
				outcome := 1
				if a, b := votes.Tier[2*v], votes.Tier[2*v+1]; a < b {
					outcome = 0
				} else if a > b {
					outcome = 2
				}
				*p += w * (weights[outcome] - logprob.SumExp(weights))
			}
		}
		log += logprob.SumExp(logs)
	}
	return log
}

// The likelihood with reliabilities integrated out is that by brute force, for raters of few votes and of many.
func TestReliabilitiesAreIntegratedOut(t *testing.T) {
	design := ballot.Design{Items: 4, Raters: 5}
	votes := drawn.Votes(design, 25, 2, 3)
	for v := range votes.Weight { // one rater has many votes, all the same way round
		if votes.Rater[v] == 4 {
			votes.Weight[v] = 40
			a, b := votes.Item[2*v], votes.Item[2*v+1]
			votes.Tier[2*v], votes.Tier[2*v+1] = 0, 0
			if a < b {
				votes.Tier[2*v+1] = 1
			} else {
				votes.Tier[2*v] = 1
			}
		}
	}
	d := must[*Data](t)(Group(design, votes))
	for _, spread := range []float64{0.05, 0.3, 0.7} {
		f := &Fit{Data: d, Theta: append([]float64{0.9, 0.3, -0.4, -0.8, 0.2, math.Log(spread)}, 1, 1, 1, 1, 1)}
		if err := f.placeRaters(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := must[*point](t)(f.evaluate(t.Context(), f.Theta, 1, false)).value
		want := bruteForce(votes, f.Theta, 4, 5)
		if !(math.Abs(got-want) <= 1e-4) {
			t.Errorf("spread %g: log likelihood %.6f, by brute force %.6f", spread, got, want)
		}
		f.places[4] = place{0, 3} // points far apart
		if off := must[*point](t)(f.evaluate(t.Context(), f.Theta, 1, false)).value; !(math.Abs(off-want) > 1e-3) {
			t.Errorf("spread %g: the test cannot see points too far apart", spread)
		}
	}
}

// The information is minus the slope of the gradient, in all forms but that of a curve of ties, where it is expected.
func TestObservedInformationIsTheSlope(t *testing.T) {
	for name, design := range drawn.Designs() {
		if design.Ties == ballot.DistanceTies {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := must[*Data](t)(Group(design, drawn.Votes(design, 12, 3, 1)))
			d.places = somewhere(d)
			theta := drawn.Point(d.All)
			here := must[*point](t)(d.integrate(t.Context(), theta, 2, pass{scores: true, information: true, last: true}))
			const h = 1e-5
			for i := range d.Global {
				moved := slices.Clone(theta)
				moved[i] = theta[i] + h
				up := must[*point](t)(d.evaluate(t.Context(), moved, 1, false)).gradient
				moved[i] = theta[i] - h
				down := must[*point](t)(d.evaluate(t.Context(), moved, 1, false)).gradient
				for j := range i + 1 {
					at := i*d.Global + j
					if slope := (down[j] - up[j]) / (2 * h); !(math.Abs(slope-here.information[at]+here.missing[at]) <= 1e-4*(1+math.Abs(slope))) {
						t.Errorf("%s, %s: information %g less %g, slope %g", d.Name(i), d.Name(j), here.information[at], here.missing[at], slope)
					}
				}
			}
		})
	}
}

// differing draws votes of raters with log-normal reliabilities, each vote on two items; the reliabilities are the end of theta.
func differing(t *testing.T, worths []float64, raters, each int, spread float64, r *rng.Rand) (d *Data, theta []float64) {
	t.Helper()
	design := ballot.Design{Items: len(worths), Raters: raters}
	theta = append(append([]float64{}, worths...), 0.3, math.Log(spread))
	for range raters {
		theta = append(theta, math.Exp(spread*r.NormFloat64()-spread*spread/2))
	}
	return must[*Data](t)(Group(design, planted(t, design, theta, each*raters, 2, r))), theta
}

// Intervals of worths, differences, ranks and reliabilities hold the truth as often as they claim, whether raters have many votes or few;
// without reliabilities they do not.
func TestIntervalsOfRatersCover(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	worths := []float64{1.5, 0.9, 0.3, 0, -0.4, -0.8, -1.5}
	for k, c := range []struct {
		name, votes  string
		raters, each int
		spread       float64
	}{
		{"reliabilities, many votes a rater", "30 raters of 60 pairs", 30, 60, 0.5},
		{"reliabilities, few votes a rater", "400 raters of 3 pairs", 400, 3, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := coverage{name: c.name, votes: c.votes, others: []named{{name: "nu"}, {name: "log spread"}, {name: "reliabilities"}}}
			blind := coverage{}
			n := sets()
			for set := range n {
				r := rng.Stream(uint64(set), "reliabilities", uint64(k))
				d, theta := differing(t, worths, c.raters, c.each, c.spread, r)
				fit, err := d.Maximise(t.Context(), Options{Steps: 100, Jobs: 1, Prior: ballot.Precision{Spread: 1}})
				if err != nil {
					t.Fatalf("set %d: %v", set, err)
				}
				covariance := must[Covariance](t)(fit.Covariance())
				row.board(t, fit, covariance, worths)
				for j := range 2 {
					row.others[j].add(math.Abs(fit.Theta[7+j]-theta[7+j]) <= z95*math.Sqrt(covariance[(7+j)*(d.Global+1)]))
				}
				for j, e := range fit.ReliabilityErrors(covariance) {
					low, high := ReliabilityInterval(fit.Reliabilities()[j], e, 0.95)
					row.others[2].add(low <= theta[d.Global+j] && theta[d.Global+j] <= high)
				}
				alike := must[*Fit](t)((&Data{Data: d.WithoutRaters()}).Maximise(t.Context(), Options{Steps: 100, Jobs: 1}))
				blind.board(t, alike, must[Covariance](t)(alike.Covariance()), worths)
			}
			row.check(t, n)
			keepCoverage(t, row)
			if share := blind.worths.held / blind.worths.all; !(share < 0.9) {
				t.Errorf("without reliabilities %.1f %% hold: the test sees nothing", 100*share)
			}
		})
	}
}

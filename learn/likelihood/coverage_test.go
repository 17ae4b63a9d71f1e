package likelihood

import (
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
)

// planted draws votes from a design at theta: count votes of n items each, with normal covariates.
func planted(t testing.TB, design Design, theta []float64, count, n int, r *rng.Rand) Votes {
	t.Helper()
	votes := Votes{Start: []int32{0}}
	all := make([]int, design.Items)
	x := partition.OneBlock(n)
	for v := range count {
		rng.Permutation(r, all)
		for k := range n {
			votes.Item = append(votes.Item, int32(all[k]))
			votes.Tier = append(votes.Tier, int32(k*min(1, int(design.Space)))) // allowed in the space
			for range design.Places {
				votes.Place = append(votes.Place, r.NormFloat64())
			}
		}
		if design.Space == TwoTiers {
			for k := range n {
				votes.Tier[v*n+k] = int32(min(k, 1))
			}
		}
		votes.Start = append(votes.Start, int32((v+1)*n))
		votes.Weight = append(votes.Weight, 1)
		for range design.Votes {
			votes.Vote = append(votes.Vote, r.NormFloat64())
		}
		if design.Raters > 0 {
			votes.Rater = append(votes.Rater, int32(r.IntN(design.Raters)))
		}
	}
	d := must[*Data](t)(Group(design, votes)) // items of a vote ascend in it
	m := &local{Data: d}
	for v := range int32(count) {
		m.load(theta, v)
		table := must[*exact.Table](t)(exact.NewTable(m, design.Space.Of(n)))
		table.Draw(r, x)
		for b := range x.Len() {
			for _, k := range x.Block(b) {
				d.votes.Tier[int(v)*n+k] = int32(b)
			}
		}
	}
	votes.Item, votes.Tier, votes.Place = d.votes.Item, d.votes.Tier, d.votes.Place
	return votes
}

// sets is the number of planted data sets of a test of coverage.
func sets() int {
	if os.Getenv("FUBINI_LONG") != "" {
		return 1000
	}
	return 120
}

// covered fails where the share of intervals that hold the truth is not 95 %: by more than 2 points in many sets,
// by more than chance in few.
func covered(t *testing.T, what string, hits, of float64, independent int) {
	t.Helper()
	margin := 0.02 + 2.6*math.Sqrt(0.95*0.05/float64(independent))
	if independent >= 1000 {
		margin = 0.02
	}
	if share := hits / of; !(math.Abs(share-0.95) <= margin) {
		t.Errorf("%s: %.1f %% of the intervals hold the truth", what, 100*share)
	} else {
		t.Logf("%s: %.1f %%", what, 100*share)
	}
}

var z95 = distuv.UnitNormal.Quantile(0.975)

// Intervals by the information hold the truth as often as they claim.
func TestIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	worths := []float64{1, 0.6, 0.2, 0, -0.3, -0.5, -1}
	for name, c := range map[string]struct {
		Design
		rest     []float64
		count, n int
		prior    Precision
	}{
		"pairs":      {Design{Items: 7}, []float64{0.3}, 400, 2, Precision{}},
		"item ties":  {Design{Items: 7, Ties: ItemTies}, []float64{0.3, 0.5, -0.5, 0.2, -0.2, 0.4, -0.4, 0}, 1500, 2, Precision{}},
		"distance":   {Design{Items: 7, Ties: DistanceTies}, []float64{0.3, -0.8}, 600, 2, Precision{}},
		"five":       {Design{Items: 7}, []float64{0.1}, 60, 5, Precision{}},
		"orders":     {Design{Items: 7, Space: WithoutTies}, nil, 120, 4, Precision{}},
		"two tiers":  {Design{Items: 7, Space: TwoTiers}, []float64{0.1}, 200, 4, Precision{}},
		"features":   {Design{Items: 7, Pairs: dishes(1)}, []float64{0.3, 0.4, -0.6}, 150, 4, Precision{}},
		"covariates": {Design{Items: 7, Places: []string{"home", "length"}, Votes: []string{"hurry"}}, []float64{0.3, 0.5, -0.4, 0.3}, 400, 2, Precision{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			theta := append(append([]float64{}, worths...), c.rest...)
			hits := make([]float64, len(theta))
			var pairs, hitPairs float64
			n := sets()
			for set := range n {
				r := rng.Stream(uint64(set), "coverage", uint64(len(name)))
				d := must[*Data](t)(Group(c.Design, planted(t, c.Design, theta, c.count, c.n, r)))
				fit, err := d.Maximise(t.Context(), Options{Steps: 100, Jobs: 1, Prior: c.prior})
				if err != nil {
					t.Fatalf("set %d: %v", set, err)
				}
				covariance := must[Covariance](t)(fit.Covariance())
				for k := range theta {
					if math.Abs(fit.Theta[k]-theta[k]) <= z95*math.Sqrt(covariance[k*d.global+k]) {
						hits[k]++
					}
				}
				for i := range worths {
					for j := range i {
						pairs++
						v := covariance[i*d.global+i] + covariance[j*d.global+j] - 2*covariance[i*d.global+j]
						if math.Abs(fit.Theta[i]-fit.Theta[j]-theta[i]+theta[j]) <= z95*math.Sqrt(v) {
							hitPairs++
						}
					}
				}
			}
			var all float64
			for _, h := range hits[:7] {
				all += h
			}
			covered(t, "worths", all, float64(7*n), n)
			covered(t, "differences", hitPairs, pairs, n)
			for k := 7; k < len(theta); k++ {
				if k >= 8 && c.Ties == ItemTies {
					break
				}
				d := c.Design
				covered(t, d.Name(k), hits[k], float64(n), n)
			}
		})
	}
}

// Where raters differ and the model has no word for it, errors by the information are too small; those by sandwich
// and bootstrap over raters hold.
func TestErrorsUnderAWrongModel(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	worths := []float64{0.8, 0.3, 0, -0.4, -0.7}
	const raters, each = 40, 15
	n := sets()
	var plain, robust, resampled float64
	resamples := n / 4
	for set := range n {
		r := rng.Stream(uint64(set), "wrong model")
		all := Votes{Start: []int32{0}}
		for rater := range int32(raters) {
			theta := append([]float64{}, worths...)
			for i := range theta {
				theta[i] += r.NormFloat64() // a taste of their own
			}
			v := planted(t, Design{Items: 5}, append(theta, 0), each, 2, r)
			all.Item, all.Tier, all.Weight = append(all.Item, v.Item...), append(all.Tier, v.Tier...), append(all.Weight, v.Weight...)
			for range each {
				all.Rater = append(all.Rater, rater)
				all.Start = append(all.Start, all.Start[len(all.Start)-1]+2)
			}
		}
		d := must[*Data](t)(Group(Design{Items: 5, Cluster: true}, all))
		fit := must[*Fit](t)(d.Maximise(t.Context(), Options{Steps: 100, Jobs: 1}))
		truth := truthOfTastes(t)
		count := func(into *float64, variance func(i int) float64) {
			for i := range worths {
				if math.Abs(fit.Theta[i]-truth[i]) <= z95*math.Sqrt(variance(i)) {
					*into++
				}
			}
		}
		information := must[Covariance](t)(fit.Covariance())
		sandwich := must[Covariance](t)(fit.Sandwich(t.Context()))
		count(&plain, func(i int) float64 { return information[i*d.global+i] })
		count(&robust, func(i int) float64 { return sandwich[i*d.global+i] })
		if set >= resamples {
			continue
		}
		draws := must[[][]float64](t)(fit.Bootstrap(t.Context(), 100, uint64(set)))
		count(&resampled, func(i int) float64 {
			var mean, square float64
			for _, theta := range draws {
				mean += theta[i] / float64(len(draws))
				square += theta[i] * theta[i] / float64(len(draws))
			}
			return square - mean*mean
		})
	}
	covered(t, "sandwich", robust, float64(5*n), n)
	covered(t, "bootstrap", resampled, float64(5*resamples), resamples)
	if share := plain / float64(5*n); !(share < 0.9) {
		t.Errorf("errors by the information hold %.1f %%: the test sees nothing", 100*share)
	}
}

// truthOfTastes is what the estimates of a model without tastes tend to: its fit to very many raters of one vote each.
func truthOfTastes(t *testing.T) []float64 {
	t.Helper()
	if tastes != nil {
		return tastes
	}
	worths := []float64{0.8, 0.3, 0, -0.4, -0.7}
	r := rng.Stream(1, "truth")
	votes := Votes{Start: []int32{0}}
	for i := range int32(5) {
		for j := range i {
			var p [3]float64
			const draws = 200000
			for range draws {
				d := worths[i] - worths[j] + math.Sqrt2*r.NormFloat64()
				win, loss := math.Exp(d/2), math.Exp(-d/2)
				z := win + loss + 1
				p[0] += win / z / draws
				p[1] += loss / z / draws
				p[2] += 1 / z / draws
			}
			for o, tiers := range [][]int32{{0, 1}, {1, 0}, {0, 0}} {
				votes.Item = append(votes.Item, i, j)
				votes.Tier = append(votes.Tier, tiers...)
				votes.Weight = append(votes.Weight, p[o])
				votes.Start = append(votes.Start, int32(len(votes.Item)))
			}
		}
	}
	fit := must[*Fit](t)(must[*Data](t)(Group(Design{Items: 5}, votes)).Maximise(t.Context(), Defaults()))
	tastes = fit.Worths()
	return tastes
}

var tastes []float64

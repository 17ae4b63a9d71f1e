package likelihood

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/learn/ballot"
)

// listsOfTastes draws tier lists of n items by raters of two tastes, of whom a share of 0.35 has the unit.
func listsOfTastes(t *testing.T, base, unit []float64, nu float64, raters, each, n int, r *rng.Rand) (votes ballot.Votes, has []bool) {
	t.Helper()
	design := ballot.Design{Items: len(base)}
	votes.Start = []int32{0}
	for rater := range int32(raters) {
		has = append(has, r.Float64() < 0.35)
		theta := append(append([]float64{}, base...), nu)
		for i, w := range unit {
			if has[rater] {
				theta[i] += w
			}
		}
		own := planted(t, design, theta, each, n, r)
		votes.Item, votes.Tier, votes.Weight = append(votes.Item, own.Item...), append(votes.Tier, own.Tier...), append(votes.Weight, own.Weight...)
		for range each {
			votes.Rater = append(votes.Rater, rater)
			votes.Start = append(votes.Start, votes.Start[len(votes.Start)-1]+int32(n))
		}
	}
	return votes, has
}

// tastesOf draws the worths of two tastes.
func tastesOf(items int, scale float64, r *rng.Rand) (base, unit []float64) {
	for range items {
		base, unit = append(base, scale*r.NormFloat64()), append(unit, 1.5*scale*r.NormFloat64())
	}
	for _, v := range [][]float64{base, unit} {
		var mean float64
		for _, x := range v {
			mean += x / float64(items)
		}
		for i := range v {
			v[i] -= mean
		}
	}
	return base, unit
}

// On lists short enough for exact sums, tastes by slots are those by the likelihood, up to a part of their standard errors: boards,
// shares, and who holds which.
func TestTastesBySlotsAreThoseByTheLikelihood(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: not with -short")
	}
	r := rng.Stream(5, "slots and exact sums")
	base, unit := tastesOf(7, 0.25, r)
	votes, _ := listsOfTastes(t, base, unit, 0.1, 150, 2, 5, r)
	o := Options{Steps: 100, Jobs: 1, Prior: ballot.Precision{Worth: 0.01, Unit: 1}}
	fit := func(slots bool) *Tastes {
		d := must[*Data](t)(Group(ballot.Design{Items: 7, Units: 1, Cluster: true, Slots: slots}, votes))
		return must[*Tastes](t)(d.Tastes(t.Context(), o))
	}
	exact, slots := fit(false), fit(true)
	if !(exact.Power == 1 && slots.Power > 0.6 && slots.Power < 0.9) {
		t.Errorf("powers %g and %g", exact.Power, slots.Power)
	}
	c := must[Covariance](t)(exact.Covariance())
	robust := must[Covariance](t)(slots.Covariance())
	turned := 0 // which set of units is the base is free
	if correlation(exact.Board(0), slots.Board(0)) < correlation(exact.Board(0), slots.Board(1)) {
		turned = 1
	}
	for units := range 2 {
		want, got := exact.Board(units), slots.Board(units^turned)
		variances, others := exact.Variances(c, units, 0, 0), slots.Variances(robust, units^turned, 0, 0)
		for i := range want {
			if e := math.Sqrt(variances[i]); !(math.Abs(got[i]-want[i]) <= 0.6*e) {
				t.Errorf("taste %d, item %d: %.3f by slots, %.3f ± %.3f by the likelihood", units, i, got[i], want[i], e)
			}
			if ratio := math.Sqrt(others[i] / variances[i]); !(ratio > 0.65 && ratio < 1.5) {
				t.Errorf("taste %d, item %d: the standard error by slots is %.2f times that by the likelihood", units, i, ratio)
			}
		}
		if a, b := exact.Held[units], slots.Held[units^turned]; !(math.Abs(a-b) <= 6) {
			t.Errorf("%.1f raters of taste %d by slots, %.1f by the likelihood", b, units, a)
		}
	}
	var apart float64
	for r, p := range exact.Posterior {
		apart += math.Abs(p[0]-slots.Posterior[r][turned]) / float64(len(exact.Posterior))
	}
	if !(apart <= 0.05) {
		t.Errorf("posteriors of raters differ by %.3f on average", apart)
	}
	// Without the power they are too sure.
	sure := func(f *Tastes, power float64) (mean float64) {
		p := f.panel()
		p.power = power
		tasting := &tasting{panel: p, Options: o}
		for _, q := range must[*beliefs](t)(tasting.at(t.Context(), f.Theta, f.Shares)).posterior {
			mean += math.Abs(q-0.5) / float64(2*len(f.Posterior))
		}
		return mean
	}
	want := sure(exact, 1)
	if with, without := sure(slots, slots.Power), sure(slots, 1); !(math.Abs(with-want) < math.Abs(without-want)/2) {
		t.Errorf("posteriors are %.4f from even by the likelihood, %.4f by slots with their power, %.4f without it", want, with, without)
	}
}

// Tastes of lists beyond exact sums are recovered, one board is not enough, and intervals of their boards hold the truth as often as
// they claim.
func TestTastesOfLongLists(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const items, raters = 17, 120
	n := sets(40)
	right := 0.0 // raters with their own taste; tastes that were drawn alike leave some of a set in doubt
	row := coverage{name: "tastes, lists beyond exact sums, sandwich", votes: "120 raters of two tastes, a tier list of 17 items each"}
	for set := range n {
		r := rng.Stream(uint64(set), "tastes of long lists")
		base, unit := tastesOf(items, 0.2, r)
		votes, has := listsOfTastes(t, base, unit, 0, raters, 1, items, r)
		d := must[*Data](t)(Group(ballot.Design{Items: items, Units: 1, Cluster: true}, votes))
		if !d.Slots {
			t.Fatal("exact sums")
		}
		o := Options{Steps: 100, Jobs: 1, Fixed: true, Prior: ballot.Precision{Worth: 0.01, Unit: 1}}
		tastes := must[*Tastes](t)(d.Tastes(t.Context(), o))
		first, other := baseOf(tastes, base, unit)
		for r, p := range tastes.Posterior {
			if (p[1-first] > 0.5) == has[r] {
				right++
			}
		}
		c := must[Covariance](t)(tastes.Covariance())
		for units, truth := range [][]float64{base, other} {
			at := units
			if first == 1 {
				at = 1 - units
			}
			variances := tastes.Variances(c, at, 0, 0)
			for i, v := range tastes.Board(at) {
				row.worths.add(math.Abs(v-truth[i]) <= z95*math.Sqrt(variances[i]))
			}
		}
		if set == 0 {
			t.Logf("power %.3f", tastes.Power)
			if gain := must[Gain](t)(d.OneBoard(t.Context(), o, 1)); gain.OneIsEnough() {
				t.Errorf("one board is enough: %+v", gain)
			}
		}
	}
	if share := right / float64(n*raters); !(share > 0.9) {
		t.Errorf("%.1f %% of the raters have their own taste", 100*share)
	}
	covered(t, "boards of tastes", row.worths.held, row.worths.all, n)
	keepCoverage(t, row)
}

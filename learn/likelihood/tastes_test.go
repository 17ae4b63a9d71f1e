package likelihood

import (
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"fubini/core/rng"
	"fubini/learn/ballot"
	"fubini/learn/ballot/drawn"
	"fubini/model/osm"
)

// tasteWorld draws pair votes of raters of two tastes: those with the unit, three in ten, have other worths.
func tasteWorld(items, raters, each int, seed uint64) (votes ballot.Votes, base, unit []float64, has []bool) {
	r := rng.Stream(seed, "tastes")
	base, unit = make([]float64, items), make([]float64, items)
	for i := range items {
		base[i], unit[i] = r.NormFloat64(), 1.5*r.NormFloat64()
	}
	votes, has = votesOfTastes(base, unit, raters, each, r)
	return votes, base, unit, has
}

// votesOfTastes draws votes at given worths.
func votesOfTastes(base, unit []float64, raters, each int, r *rng.Rand) (votes ballot.Votes, has []bool) {
	items := len(base)
	votes.Start = []int32{0}
	for rater := range int32(raters) {
		has = append(has, r.Float64() < 0.3)
		for range each {
			i := r.IntN(items)
			j := (i + 1 + r.IntN(items-1)) % items
			d := base[i] - base[j]
			if has[rater] {
				d += unit[i] - unit[j]
			}
			win, loss, tie := math.Exp(d/2), math.Exp(-d/2), math.Exp(-0.2)
			tiers := [][]int32{{0, 1}, {1, 0}, {0, 0}}[r.Pick([]float64{win, loss, tie})]
			votes.Item = append(votes.Item, int32(i), int32(j))
			votes.Tier = append(votes.Tier, tiers...)
			votes.Weight = append(votes.Weight, 1)
			votes.Rater = append(votes.Rater, rater)
			votes.Start = append(votes.Start, int32(len(votes.Item)))
		}
	}
	return votes, has
}

func correlation(x, y []float64) float64 {
	var xy, xx, yy, mx, my float64
	for i := range x {
		mx += x[i] / float64(len(x))
		my += y[i] / float64(len(y))
	}
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
	}
	return xy / math.Sqrt(xx*yy)
}

// baseOf is which of the two sets of units is the base, which is free, and the worths of those with the unit.
func baseOf(tastes *Tastes, base, unit []float64) (first int, other []float64) {
	for i := range base {
		other = append(other, base[i]+unit[i])
	}
	if correlation(tastes.Board(0), base)+correlation(tastes.Board(1), other) < correlation(tastes.Board(1), base)+correlation(tastes.Board(0), other) {
		return 1, other
	}
	return 0, other
}

// recovered checks the boards of both tastes, their shares, and who has which.
func recovered(t *testing.T, tastes *Tastes, base, unit []float64, has []bool) {
	t.Helper()
	first, other := baseOf(tastes, base, unit)
	second := 1 - first
	if a, b := correlation(tastes.Board(first), base), correlation(tastes.Board(second), other); !(a > 0.97 && b > 0.95) {
		t.Errorf("the boards correlate by %.3f and %.3f with those planted", a, b)
	}
	right := 0.0
	for r, p := range tastes.Posterior {
		if (p[second] > 0.5) == has[r] {
			right++
		}
	}
	if share := right / float64(len(has)); !(share > 0.9) {
		t.Errorf("%.1f %% of the raters have their own taste", 100*share)
	}
	share := tastes.Shares[0]
	if second == 0 {
		share = 1 - share
	}
	if !(math.Abs(share-0.3) < 0.06) {
		t.Errorf("%.2f of the raters have the second taste, not 0.3", share)
	}
}

func TestTastesAreRecovered(t *testing.T) {
	votes, base, unit, has := tasteWorld(10, 400, 40, 1)
	d := must[*Data](t)(Group(ballot.Design{Items: 10, Units: 1, Cluster: true}, votes))
	o := Defaults()
	o.Prior = ballot.Precision{Worth: 0.01, Unit: 1}
	tastes := must[*Tastes](t)(d.Tastes(t.Context(), o))
	recovered(t, tastes, base, unit, has)
}

// The likelihood is the sum over the units of each rater, by its definition; the gradient of the objective is its slope, and the
// observed information the negative slope of that, shares included: whether units have weights on worths alone or on every
// parameter, and whether raters are named.
func TestObservedInformationIsTheCurvature(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: not with -short")
	}
	full := drawn.Full(ballot.ItemTies, ballot.AllOrders)
	full.Items, full.Item.Values, full.Raters, full.Units, full.General = 5, full.Item.Values[:5], 0, 1, true
	named := full
	named.Cluster = true
	bySlots := named
	bySlots.Slots = true
	for name, design := range map[string]ballot.Design{
		"worths":                   {Items: 5, Units: 2, Cluster: true, Places: []string{"home"}, Pairs: full.Pairs},
		"all parameters":           named,
		"raters that nobody names": full,
		"slots":                    bySlots,
	} {
		t.Run(name, func(t *testing.T) { checkCurvature(t, design) })
	}
}

func checkCurvature(t *testing.T, design ballot.Design) {
	votes := drawn.Votes(ballot.Design{Items: 5, Places: design.Places, Votes: design.Votes, Raters: 7}, 60, 4, 3)
	d := must[*Data](t)(Group(design, votes))
	theta, shares := drawn.Point(d.All), []float64{0.3, 0.6}[:design.Units]
	fit := &tasting{panel: d.panel(), Options: Options{Prior: ballot.Precision{Worth: 0.3, Tie: 0.2, Unit: 2}}}
	at := func(theta, shares []float64) ([]float64, []float64) {
		fit.theta, fit.shares = theta, shares
		fit.now = must[*beliefs](t)(fit.at(t.Context(), theta, shares))
		_, matrix, gradient, err := fit.observed(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return matrix, gradient
	}
	matrix, gradient := at(theta, shares)
	chances := map[int32][]float64{} // of all votes of each rater, by the sets of units
	var direct float64
	for _, o := range d.Orders {
		rater, each := d.RaterOf(o.Vote), make([]float64, 1<<design.Units)
		for state := range each {
			m := &ballot.Local{Data: d.Data, State: state}
			m.Load(theta, o.Vote)
			if err := m.Expect(false); err != nil {
				t.Fatal(err)
			}
			each[state] = m.LogWeight(d.TiersOf(o.Vote)) - m.LogZ
			if design.Slots { // half of it: the power at which a fit starts
				each[state] = m.Composite(d.TiersOf(o.Vote), false) / 2
			}
		}
		if rater < 0 {
			var sum float64
			for state, log := range osm.LogSetProbabilities(shares) {
				sum += math.Exp(log + each[state])
			}
			direct += o.Weight * math.Log(sum)
			continue
		}
		if chances[rater] == nil {
			chances[rater] = osm.LogSetProbabilities(shares)
		}
		for state, log := range each {
			chances[rater][state] += o.Weight * log
		}
	}
	for _, logs := range chances {
		var sum float64
		for _, log := range logs {
			sum += math.Exp(log)
		}
		direct += math.Log(sum)
	}
	if !(math.Abs(direct-fit.now.value) <= 1e-9*math.Abs(direct)) {
		t.Errorf("log likelihood %.10f, by its definition %.10f", fit.now.value, direct)
	}
	const h = 1e-5
	n := len(gradient)
	added := make([]float64, len(d.Redundant())) // to redundant directions: the mean of the diagonal of each without it
	for a, r := range d.Redundant() {
		for k := r[0]; k < r[1]; k++ {
			added[a] += matrix[k*n+k] / float64(2*(r[1]-r[0]))
		}
	}
	for k := range n {
		moved := func(by float64) ([]float64, float64) {
			theta, shares := slices.Clone(theta), slices.Clone(shares)
			if k < d.Global {
				theta[k] += by
			} else {
				odds := math.Log(shares[k-d.Global]/(1-shares[k-d.Global])) + by
				shares[k-d.Global] = 1 / (1 + math.Exp(-odds))
			}
			_, gradient := at(theta, shares)
			return gradient, fit.objective(fit.now, theta, shares)
		}
		up, high := moved(h)
		down, low := moved(-h)
		if slope := (high - low) / (2 * h); !(math.Abs(slope-gradient[k]) <= 1e-5*(1+math.Abs(slope))) {
			t.Errorf("parameter %d: gradient %g, slope %g", k, gradient[k], slope)
		}
		for j := range k + 1 {
			want := (down[j] - up[j]) / (2 * h)
			got := matrix[k*n+j]
			for a, r := range d.Redundant() { // the matrix has these directions added
				if j >= r[0] && k < r[1] {
					got -= added[a]
				}
			}
			if !(math.Abs(got-want) <= 1e-4*(1+math.Abs(want))) {
				t.Errorf("parameters %d and %d: information %g, curvature %g", k, j, got, want)
			}
		}
	}
}

// A million votes of ten thousand raters: the time is linear in them.
func TestTastesOfAMillionVotes(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("long")
	}
	for _, raters := range []int{1000, 10000} {
		votes, base, unit, has := tasteWorld(40, raters, 100, 2)
		start := time.Now()
		d := must[*Data](t)(Group(ballot.Design{Items: 40, Units: 1, Cluster: true}, votes))
		o := Defaults()
		o.Prior = ballot.Precision{Worth: 0.01, Unit: 1}
		tastes := must[*Tastes](t)(d.Tastes(t.Context(), o))
		t.Logf("%d votes: %v, %d steps", len(votes.Weight), time.Since(start), tastes.Steps)
		recovered(t, tastes, base, unit, has)
	}
}

// Intervals of both tastes, and of their differences, hold the truth as often as they claim; the errors that take the units of
// raters as seen are too small.
func TestIntervalsOfTastesCover(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	base, unit := []float64{1, 0.5, 0.2, 0, -0.2, -0.5, -1, 0}, []float64{-1, 0.5, 1, -1.2, 0.8, -0.8, 1, -0.3}
	n := sets(1)
	row := coverage{name: "two tastes", votes: "300 raters of 30 pairs with ties", others: []named{{name: "differences between tastes"}}}
	var careless counted
	for set := range n {
		votes, _ := votesOfTastes(base, unit, 300, 30, rng.Stream(uint64(set), "coverage of tastes"))
		d := must[*Data](t)(Group(ballot.Design{Items: 8, Units: 1, Cluster: true}, votes))
		tastes, err := d.Tastes(t.Context(), Options{Steps: 100, Jobs: 1, Prior: ballot.Precision{Unit: 1}})
		if err != nil {
			t.Fatalf("set %d: %v", set, err)
		}
		c := must[Covariance](t)(tastes.Covariance())
		p := d.panel()
		b := must[*beliefs](t)(p.believe(t.Context(), tastes.Theta, osm.LogSetProbabilities(tastes.Shares), 1))
		seen := *tastes
		seen.Fit = &Fit{Data: d, Theta: tastes.Theta, Prior: tastes.Prior, point: must[*point](t)(p.complete(t.Context(), tastes.Theta, b, 1))}
		plain := must[Covariance](t)(seen.Covariance())
		first, other := baseOf(tastes, base, unit)
		for _, taste := range []struct {
			units int
			truth []float64
		}{{first, base}, {1 - first, other}} {
			worths, v, w := tastes.Board(taste.units), tastes.Variances(c, taste.units, 0, 0), tastes.Variances(plain, taste.units, 0, 0)
			truth := slices.Clone(taste.truth)
			var mean float64
			for _, x := range truth {
				mean += x / 8
			}
			for i := range truth {
				off := math.Abs(worths[i] - truth[i] + mean)
				row.worths.add(off <= z95*math.Sqrt(v[i]))
				careless.add(off <= z95*math.Sqrt(w[i]))
			}
		}
		one, two, v := tastes.Board(first), tastes.Board(1-first), tastes.Variances(c, 1-first, first, 1)
		for i := range base {
			row.others[0].add(math.Abs(two[i]-one[i]-unit[i]) <= z95*math.Sqrt(v[i])) // units sum to zero
		}
	}
	covered(t, "boards", row.worths.held, row.worths.all, n)
	covered(t, "differences", row.others[0].held, row.others[0].all, n)
	keepCoverage(t, row)
	if share := careless.held / careless.all; !(share < 0.93) {
		t.Errorf("with units taken as seen %.1f %% of the intervals hold the truth: the test sees nothing", 100*share)
	} else {
		t.Logf("units taken as seen: %.1f %%", 100*share)
	}
}

// Two tastes are better than one board where there are two; where there is one, the test says so.
func TestWhetherOneBoardIsEnough(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	enough := func(votes ballot.Votes, items int, seed uint64) bool {
		d := must[*Data](t)(Group(ballot.Design{Items: items, Units: 1, Cluster: true}, votes))
		return must[Gain](t)(d.OneBoard(t.Context(), Options{Steps: 100, Prior: ballot.Precision{Unit: 1}}, seed)).OneIsEnough()
	}
	votes, _, _, _ := tasteWorld(10, 200, 40, 1)
	if enough(votes, 10, 1) {
		t.Error("one board is enough for two tastes")
	}
	n := sets(1) / 2
	alarms := 0.0
	for set := range n {
		r := rng.Stream(uint64(set), "one taste")
		base := make([]float64, 8)
		for i := range base {
			base[i] = r.NormFloat64()
		}
		votes, _ := votesOfTastes(base, make([]float64, 8), 60, 20, r)
		if !enough(votes, 8, uint64(set)) {
			alarms++
		}
	}
	t.Logf("%.0f false alarms in %d", alarms, n)
	if share := alarms / float64(n); !(share <= 0.05+3*math.Sqrt(0.05*0.95/float64(n))) {
		t.Errorf("%.1f %% false alarms", 100*share)
	}
}

// Hidden units on features of pairs, the paper's lambda_ak and mu_bk, from lists of raters that nobody names: the planted weights are
// found, with intervals that hold them, and lists held out are predicted better than by one board.
func TestUnitsOnFeaturesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	sweet, price := []float64{1, 0, 0, 1, 0}, []float64{3, 1, 2, 5, 4}
	design := ballot.Design{Items: 5, Pairs: osm.Features{
		Ties:   []osm.Feature{{Name: "same kind", Value: func(i, j int) float64 { return 1 - math.Abs(sweet[i]-sweet[j]) }}},
		Orders: []osm.Feature{{Name: "cheaper", Value: func(i, j int) float64 { return math.Tanh(price[j] - price[i]) }}},
	}}
	base, unit := []float64{0.3, 0.1, -0.2, 0.2, -0.4, -0.5, 0.4, 0.2}, []float64{-1, 0.6, -0.4, 0.9, -0.1, 0.3, 1, -0.8} // worths, nu, lambda, mu
	with := slices.Clone(base)
	for k, v := range unit {
		with[k] += v
	}
	draw := func(n int, r *rng.Rand) ballot.Votes {
		second := 0
		for range n {
			if r.Float64() < 0.4 {
				second++
			}
		}
		votes := planted(t, design, base, n-second, 5, r)
		more := planted(t, design, with, second, 5, r)
		for v := range more.Weight {
			votes.Start = append(votes.Start, votes.Start[len(votes.Start)-1]+more.Start[v+1]-more.Start[v])
		}
		votes.Item, votes.Tier, votes.Weight = append(votes.Item, more.Item...), append(votes.Tier, more.Tier...), append(votes.Weight, more.Weight...)
		return votes
	}
	design.Units, design.General = 1, true
	n := sets(1) / 12
	var weights counted
	for set := range n {
		d := must[*Data](t)(Group(design, draw(2000, rng.Stream(uint64(set), "units on features"))))
		o := Options{Steps: 100, Jobs: 1, Prior: ballot.Precision{Worth: 0.1, Unit: 1}}
		tastes, err := d.Tastes(t.Context(), o)
		if err != nil {
			t.Fatalf("set %d: %v", set, err)
		}
		if set == 0 {
			if gain := must[Gain](t)(d.OneBoard(t.Context(), o, 1)); gain.OneIsEnough() {
				t.Errorf("one board is enough: %+v", gain)
			}
		}
		c := must[Covariance](t)(tastes.Covariance())
		for k, v := range unit[5:] {
			at := tastes.W + 5 + k
			got := tastes.Theta[at]
			if tastes.Shares[0] > 0.5 { // those without the unit are the planted second taste
				got = -got
			}
			weights.add(math.Abs(got-v) <= z95*math.Sqrt(c[at*(d.Global+1)]))
		}
		if set == 0 {
			t.Logf("share %.3f, %v", tastes.Shares[0], tastes.UnitWeights(c))
		}
	}
	covered(t, "weights of units", weights.held, weights.all, n)
}

// The weights of a unit sum to zero from the first step to the last: what votes leave open, a constant on all of them, is left to the
// prior alone, which would take it back in hundreds of small steps.
func TestWeightsOfUnitsSumToZero(t *testing.T) {
	r := rng.Stream(8, "two tiers of two tastes")
	const items = 8
	base, unit := tastesOf(items, 0.3, r)
	votes := ballot.Votes{Start: []int32{0}}
	design := ballot.Design{Items: items, Space: ballot.TwoTiers}
	for rater := range 150 {
		theta := append(slices.Clone(base), 0.2)
		for i, w := range unit {
			theta[i] += w * float64(rater%2)
		}
		own := planted(t, design, theta, 1, items, r)
		votes.Item, votes.Tier, votes.Weight = append(votes.Item, own.Item...), append(votes.Tier, own.Tier...), append(votes.Weight, 1)
		votes.Start = append(votes.Start, int32(len(votes.Item)))
	}
	design.Sizes, design.Units, design.Cluster = items, 2, true
	d := must[*Data](t)(Group(design, votes))
	tastes := must[*Tastes](t)(d.Tastes(t.Context(), Options{Steps: 100, Jobs: 1, Prior: ballot.Precision{Worth: 1, Size: 0.2, Unit: 1}}))
	if tastes.Steps > 300 {
		t.Errorf("%d steps", tastes.Steps)
	}
	for k := range 2 {
		var sum float64
		for _, w := range tastes.Theta[d.W+k*d.Each:][:items] {
			sum += w
		}
		if !(math.Abs(sum) <= 1e-9) {
			t.Errorf("the weights of unit %d sum to %g", k, sum)
		}
	}
}

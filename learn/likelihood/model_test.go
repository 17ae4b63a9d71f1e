package likelihood

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/cholesky"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/learn/ballot"
	"fubini/model/osm"
)

// votesOf are lists as votes of weight 1.
func votesOf(lists []osm.List) ballot.Votes {
	votes := ballot.Votes{Start: []int32{0}}
	for _, list := range lists {
		for k, i := range list.Items {
			votes.Item = append(votes.Item, int32(i))
			votes.Tier = append(votes.Tier, int32(list.Order.BlockOf(k)))
		}
		votes.Start = append(votes.Start, int32(len(votes.Item)))
		votes.Weight = append(votes.Weight, 1)
	}
	return votes
}

// listed is a list of items in an order.
func listed(t testing.TB, text string, items ...int) osm.List {
	t.Helper()
	return osm.List{Items: items, Order: must[*partition.Partition](t)(partition.Parse(text))}
}

// drawnLists are lists of two to seven of seven items, drawn uniformly.
func drawnLists(count int) (lists []osm.List) {
	r, all := rng.Stream(8, "lists"), make([]int, 7)
	for range count {
		rng.Permutation(r, all)
		n := 2 + r.IntN(6)
		x := partition.OneBlock(n)
		partition.NewUniform(n).Draw(r, x)
		lists = append(lists, osm.List{Items: append([]int{}, all[:n]...), Order: x})
	}
	return lists
}

// dishes are features of seven dishes, in units of any size. The second changes with the order of
// two dishes otherwise than a difference of worths does.
func dishes(size float64) osm.Features {
	sweet := []float64{1, 0, 0, 1, 0, 1, 0}
	price := []float64{3, 1, 2, 5, 4, 2, 1}
	return osm.Features{
		Ties:   []osm.Feature{{Name: "same kind", Value: func(i, j int) float64 { return size * (1 - math.Abs(sweet[i]-sweet[j])) }}},
		Orders: []osm.Feature{{Name: "cheaper", Value: func(i, j int) float64 { return size * max(0, price[j]-price[i]) / 4 }}},
	}
}

// The log likelihood is that of the models of package osm, which share no code with this package:
// worths, and features of pairs, in lists that are listed and in longer ones.
func TestLikelihoodIsThatOfTheModel(t *testing.T) {
	lists, r := drawnLists(40), rng.Stream(9, "theta")
	theta := make([]float64, 8)
	for k := range theta {
		theta[k] = r.NormFloat64()
	}
	of := func(v osm.Visible) (sum float64) {
		for _, list := range lists {
			model := must[osm.Model](t)(v.Model(list.Items))
			sum += model.LogWeight(list.Order) - must[*exact.Table](t)(exact.NewTable(model, partition.Space{})).LogZ()
		}
		return sum
	}
	here := func(design ballot.Design, theta []float64) float64 {
		return must[*point](t)(must[*Data](t)(Group(design, votesOf(lists))).evaluate(t.Context(), theta, 1, false)).value
	}
	if got, want := here(ballot.Design{Items: 7}, theta), of(osm.Visible{Worths: theta[:7], Nu: theta[7]}); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("worths: %.12g, by the model %.12g", got, want)
	}
	alone := make([]float64, 10) // no worths, no nu
	copy(alone[8:], []float64{0.7, -0.6})
	pairs := osm.Visible{Worths: make([]float64, 7), PairTies: make([]float64, 49), PairOrders: make([]float64, 49)}
	for i := range 7 {
		for j := range 7 {
			pairs.PairTies[i*7+j], pairs.PairOrders[i*7+j] = alone[8]*dishes(1).Ties[0].Value(i, j), alone[9]*dishes(1).Orders[0].Value(i, j)
		}
	}
	if got, want := here(ballot.Design{Items: 7, Pairs: dishes(1)}, alone), of(pairs); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("features: %.12g, by the model %.12g", got, want)
	}
}

// Features of very different size are learned alike, and so are their errors: the fit is the same
// but for the unit. Those of a linear dependence have none.
func TestFeaturesOfAnySize(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: not with -short")
	}
	lists := drawnLists(300)
	fitted := func(pairs osm.Features) (*Fit, Covariance) {
		fit := must[*Fit](t)(must[*Data](t)(Group(ballot.Design{Items: 7, Pairs: pairs}, votesOf(lists))).Maximise(t.Context(), Defaults()))
		return fit, must[Covariance](t)(fit.Covariance())
	}
	plain, errorsOf := fitted(dishes(1))
	for _, size := range []float64{1e-4, 100, 1e4} {
		got, c := fitted(dishes(size))
		for k, want := range plain.Theta {
			unit := 1.0
			if k > 7 {
				unit = size
			}
			if !(math.Abs(got.Theta[k]*unit-want) <= 1e-5) {
				t.Errorf("size %g: %s is %.8f, at size 1 %.8f", size, got.Name(k), got.Theta[k]*unit, want)
			}
			if at := k * (plain.Global + 1); !(math.Abs(c[at]*unit*unit/errorsOf[at]-1) <= 1e-5) {
				t.Errorf("size %g: %s has the variance %g, at size 1 %g", size, got.Name(k), c[at]*unit*unit, errorsOf[at])
			}
		}
	}
	twice := dishes(1)
	twice.Orders = append(twice.Orders, twice.Orders[0])
	if fit, err := must[*Data](t)(Group(ballot.Design{Items: 7, Pairs: twice}, votesOf(lists))).Maximise(t.Context(), Defaults()); err == nil {
		if c, err := fit.Covariance(); err == nil {
			t.Errorf("one feature under two names has errors: %v", c)
		}
	}
}

// Without a prior, votes that the parameters explain without fault leave the likelihood no maximum:
// an item that always wins, a threshold on differences of worths, a feature that always decides. A
// prior on worths holds the first two, the more the stronger.
func TestRunawayFitsAreReported(t *testing.T) {
	always := []osm.List{listed(t, "0 > 1~2", 0, 1, 2)}
	threshold := []osm.List{listed(t, "0~1", 0, 1), listed(t, "0~1", 1, 2), listed(t, "0 > 1", 0, 2)}
	number := osm.Features{Orders: []osm.Feature{{Name: "number", Value: func(i, j int) float64 { return float64(max(0, j-i)) }}}}
	decided := []osm.List{listed(t, "0 > 1 > 2", 0, 1, 2), listed(t, "0 > 1", 0, 2)}
	if err := must[*Data](t)(Group(ballot.Design{Items: 3}, votesOf(always))).Exists(nil); !errors.Is(err, osm.ErrNoMaximum) {
		t.Errorf("item 0 always wins: %v", err)
	}
	for name, c := range map[string]struct {
		lists []osm.List
		pairs osm.Features
		prior ballot.Precision
	}{"always": {always, osm.Features{}, ballot.Precision{}}, "threshold": {threshold, osm.Features{}, ballot.Precision{}}, "feature": {decided, number, ballot.Precision{Worth: 1}}} {
		d := must[*Data](t)(Group(ballot.Design{Items: 3, Pairs: c.pairs}, votesOf(c.lists)))
		if fit, err := d.Maximise(t.Context(), Options{Steps: 100, Prior: c.prior}); err == nil {
			t.Errorf("%s: %v passes for a maximum", name, fit.Theta)
		}
	}
	last := math.Inf(1)
	for _, precision := range []float64{0.1, 1, 10} {
		fit := must[*Fit](t)(must[*Data](t)(Group(ballot.Design{Items: 3}, votesOf(append(always, threshold...)))).Maximise(t.Context(), Options{Steps: 100, Prior: ballot.Precision{Worth: precision}}))
		if u := fit.Theta[0]; !(u > 0 && u < last) {
			t.Errorf("precision %g: worth %g after %g", precision, u, last)
		} else {
			last = u
		}
	}
}

// Standard errors follow from the constrained problem: fix the sums of worths and of tie weights by eliminating the
// last of each, invert, and read the same variances. An item without votes has none, and with a prior
// those of the prior: its distance from the mean of three, of which nothing else is known.
func TestErrorsUnderTheSumConvention(t *testing.T) {
	worths := []float64{1, 0.6, 0.2, 0, -0.3, -0.5, -1}
	for _, c := range plannedSets() {
		for _, prior := range []ballot.Precision{{}, {Worth: 2}} {
			d := must[*Data](t)(Group(c.Design, planted(t, c.Design, slices.Concat(worths, c.rest), c.count, c.n, rng.Stream(1, c.name))))
			fit := must[*Fit](t)(d.Maximise(t.Context(), Options{Steps: 100, Prior: prior}))
			got, g := must[Covariance](t)(fit.Covariance()), d.Global
			rows, free := make([][]float64, g), 0 // of the parameters by the free ones
			for k := range rows {
				rows[k] = make([]float64, fit.Free())
			}
			for k := range g {
				sum := slices.IndexFunc(d.Redundant(), func(r [2]int) bool { return r[0] <= k && k < r[1] })
				if sum >= 0 && k == d.Redundant()[sum][1]-1 {
					continue
				}
				rows[k][free] = 1
				if sum >= 0 {
					rows[d.Redundant()[sum][1]-1][free] = -1
				}
				free++
			}
			reduced := make([]float64, free*free)
			for i := range g {
				for j := range g {
					v := fit.point.information[max(i, j)*g+min(i, j)]
					if precision, _ := d.prior(i, prior); i == j {
						v += precision
					}
					for a := range free {
						for b := range a + 1 {
							reduced[a*free+b] += rows[i][a] * v * rows[j][b]
						}
					}
				}
			}
			if !cholesky.Factorise(reduced, free) {
				t.Fatal("no inverse")
			}
			for k, x := range rows {
				cholesky.SolveLower(reduced, x)
				var want float64
				for _, v := range x {
					want += v * v
				}
				if !(math.Abs(got[k*(g+1)]/want-1) <= 1e-6) {
					t.Errorf("%s, %+v: the variance of %s is %g, by elimination %g", c.name, prior, fit.Name(k), got[k*(g+1)], want)
				}
			}
		}
	}
	few := must[*Data](t)(Group(ballot.Design{Items: 3}, votesOf([]osm.List{listed(t, "0 > 1", 0, 1), listed(t, "1 > 0", 0, 1), listed(t, "0~1", 0, 1)})))
	if fit, err := few.Maximise(t.Context(), Defaults()); err == nil {
		if _, err := fit.Covariance(); err == nil {
			t.Error("item 2 was never listed, yet has a standard error")
		}
	}
	for _, precision := range []float64{0.01, 20} {
		c := must[Covariance](t)(must[*Fit](t)(few.Maximise(t.Context(), Options{Steps: 100, Prior: ballot.Precision{Worth: precision}})).Covariance())
		if want := 2 / (3 * precision); !(math.Abs(c[2*4+2]/want-1) <= 1e-6) {
			t.Errorf("an item without votes has the variance %g, that of its prior is %g", c[2*4+2], want)
		}
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := few.Maximise(t.Context(), Options{Steps: 100, Prior: ballot.Precision{Worth: bad}}); err == nil {
			t.Errorf("precision %g was taken", bad)
		}
	}
}

// Existence agrees with the definition by cuts: worths exist exactly when every set of items was
// met, at or above one of its members, from outside.
func TestExistenceAgainstAllCuts(t *testing.T) {
	const items = 5
	for trial := range 300 {
		r := rng.Stream(1, "cuts", uint64(trial))
		var lists []osm.List
		for range 1 + r.IntN(4) {
			n := 2 + r.IntN(2)
			picked := make([]int, items)
			rng.Permutation(r, picked)
			x := partition.OneBlock(n)
			partition.NewUniform(n).Draw(r, x)
			lists = append(lists, osm.List{Items: picked[:n], Order: x})
		}
		exists, ties, orders := true, false, false
		for cut := 1; cut < 1<<items-1; cut++ {
			met := false
			for _, l := range lists {
				for a, i := range l.Items {
					for b, j := range l.Items {
						relation := l.Order.Relation(a, b)
						met = met || cut>>i&1 == 0 && cut>>j&1 == 1 && relation >= partition.Tied
						ties = ties || a != b && relation == partition.Tied
						orders = orders || relation > partition.Tied
					}
				}
			}
			exists = exists && met
		}
		err := must[*Data](t)(Group(ballot.Design{Items: items}, votesOf(lists))).Exists(nil)
		if (err == nil) != (exists && ties && orders) { // nu needs both
			t.Fatalf("trial %d: by cuts %t, ties %t, orders %t, by connectivity %v", trial, exists, ties, orders, err)
		} else if err != nil && !errors.Is(err, osm.ErrNoMaximum) {
			t.Fatalf("trial %d: %v is no ErrNoMaximum", trial, err)
		}
	}
}

// Where no vote without a covariate is a tie, its coefficient and the tie weight run away together, though votes depend on either, and even where their sum
// is known: the one that can be left out is named.
func TestParametersThatRunAwayTogether(t *testing.T) {
	type vote struct{ a, b, over, hurry int }
	for name, all := range map[string][]vote{
		"all ties are in a hurry":                   {{0, 1, 1, 0}, {1, 2, 0, 1}, {2, 0, -1, 0}, {1, 0, 1, 0}, {2, 1, 1, 0}, {0, 2, 0, 1}},
		"and of the votes in a hurry some are ties": {{0, 1, 1, 0}, {1, 2, 0, 1}, {2, 0, -1, 0}, {1, 0, 1, 0}, {2, 1, 1, 0}, {0, 2, 1, 1}}, // the sum of both parameters is known
	} {
		votes := ballot.Votes{Start: []int32{0}}
		for _, v := range all {
			votes.Item = append(votes.Item, int32(v.a), int32(v.b))
			votes.Tier = append(votes.Tier, int32(max(0, -v.over)), int32(max(0, v.over)))
			votes.Start, votes.Weight, votes.Vote = append(votes.Start, int32(len(votes.Item))), append(votes.Weight, 1), append(votes.Vote, float64(v.hurry))
		}
		d := must[*Data](t)(Group(ballot.Design{Items: 3, Votes: []string{"hurry"}}, votes))
		_, err := d.Maximise(t.Context(), Options{Steps: 100, Prior: ballot.Precision{Worth: 1}})
		if !errors.Is(err, ErrNotConverged) || !strings.Contains(err.Error(), "hurry runs away") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

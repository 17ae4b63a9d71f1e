package chains_test

import (
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/learn/ascent"
	"fubini/learn/ballot"
	"fubini/learn/chains"
	"fubini/learn/likelihood"
	"fubini/model/osm"
)

// worths are planted ones of seven items, and nu.
var worths = []float64{0.5, -0.2, 0.1, 0.3, -0.6, -0.3, 0.2, 0.4}

// visibleLists are four or five of seven items each, drawn exactly from the visible model at worths
// times a factor.
func visibleLists(t testing.TB, count int, factor float64) (lists []osm.List) {
	t.Helper()
	theta := slices.Clone(worths)
	for k := range theta {
		theta[k] *= factor
	}
	r := rng.Stream(5, "visible lists")
	sets := [][]int{{0, 1, 2, 3}, {3, 4, 5, 6, 0}, {6, 2, 4, 1}, {5, 1, 3, 2, 6}}
	var tables []*exact.Table
	for _, items := range sets {
		var u []float64
		for _, i := range items {
			u = append(u, theta[i])
		}
		model := must[*osm.Worths](t)(osm.NewWorths(u, theta[7], osm.Options{}))
		tables = append(tables, must[*exact.Table](t)(exact.NewTable(model, partition.Space{})))
	}
	for range count {
		s := r.IntN(len(sets))
		x := partition.OneBlock(len(sets[s]))
		tables[s].Draw(r, x)
		lists = append(lists, osm.List{Items: sets[s], Order: x})
	}
	return lists
}

// visible are options for the visible model as package likelihood has it.
func visible(moves mcmc.Moves) chains.Options {
	o := chains.Defaults()
	o.Hidden, o.Raw, o.Prior.U, o.Epochs, o.Rate, o.Seed, o.Moves, o.Sweeps = 0, true, 1, 300, 0.1, 1, moves, 2
	return o
}

// Without units, chains end at the maximum of the exact likelihood under the same prior, within
// their own noise: with either kernel, and not with the acceptance ratio that the paper prints.
func TestWorthsByChainsAreTheMaximum(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	lists := visibleLists(t, 300, 1)
	votes := ballot.Votes{Start: []int32{0}}
	for _, list := range lists {
		for k, i := range list.Items {
			votes.Item, votes.Tier = append(votes.Item, int32(i)), append(votes.Tier, int32(list.Order.BlockOf(k)))
		}
		votes.Start, votes.Weight = append(votes.Start, int32(len(votes.Item))), append(votes.Weight, 1)
	}
	exactly := must[*likelihood.Fit](t)(must[*likelihood.Data](t)(likelihood.Group(ballot.Design{Items: 7}, votes)).
		Maximise(t.Context(), likelihood.Options{Steps: 100, Prior: ballot.Precision{Worth: 1}}))
	covariance := must[likelihood.Covariance](t)(exactly.Covariance())
	// apart is the largest difference, in standard errors. The mean of all worths, of which lists
	// tell nothing, is left out.
	apart := func(moves mcmc.Moves) (most float64) {
		c := must[*ascent.Estimate](t)(visible(moves).Fit(t.Context(), 7, osm.Pack(lists)))
		var mean float64
		for i, u := range c.U {
			mean += (u - exactly.Theta[i]) / 7
		}
		for i := range c.U {
			c.U[i] -= mean
		}
		for k, v := range append(slices.Clone(c.U), *c.Nu) {
			most = math.Max(most, math.Abs(v-exactly.Theta[k])/math.Sqrt(covariance[k*9]))
		}
		return most
	}
	// The mean of 150 epochs has the noise of about 75 independent chains or more: an eighth of a
	// standard error; allow three of those.
	for _, moves := range []mcmc.Moves{mcmc.ReinsertionMoves, mcmc.SplitMergeMoves} {
		if most := apart(moves); !(most <= 0.4) {
			t.Errorf("moves %v: %.2f standard errors from the maximum", moves, most)
		}
	}
	if most := apart(mcmc.PrintedMoves); !(most > 1) {
		t.Errorf("the printed ratio leads %.2f standard errors from the maximum: the test cannot see a biased sampler", most)
	}
}

// As the visible model learns, chains come nearer to the data. In the end they are draws from the
// model: their distance from the lists is that of two independent draws.
func TestChainsOfTheVisibleModelComeNearer(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	lists := visibleLists(t, 100, 3)
	o := visible(mcmc.ReinsertionMoves)
	o.Epochs, o.Rate, o.Prior.U = 300, 0.5, 0.1
	var seen []float64
	o.Observer = func(p ascent.Progress) { seen = append(seen, p.Distance) }
	must[*ascent.Estimate](t)(o.Fit(t.Context(), 7, osm.Pack(lists)))
	if len(seen) != o.Epochs {
		t.Fatalf("called after %d epochs of %d", len(seen), o.Epochs)
	}
	var apart, pairs, last float64
	for i, a := range lists {
		for _, b := range lists[:i] {
			if slices.Equal(a.Items, b.Items) {
				apart += partition.Distance(a.Order, b.Order)
				pairs++
			}
		}
	}
	for _, d := range seen[o.Epochs-10:] {
		last += d / 10
	}
	if want := apart / pairs; !(last < seen[0]-0.05) || !(math.Abs(last-want) <= 0.05) {
		t.Errorf("Dist(sample, observed) went from %.3f to %.3f, two people are %.3f apart", seen[0], last, want)
	}
}

package slots

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/judge/metric"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// goldenPeople draws people with two tastes and items of two qualities. What somebody gives an
// item is its worth, the product of tastes and qualities, and noise. They place a dozen items,
// rather such as suit their tastes.
func goldenPeople(t *testing.T, people, items int) (lists []osm.List, values [][]float64) {
	t.Helper()
	r := rng.Stream(1, "golden")
	worth, qualities := make([]float64, items), make([][2]float64, items)
	for i := range items {
		worth[i], qualities[i] = 0.4*r.NormFloat64(), [2]float64{r.NormFloat64(), r.NormFloat64()}
	}
	for range people {
		tastes := [2]float64{r.NormFloat64(), r.NormFloat64()}
		all, pull, order := make([]float64, items), make([]float64, items), make([]int, items)
		for i, q := range qualities {
			suits := tastes[0]*q[0] + tastes[1]*q[1]
			all[i] = math.Max(0, math.Min(4, math.Round(2+worth[i]+0.8*suits+0.7*r.NormFloat64())))
			pull[i], order[i] = suits-math.Log(-math.Log(r.Float64())), i // a draw in proportion to exp(suits)
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(pull[b], pull[a]) })
		list := osm.List{Items: slices.Sorted(slices.Values(order[:12]))}
		own := make([]float64, len(list.Items))
		for n, i := range list.Items {
			own[n] = all[i]
		}
		var err error
		if list.Order, err = partition.FromScores(own); err != nil {
			t.Fatal(err)
		}
		lists, values = append(lists, list), append(values, all)
	}
	return lists, values
}

// goldenFit fits lists after a change of the options and of the run.
func goldenFit(t *testing.T, items int, lists []osm.List, change func(o *Options), alter func(f *fit)) *latent.Catalogue {
	t.Helper()
	o := Defaults()
	o.Seed, o.Jobs = 1, 1
	change(&o)
	f, err := newFit(t.Context(), items, osm.Pack(lists), o)
	if err != nil {
		t.Fatal(err)
	}
	alter(f)
	found, err := f.Train(t.Context(), ascent.Method{Objective: f, Rule: ascent.Newton})
	if err != nil {
		t.Fatal(err)
	}
	return found.Catalogue
}

// goldenQuality is the NDCG@10 of the items that people did not place, by what they would give
// them, and the mean log probability of the slot of each item of new people.
func goldenQuality(t *testing.T, c *latent.Catalogue, lists []osm.List, values [][]float64, newcomers []osm.List) (ndcg, logLikelihood float64) {
	t.Helper()
	for u, list := range lists {
		taste, err := rank.Fold(c, list)
		if err != nil {
			t.Fatal(err)
		}
		var rest []int
		var levels []float64
		for i, v := range values[u] {
			if !slices.Contains(list.Items, i) {
				rest, levels = append(rest, i), append(levels, v)
			}
		}
		scores := make([]float64, len(rest))
		rank.Complete(c, taste, c.OwnPresence(len(list.Items)), rest, scores)
		ranking, err := metric.Rank(scores, levels)
		if err != nil {
			t.Fatal(err)
		}
		ndcg += ranking.NDCG(10, metric.Exp2) / float64(len(lists))
	}
	var model latent.Model
	var slots latent.SlotLikelihood
	places := 0.0
	for _, list := range newcomers {
		c.Refill(&model, list.Items)
		logLikelihood += slots.Evaluate(&model, list.Order)
		places += float64(len(list.Items))
	}
	return ndcg, logLikelihood / places
}

// The whole fit, as it comes, on data made here: floors of NDCG@10 and of the log likelihood of
// new people. Fits with a fault that no part's own test need notice stay below one of them.
func TestGoldenFit(t *testing.T) {
	if testing.Short() {
		t.Skip("whole fits: not with -short")
	}
	const items, known = 80, 300
	all, values := goldenPeople(t, 400, items)
	lists, newcomers := all[:known], all[known:]
	same, as := func(*Options) {}, func(*fit) {}
	good := goldenFit(t, items, lists, same, as)
	withoutV := good.Clone()
	clear(withoutV.V)
	for _, c := range []struct {
		name   string
		fitted *latent.Catalogue
		good   bool
	}{
		{"as it comes", good, true},
		{"averaging forgets V", withoutV, false},
		{"the prior of W ignores co-occurrence", goldenFit(t, items, lists, same, func(f *fit) { f.regression.kinds[1].precision = 1e12 }), false},
		{"the prior on W is fixed at 200", goldenFit(t, items, lists, func(o *Options) { o.Prior.W, o.Relevance = 200, false }, as), false},
		{"the prior on W is fixed at 5", goldenFit(t, items, lists, func(o *Options) { o.Prior.W, o.Relevance = 5, false }, as), false},
	} {
		// As it comes 0.738 and -1.3247; the twins that come nearest have 0.735, above the floor, and -1.3406.
		const leastNDCG, leastLikelihood = 0.73, -1.333
		ndcg, likelihood := goldenQuality(t, c.fitted, lists, values, newcomers)
		if good := ndcg >= leastNDCG && likelihood >= leastLikelihood; good != c.good {
			t.Errorf("%s: NDCG@10 %.4f, floor %g; log likelihood %.4f, floor %g", c.name, ndcg, leastNDCG, likelihood, leastLikelihood)
		}
	}
}

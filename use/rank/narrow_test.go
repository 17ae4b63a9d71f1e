package rank_test

import (
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/use/rank"
)

// Scores that lie closer together than float32 errs, where the errors come from: worths
// that are large beside what tells items apart, tastes whose terms are large and cancel,
// and both. Float32 puts them in another order and does not tie them; the best must be
// those of float64 all the same.
func TestScoresWithinTheErrorOfFloat32(t *testing.T) {
	const items, k = 1500, 6
	r := rng.Stream(1, "narrow")
	taste := make([]float64, k)
	for j := range taste {
		taste[j] = 0.5 + r.Float64()
	}
	for name, c := range map[string]struct{ base, terms, apart float64 }{
		"large worths":            {1000, 2e-4, 2e-4},
		"large terms that cancel": {0, 500, 1e-4},
		"both":                    {1000, 500, 1e-4},
	} {
		catalogue := latent.NewCatalogue(items, k, latent.Gaussian, latent.Options{})
		for i := range items {
			catalogue.U[i] = c.base
			if c.base != 0 {
				catalogue.U[i] += c.apart * r.Float64()
			}
			w := catalogue.W[i*k : (i+1)*k]
			var sum float64
			for j := range w[:k-1] {
				w[j] = c.terms * r.NormFloat64()
				sum += w[j] * taste[j]
			}
			w[k-1] = (c.apart*r.Float64() - sum) / taste[k-1]
		}
		shelf, err := rank.NewShelf(catalogue, nil)
		if err != nil {
			t.Fatal(err)
		}
		all, scores := make([]int, items), make([]float64, items)
		for i := range all {
			all[i] = i
		}
		rank.Complete(catalogue, taste, 0, all, scores)
		for _, n := range []int{1, 5, 20, 240, 300} {
			answers := make([][]rank.Scored, 1)
			shelf.Best([]rank.Query{{Taste: taste}}, n, &rank.Room{}, answers)
			want := rank.Best(scores, n)
			if len(answers[0]) != len(want) {
				t.Fatalf("%s: %d of the best %d", name, len(answers[0]), n)
			}
			for place, s := range answers[0] {
				if s.Item != want[place] || s.Score != scores[s.Item] {
					t.Errorf("%s, the best %d: place %d is item %d, in float64 item %d", name, n, place, s.Item, want[place])
					break
				}
			}
			if n == 20 && !misled(catalogue, taste, want) {
				t.Errorf("%s: float32 has the same best %d: this test cannot tell", name, n)
			}
		}
	}
}

// misled says whether scoring in float32 alone, kept to n and the few that a shelf keeps
// beside them, loses one of the best.
func misled(c *latent.Catalogue, taste []float64, best []int) bool {
	narrow := make([]float32, len(c.U))
	for i := range narrow {
		narrow[i] = float32(c.U[i])
		for j, v := range taste {
			narrow[i] += float32(c.W[i*c.K+j]) * float32(v)
		}
	}
	order := make([]int, len(narrow))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case narrow[a] > narrow[b]:
			return -1
		case narrow[a] < narrow[b]:
			return 1
		}
		return 0
	})
	for _, i := range best {
		if !slices.Contains(order[:len(best)+4], i) {
			return true
		}
	}
	return false
}

// The likeliest tier counts the odds of a gap half for the tiers on both sides of it,
// and whole at the ends, where there is one.
func TestTierByHand(t *testing.T) {
	for _, c := range []struct {
		tiers, gaps []float64
		want        int
	}{
		{nil, []float64{1}, -1},
		{[]float64{0.2}, []float64{0.5, 0.3}, 0},
		{[]float64{0.32, 0.18, 0.1}, []float64{0, 0.2, 0.2, 0}, 0},   // .42, .38, .20; whole it would be .52, .58
		{[]float64{0.1, 0.18, 0.32}, []float64{0, 0.2, 0.2, 0}, 2},   // the same from below
		{[]float64{0.2, 0.3}, []float64{0.35, 0, 0.15}, 0},           // .55, .45; half it would be .375
		{[]float64{0.3, 0.2}, []float64{0.15, 0, 0.35}, 1},           // the same from below
		{[]float64{0.25, 0.24, 0.2}, []float64{0, 0.04, 0.27, 0}, 1}, // gaps decide: .27, .395, .335
		{[]float64{0.25, 0.25}, []float64{0.125, 0.25, 0.125}, 0},    // equal: the better one
		{[]float64{0, 0, 0, 1}, []float64{0, 0, 0, 0, 0}, 3},         // all in one
		{[]float64{0.25, 0.05, 0.05}, []float64{0, 0.05, 0.6, 0}, 1}, // .275, .375, .35
		{[]float64{0.05, 0.05, 0.25}, []float64{0, 0.6, 0.05, 0}, 1}, // the same from below
		{[]float64{0.1, 0.1}, []float64{0.05, 0.7, 0.05}, 0},         // equal again
		{[]float64{0.1, 0.1}, []float64{0.05, 0.7 - 1e-9, 0.05 + 1e-9}, 1},
	} {
		odds := rank.Odds{Tiers: c.tiers, Gaps: c.gaps}
		if got := odds.Tier(); got != c.want {
			t.Errorf("tiers %v, gaps %v: tier %d, want %d", c.tiers, c.gaps, got, c.want)
		}
		sum := 0.0
		for _, v := range append(slices.Clone(c.tiers), c.gaps...) {
			sum += v
		}
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Errorf("tiers %v, gaps %v: odds that sum to %g", c.tiers, c.gaps, sum)
		}
	}
}

package rank_test

import (
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/use/rank"
)

// Scores that lie closer together than float32 errs, where the errors come from: worths
// that are large beside what separates items, embeddings whose terms are large and cancel,
// and both. Float32 puts them in another order and does not tie them; the best must be
// those of float64 all the same.
func TestScoresWithinTheErrorOfFloat32(t *testing.T) {
	const items, k = 1500, 6
	r := rng.Stream(1, "narrow")
	embedding := make([]float64, k)
	for j := range embedding {
		embedding[j] = 0.5 + r.Float64()
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
				sum += w[j] * embedding[j]
			}
			w[k-1] = (c.apart*r.Float64() - sum) / embedding[k-1]
		}
		index, err := rank.NewIndex(catalogue, nil)
		if err != nil {
			t.Fatal(err)
		}
		all, scores := make([]int, items), make([]float64, items)
		for i := range all {
			all[i] = i
		}
		rank.Complete(catalogue, embedding, 0, all, scores)
		for _, n := range []int{1, 5, 20, 240, 300} {
			answers := make([][]rank.Scored, 1)
			index.Best([]rank.Query{{Embedding: embedding}}, n, &rank.Scratch{}, answers)
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
			if n == 20 && !misled(catalogue, embedding, want) {
				t.Errorf("%s: float32 has the same best %d: this test cannot fail", name, n)
			}
		}
	}
}

// misled says whether scoring in float32 alone, kept to n and the few that a index keeps
// beside them, loses one of the best.
func misled(c *latent.Catalogue, embedding []float64, best []int) bool {
	narrow := make([]float32, len(c.U))
	for i := range narrow {
		narrow[i] = float32(c.U[i])
		for j, v := range embedding {
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

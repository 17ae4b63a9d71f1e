package rank_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// The index gives what scoring item by item gives: the same items in the same
// order, with the same scores to the last bit.
func TestIndexAgainstItemByItem(t *testing.T) {
	for _, items := range []int{5, 16, 100, 130, 1023, 1024, 2048, 2100} { // some fill their tiles of 1024
		c := full(latent.Gaussian, items, 6)
		handicap := make([]float64, items)
		handicap[2] = math.Inf(1)
		index, err := rank.NewIndex(c, handicap)
		if err != nil {
			t.Fatal(err)
		}
		r := rng.Stream(1, "shelf")
		var queries []rank.Query
		var people []*rank.Folded
		for range 7 {
			all := make([]int, items)
			rng.Permutation(r, all)
			order := partition.OneBlock(3)
			partition.NewUniform(3).Draw(r, order)
			p, err := rank.Read(c, person(osm.List{Items: all[:3], Order: order}))
			if err != nil {
				t.Fatal(err)
			}
			people = append(people, p)
			queries = append(queries, rank.Query{Embedding: p.Embedding, Listed: 3, Hide: all[:3]})
		}
		answers := make([][]rank.Scored, len(queries))
		var scratch rank.Scratch
		for range 2 { // the second time in used scratch
			for q := range answers {
				answers[q] = answers[q][:0]
			}
			index.Best(queries, 10, &scratch, answers)
		}
		for q, answer := range answers {
			var rest []int
			for i := range items {
				if i != 2 && !slices.Contains(queries[q].Hide, i) {
					rest = append(rest, i)
				}
			}
			scores := make([]float64, len(rest))
			people[q].Score(rest, scores)
			if len(answer) != min(10, len(rest)) {
				t.Fatalf("%d of %d items", len(answer), len(rest))
			}
			for k, at := range rank.Best(scores, 10) {
				if answer[k].Item != rest[at] || answer[k].Score != scores[at] {
					t.Errorf("place %d is item %d with %.17g, item by item %d with %.17g", k, answer[k].Item, answer[k].Score, rest[at], scores[at])
				}
			}
		}
		if a := testing.AllocsPerRun(10, func() {
			for q := range answers {
				answers[q] = answers[q][:0]
			}
			index.Best(queries, 10, &scratch, answers)
		}); a != 0 {
			t.Errorf("%g allocations", a)
		}
	}
	if _, err := rank.NewIndex(full(latent.Gaussian, 5, 2), make([]float64, 4)); err == nil {
		t.Error("handicaps of too few items were taken")
	}
}

// Equal scores come in the order of items.
func TestEqualScores(t *testing.T) {
	c := latent.NewCatalogue(20, 0, latent.Gaussian, latent.Options{})
	for i := range c.U {
		c.U[i] = float64(i % 3)
	}
	index, err := rank.NewIndex(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	answers := make([][]rank.Scored, 1)
	index.Best([]rank.Query{{}}, 8, &rank.Scratch{}, answers)
	var got []int
	for _, s := range answers[0] {
		got = append(got, s.Item)
	}
	if want := []int{2, 5, 8, 11, 14, 17, 1, 4}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// Scores that are equal in float32 come in the right order all the same, and
// equal ones in the order of the catalogue.
func TestScoresBeyondFloat32(t *testing.T) {
	const items = 1500
	c := latent.NewCatalogue(items, 1, latent.Gaussian, latent.Options{})
	r := rng.Stream(3, "beyond")
	rest := make([]int, items-7)
	for k := range rest {
		rest[k] = k + 7
	}
	for i := range c.U {
		c.U[i], c.W[i] = 1000, 1e-9*float64(r.IntN(40)) // many are equal
	}
	index, err := rank.NewIndex(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	query := rank.Query{Embedding: []float64{0.5}, Hide: []int{0, 1, 2, 3, 4, 5, 6}}
	scores := make([]float64, items-7)
	rank.Complete(c, query.Embedding, 0, rest, scores)
	for _, n := range []int{1, 10, 200, 290, 1490, 1600} {
		answers := make([][]rank.Scored, 1)
		index.Best([]rank.Query{query}, n, &rank.Scratch{}, answers)
		var got, want []int
		for _, s := range answers[0] {
			got = append(got, s.Item)
		}
		for _, at := range rank.Best(scores, n) {
			want = append(want, rest[at])
		}
		if !slices.Equal(got, want) {
			t.Errorf("the best %d: %v, not %v", n, got, want)
		}
	}
}

func BenchmarkIndex(b *testing.B) {
	const items, k, listed = 10_000, 50, 20
	c := full(latent.Gaussian, items, k)
	index, err := rank.NewIndex(c, nil)
	if err != nil {
		b.Fatal(err)
	}
	list := osm.List{Order: partition.OneBlock(listed)}
	for i := range listed {
		list.Items = append(list.Items, 7*i)
	}
	b.Run("fold in and rank one", func(b *testing.B) {
		var scratch rank.Scratch
		answers := make([][]rank.Scored, 1)
		for b.Loop() {
			embedding, err := rank.Fold(c, list)
			if err != nil {
				b.Fatal(err)
			}
			answers[0] = answers[0][:0]
			index.Best([]rank.Query{{Embedding: embedding, Listed: listed, Hide: list.Items}}, 10, &scratch, answers)
		}
	})
	b.Run(fmt.Sprintf("rank %d at once", 64), func(b *testing.B) {
		embedding, err := rank.Fold(c, list)
		if err != nil {
			b.Fatal(err)
		}
		queries, answers := make([]rank.Query, 64), make([][]rank.Scored, 64)
		for q := range queries {
			queries[q] = rank.Query{Embedding: embedding, Listed: listed, Hide: list.Items}
		}
		var scratch rank.Scratch
		for b.Loop() {
			for q := range answers {
				answers[q] = answers[q][:0]
			}
			index.Best(queries, 10, &scratch, answers)
		}
		b.ReportMetric(64*float64(b.N)/b.Elapsed().Seconds(), "people/s")
	})
}

// Numbers that float32 does not have are refused: scores of such items would be lost.
func TestIndexRefusesWhatFloat32DoesNotHave(t *testing.T) {
	for name, change := range map[string]func(c *latent.Catalogue){
		"worth":  func(c *latent.Catalogue) { c.U[1] = -1e39 },
		"weight": func(c *latent.Catalogue) { c.W[3] = 1e39 },
		"square": func(c *latent.Catalogue) { c.W[3] = 1e200 },
		"none":   func(c *latent.Catalogue) { c.U[1], c.W[3] = 1e38, 1e37 },
	} {
		c := latent.NewCatalogue(3, 2, latent.Gaussian, latent.Options{})
		change(c)
		if _, err := rank.NewIndex(c, []float64{0, 0, math.Inf(1)}); (err == nil) != (name == "none") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package rank_test

import (
	"math"
	"slices"
	"testing"

	"fubini/model"
	"fubini/model/latent"
	"fubini/model/latent/planted"
	"fubini/model/osm"
	"fubini/use/rank"
)

// Where short lists are read as longer ones, the parts of an explanation still sum to the score, and its base is the score for a person
// without a list.
func TestExplanationOfAShortList(t *testing.T) {
	c := planted.WithPopulation(t, full(latent.Gaussian, 8, 3), 20)
	clear(c.NuK)
	explanations(t, c)
	t.Run("units together", func(t *testing.T) { explanations(t, planted.WithTogether(t, c, 0.5, 1)) })
}

func explanations(t *testing.T, c *latent.Catalogue) {
	t.Helper()
	nobody, err := rank.Read(c, model.Person{Index: -1})
	if err != nil {
		t.Fatal(err)
	}
	somebody, err := rank.Read(c, person(list(t, "0~2 > 1 > 3~4", 5, 1, 0, 7, 3)))
	if err != nil {
		t.Fatal(err)
	}
	for item := range 8 {
		if slices.Contains(somebody.List.Items, item) {
			continue
		}
		e, err := somebody.Explain(item)
		if err != nil {
			t.Fatal(err)
		}
		sum := e.Base + e.Ties
		for _, part := range e.Parts {
			sum += part
		}
		score := make([]float64, 1)
		nobody.Score([]int{item}, score)
		if !(math.Abs(sum-e.Score) <= 1e-9) || !(math.Abs(e.Base-score[0]) <= 1e-12) {
			t.Errorf("item %d: parts sum to %g, score %g; base %g, without a list %g", item, sum, e.Score, e.Base, score[0])
		}
	}
}

// The index finds what scores of all items say, for short lists and for none.
func TestIndexReadsShortLists(t *testing.T) {
	c := planted.WithPopulation(t, full(latent.Gaussian, 8, 3), 20)
	index, err := rank.NewIndex(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	lists := []osm.List{list(t, "0 > 1", 5, 1), {}, list(t, "0~2 > 1", 7, 2, 3)}
	var scratch rank.Scratch
	found, err := index.ForLists(lists, 8, nil, &scratch)
	if err != nil {
		t.Fatal(err)
	}
	for l, of := range lists {
		p, err := rank.Read(c, person(of))
		if len(of.Items) == 0 {
			p, err = rank.Read(c, model.Person{Index: -1})
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range found[l] {
			score := make([]float64, 1)
			p.Score([]int{got.Item}, score)
			if !(math.Abs(got.Score-score[0]) <= 1e-9) {
				t.Errorf("list %d, item %d: %g, by hand %g", l, got.Item, got.Score, score[0])
			}
		}
		if want := 8 - len(of.Items); len(found[l]) != want {
			t.Errorf("list %d: %d items, want %d", l, len(found[l]), want)
		}
	}
}

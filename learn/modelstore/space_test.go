package modelstore_test

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/use/rank"
)

// The table of docs/recommending.md says what every model can do, and it is so: who
// has vectors has them, who has not says so and names those who have; parts of a
// score add up to it for all of them, and are exact where the table says so.
func TestWhatEveryModelCanDo(t *testing.T) {
	skipIfShort(t)
	page, err := os.ReadFile("../../docs/recommending.md")
	if err != nil {
		t.Fatal(err)
	}
	person := model.Person{Index: -1, Known: ratings.Row{Items: []uint32{7, 2, 11, 5}, Values: []float32{5, 4, 4, 2}}}
	for _, name := range registry.Names() {
		t.Run(name, func(t *testing.T) {
			s := trained(t, modelstore.Request{Model: name, Recipe: recipe(t, name, 6)})
			odds, vectors, parts := "-", "yes", "exact"
			if _, err := s.Catalogue(); err == nil {
				odds = "yes"
			}
			space, err := s.Space()
			switch {
			case errors.Is(err, modelstore.ErrNoVectors):
				vectors = "-"
				if !strings.Contains(err.Error(), "latent-osm with hidden units, or pmf") {
					t.Errorf("the refusal names the wrong models: %v", err)
				}
			case err != nil:
				t.Fatal(err)
			default:
				checkSpace(t, s, space, person)
			}
			for _, person.TiersOnly = range []bool{true, false} {
				e, err := s.Explain(person, 3)
				if err != nil {
					t.Fatal(err)
				}
				sum := e.Base + e.Ties + e.Rest
				for _, part := range e.Parts {
					sum += part
				}
				want := make([]float64, 1)
				s.Model.Score(model.Person{Index: -1, Known: s.Rated(person)}, []uint32{3}, want)
				if !(math.Abs(sum-want[0]) <= 1e-9) || !(math.Abs(e.Score-want[0]) <= 1e-12) {
					t.Errorf("parts sum to %.12g, the score is %.12g and told as %.12g", sum, want[0], e.Score)
				}
				switch {
				case e.Rest != 0:
					parts = "by leaving out"
				case e.Approximate:
					parts = "shares"
				}
			}
			row := "| `" + name + "` | yes | " + odds + " | " + parts + " | " + vectors + " |"
			if !strings.Contains(string(page), row) {
				t.Errorf("docs/recommending.md should have the row\n%s", row)
			}
		})
	}
}

// checkSpace asks whether vectors order the items of a list as scores do.
func checkSpace(t *testing.T, s *modelstore.Saved, space *modelstore.Space, person model.Person) {
	person.TiersOnly = true
	embedding, err := space.Fold(person)
	if err != nil {
		t.Fatal(err)
	}
	average, err := space.Fold(model.Person{})
	if err != nil || !slices.Equal(average, space.PriorMeans()) {
		t.Errorf("an average person is %v, and folded in %v, %v", space.PriorMeans(), average, err)
	}
	others := []uint32{0, 1, 3, 4, 6, 8, 9}
	want, got := make([]float64, len(others)), make([]float64, len(others))
	s.Model.Score(model.Person{Index: -1, Known: s.Rated(person)}, others, want)
	rank.Complete(space.Catalogue, embedding, space.OwnPresence(person.Known.Len()), others, got)
	if a, b := rank.Best(want, len(want)), rank.Best(got, len(got)); !slices.Equal(a, b) {
		t.Errorf("by scores the order is %v, by vectors %v", a, b)
	}
}

// Somebody's ratings are taken as they are where they are known.
func TestRatedByValues(t *testing.T) {
	s := trained(t, modelstore.Request{Model: "item-mean"})
	person := model.Person{Known: ratings.Row{Items: []uint32{9, 4, 6}, Values: []float32{4, 3, 4}}}
	if row := s.Rated(person); !slices.Equal(row.Items, []uint32{4, 6, 9}) || !slices.Equal(row.Values, []float32{3, 4, 4}) {
		t.Errorf("ratings: %v", row)
	}
	person.TiersOnly = true
	if row := s.Rated(person); !slices.Equal(row.Values, []float32{float32(s.Low), float32(s.High), float32(s.High)}) {
		t.Errorf("bare tiers: %v", row)
	}
}

// What takes a folding in for every placement has an end, and says who has none.
func TestTooManyToLeaveOut(t *testing.T) {
	s := trained(t, modelstore.Request{Model: "item-mean"})
	person := model.Person{Known: ratings.Row{Items: make([]uint32, 1001), Values: make([]float32, 1001)}}
	if _, err := s.Explain(person, 3); err == nil || !strings.Contains(err.Error(), "at most 1000") || !strings.Contains(err.Error(), "latent-osm") {
		t.Errorf("%v", err)
	}
}

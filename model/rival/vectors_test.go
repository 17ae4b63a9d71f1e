package rival

import (
	"math"
	"testing"

	"fubini/data/ratings"
)

// vectorless are the models without vectors.
var vectorless = map[string]bool{"item-mean": true}

// Where a model has vectors, they and the offsets make its scores, but for what is the
// same for all items of a person; for an ordered probit they make the value behind it.
func TestVectorsMakeTheScores(t *testing.T) {
	skipIfShort(t)
	set := plantWorld(t, nil, nil).split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		for _, response := range []Response{GaussianResponse, OrderedProbit} {
			values := map[string]float64{"response": float64(response)}
			for name, v := range quickSettings {
				values[name] = v
			}
			m, has := fitKind(t, k, set, Run{Seed: 1}, values).(VectorModel)
			if has == vectorless[k.name] {
				t.Fatalf("vectors: %t", has)
			}
			if !has {
				return
			}
			if b, bayes := m.(*bayesModel); bayes && b.response == OrderedProbit {
				continue // see below
			}
			for _, known := range []ratings.Row{{}, set.Row(0), set.Row(3)} {
				scores := scoresFor(t, m, set.Items().Len(), Person{Index: -1, Known: known})
				person, item := make([]float64, m.Dim()), make([]float64, m.Dim())
				m.PersonVector(known, person)
				var same float64
				for i, score := range scores {
					product := m.ItemVector(uint32(i), item) + dot(person, item)
					if b, bayes := m.(*bayesModel); bayes {
						product *= b.scale.deviation
					}
					if i == 0 {
						same = score - product
					}
					if !(math.Abs(score-product-same) <= 1e-5*(1+math.Abs(score))) { // draws are kept as float32
						t.Errorf("item %d: score %g, by vectors %g", i, score, product+same)
					}
				}
			}
			if !hasKnob(k, "response") {
				return
			}
		}
	})
}

// With an ordered probit the vectors make the mean of the value over draws.
func TestVectorsOfAnOrderedProbit(t *testing.T) {
	set := plantWorld(t, nil, nil).split.Training.Set()
	m := orderedProbit(t, set)
	known := set.Row(2)
	person, item := make([]float64, m.Dim()), make([]float64, m.Dim())
	m.PersonVector(known, person)
	taste := m.enter(Person{Index: -1, Known: known})
	for i := range uint32(set.Items().Len()) {
		var mean, bias float64
		for draw := range m.kept {
			mean += taste.mean(m, draw, i) / float64(m.kept)
			bias += float64(taste.vectors[draw*m.width]) / float64(m.kept)
		}
		if got := bias + m.ItemVector(i, item) + dot(person, item); !(math.Abs(got-mean) <= 1e-5) {
			t.Errorf("item %d: %g by vectors, %g by draws", i, got, mean)
		}
	}
}

func orderedProbit(t *testing.T, set *ratings.Set) *bayesModel {
	t.Helper()
	m, err := with(NewBayesianMF(), func(o *BayesianMF) { o.Hidden, o.Sweeps, o.Burn, o.Response = 3, 6, 2, OrderedProbit }).Fit(t.Context(), set, Run{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*bayesModel)
}

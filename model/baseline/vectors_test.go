package baseline_test

import (
	"math"
	"testing"

	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/model/baseline/bayes"
	"fubini/model/baseline/fitting"
	"fubini/model/baseline/planted"
)

// vectorless are the models without vectors.
var vectorless = map[string]bool{"item-mean": true, "popularity": true, "item-knn": true, "recent-knn": true, "ease": true}

// Where a model has vectors, they and the offsets make its scores, but for what is the
// same for all items of a person; for an ordered probit they make the value behind it.
func TestVectorsMakeTheScores(t *testing.T) {
	skipIfShort(t)
	set := planted.New(t, nil, nil).Split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		for _, response := range []bayes.Response{bayes.Gaussian, bayes.OrderedProbit} {
			values := map[string]float64{"response": float64(response)}
			for name, v := range quickSettings {
				values[name] = v
			}
			fitted := fitKind(t, k, set, model.Run{Seed: 1}, values)
			m, has := fitted.(modelstore.VectorModel)
			if has == vectorless[k.Name] {
				t.Fatalf("vectors: %t", has)
			}
			if !has {
				return
			}
			scale := 1.0
			if hasSetting(k, "response") { // scores are in standard deviations of ratings
				if response == bayes.OrderedProbit {
					continue // see package bayes
				}
				scale = deviationOf(set)
			}
			for _, known := range []ratings.Row{{}, set.Row(0), set.Row(3)} {
				scores := scoresFor(t, fitted, set.Items().Len(), model.Person{Index: -1, Known: known})
				person, item := make([]float64, m.Dim()), make([]float64, m.Dim())
				m.PersonVector(known, person)
				var same float64
				for i, score := range scores {
					product := scale * (m.ItemVector(uint32(i), item) + fitting.Dot(person, item))
					if i == 0 {
						same = score - product
					}
					if !(math.Abs(score-product-same) <= 1e-5*(1+math.Abs(score))) { // draws are kept as float32
						t.Errorf("item %d: score %g, by vectors %g", i, score, product+same)
					}
				}
			}
			if !hasSetting(k, "response") {
				return
			}
		}
	})
}

// deviationOf is the standard deviation of the ratings of a set.
func deviationOf(set *ratings.Set) float64 {
	var sum, squares float64
	for u := range set.Users().Len() {
		for _, v := range set.Row(u).Values {
			sum += float64(v)
			squares += float64(v) * float64(v)
		}
	}
	n := float64(set.Len())
	return math.Sqrt(squares/n - sum/n*sum/n)
}

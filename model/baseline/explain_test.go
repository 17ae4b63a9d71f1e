package baseline_test

import (
	"math"
	"slices"
	"testing"

	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/model/baseline/bayes"
	"fubini/model/baseline/planted"
)

// explained are the models whose scores have parts.
var explained = map[string]bool{"pmf": true, "biased-mf": true, "cofirank-regress": true, "bayesian-mf": true, "item-knn": true, "recent-knn": true, "ease": true, "ials": true}

// Parts and base add up to the score, and a rating that changes moves its own part
// alone, by as much as it moves the score: where parts are exact, to rounding.
func TestPartsOfAScore(t *testing.T) {
	skipIfShort(t)
	set := planted.New(t, nil, nil).Split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		for _, response := range []bayes.Response{bayes.Gaussian, bayes.OrderedProbit} {
			values := map[string]float64{"response": float64(response)}
			for name, v := range quickSettings {
				values[name] = v
			}
			m := fitKind(t, k, set, model.Run{Seed: 1}, values)
			x, can := m.(modelstore.Explainer)
			if !can {
				if explained[k.Name] {
					t.Fatal("cannot explain")
				}
				return
			}
			exact := !hasSetting(k, "response") || response != bayes.OrderedProbit
			checkParts(t, m, x, set, explained[k.Name], exact)
			if !hasSetting(k, "response") {
				return
			}
		}
	})
}

func checkParts(t *testing.T, fitted model.Model, m modelstore.Explainer, set *ratings.Set, wantOK, wantExact bool) {
	known := set.Row(1)
	items := uint32(set.Items().Len())
	scores := scoresFor(t, fitted, int(items), model.Person{Index: -1, Known: known})
	none := scoresFor(t, fitted, int(items), model.Person{Index: -1})
	for item := range items {
		parts := make([]float64, known.Len())
		base, exact, ok := m.Explain(known, item, parts)
		if ok != wantOK || ok && exact != wantExact {
			t.Fatalf("explained %t, exactly %t", ok, exact)
		}
		if !ok {
			return
		}
		sum := base
		for _, part := range parts {
			sum += part
		}
		if !(math.Abs(sum-scores[item]) <= 1e-9) {
			t.Errorf("item %d: base and parts are %.12g, the score is %.12g", item, sum, scores[item])
		}
		if alone, _, _ := m.Explain(ratings.Row{}, item, nil); !(math.Abs(alone-none[item]) <= 1e-9) {
			t.Errorf("item %d: a stranger's base is %g, the score %g", item, alone, none[item])
		}
		if !exact {
			continue
		}
		for k := range known.Items {
			other := ratings.Row{Items: known.Items, Values: slices.Clone(known.Values)}
			other.Values[k]++
			moved := make([]float64, known.Len())
			m.Explain(other, item, moved)
			after := make([]float64, 1)
			fitted.Score(model.Person{Index: -1, Known: other}, []uint32{item}, after)
			for j := range parts {
				change := moved[j] - parts[j]
				if j == k {
					change -= after[0] - scores[item]
				}
				if !(math.Abs(change) <= 1e-5) { // draws are kept as float32
					t.Errorf("item %d: rating %d up by one moves part %d by %g more than the score", item, k, j, change)
				}
			}
		}
	}
}

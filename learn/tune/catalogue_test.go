package tune_test

import (
	"fmt"
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/learn/tune"
	"fubini/model"
)

// Where all items are candidates, the value of a trial is the mean NDCG@10 of evaluate on the same folds, those that were
// given: here new users.
func TestWholeCatalogueIsJudgedByNDCG(t *testing.T) {
	r := rng.Stream(1, "picks")
	b := ratings.NewBuilder()
	for u := range 60 {
		for i := range 40 {
			chance := 0.1
			if i%2 == u%2 {
				chance = 0.5
			}
			if r.Float64() < chance {
				if err := b.Add(fmt.Append(nil, u), fmt.Append(nil, i), float32(1+r.IntN(5)), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	fold, err := set.UserSplit(0.4, 4, 3, 7)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, name := range []string{"popularity", "ease", "osm"} {
		found, err := tune.Search(t.Context(), ratings.Everything(set), name, tune.Options{Budget: 1, Seed: 1, Candidates: evaluate.All, Divide: func(ratings.Training, uint64) []ratings.Split { return []ratings.Split{fold} }})
		if err != nil {
			t.Fatal(err)
		}
		recipe, err := registry.New(name)
		if err != nil {
			t.Fatal(err)
		}
		judged := registry.Judged(recipe, model.Run{Seed: 1})
		if name == "osm" { // by interest and taste
			judged = modelstore.Judged(recipe, modelstore.AimBalanced, model.Run{Seed: 1})
		}
		result, err := evaluate.Run(t.Context(), judged, fold, evaluate.Options{Candidates: evaluate.All, Metrics: evaluate.PaperMetrics(metric.Exp2, 1, 5, 10)})
		if err != nil {
			t.Fatal(err)
		}
		values[name] = result.Average("ndcg@10")
		if got := found.Trials[0].Value; !(math.Abs(got-values[name]) < 1e-12) {
			t.Errorf("%s: value %g, by evaluate %g", name, got, values[name])
		}
	}
	if !(values["ease"] > values["popularity"]) || !(values["osm"] > values["popularity"]) {
		t.Errorf("the criterion prefers popularity: %v", values)
	}
}

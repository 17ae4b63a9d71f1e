package baseline_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/bayes"
	"fubini/model/baseline/planted"
	"fubini/use/odds"
)

// probitKind goes through the checks of the contract beside the kinds of the list,
// which have default settings.
var probitKind = kind{Name: "bayesian-mf", New: func() model.Recipe {
	return with(bayes.New(), func(o *bayes.Recipe) { o.Response = bayes.OrderedProbit })
}}

func TestOrderedProbitKeepsTheContract(t *testing.T) {
	p := planted.New(t, nil, nil)
	set := p.Split.Training.Set()
	quick := func(jobs int) model.Model {
		return fitKind(t, probitKind, set, model.Run{Seed: 9, Jobs: jobs}, quickSettings)
	}
	first := quick(1)
	for _, jobs := range []int{2, 5} {
		if !sameBits(allScores(t, first, set), allScores(t, quick(jobs), set)) {
			t.Errorf("other scores with %d jobs", jobs)
		}
	}
	loaded, err := bayes.New().Load(stored(t, first), planted.Items)
	if err != nil {
		t.Fatal(err)
	}
	stranger := model.Person{Index: -1, Known: set.Row(3)}
	if !slices.Equal(scoresFor(t, first, planted.Items, stranger), scoresFor(t, loaded, planted.Items, stranger)) {
		t.Error("other scores after loading")
	}
	if _, err := probitKind.New().Fit(context.Background(), tinySet(t), model.Run{}); err == nil {
		t.Error("no ratings: no error")
	}
	for name, set := range map[string]*ratings.Set{
		"one rating":        tinySet(t, [3]float32{1, 1, 4}),
		"all ratings equal": tinySet(t, [3]float32{1, 1, 4}, [3]float32{1, 2, 4}, [3]float32{2, 1, 4}, [3]float32{2, 3, 4}),
		"two levels":        tinySet(t, [3]float32{1, 1, 0}, [3]float32{1, 2, 1}, [3]float32{2, 1, 1}, [3]float32{2, 3, 0}),
	} {
		errorOrScores(t, name, probitKind, recipeWith(t, probitKind, map[string]float64{"sweeps": 6, "burn": 2}), set)
	}
}

// Probabilities add up to 1, agree with the score, and are as good as they claim:
// the mean log loss of held-out ratings is near the mean entropy of the predictions.
func TestLevelProbs(t *testing.T) {
	skipIfShort(t)
	p := planted.New(t, nil, nil)
	for _, response := range []bayes.Response{bayes.Gaussian, bayes.OrderedProbit} {
		k := kind{Name: "bayesian-mf", New: func() model.Recipe { return with(bayes.New(), func(o *bayes.Recipe) { o.Response = response }) }}
		fitted := fitKind(t, k, p.Split.Training.Set(), model.Run{Seed: 1}, goodSettings)
		m := fitted.(odds.LevelModel)
		if !slices.Equal(m.Levels(), []float64{1, 2, 3, 4, 5}) {
			t.Fatalf("levels %v", m.Levels())
		}
		probs, score := make([]float64, 5), make([]float64, 1)
		var loss, entropy, count float64
		for u := range p.Split.Holdout.Set().Users().Len() {
			test := p.Split.Holdout.Test(u)
			for n, i := range test.Items {
				who := model.Person{Index: u, Known: p.Split.Holdout.Known(u)}
				m.LevelProbs(who, []uint32{i}, [][]float64{probs})
				var sum, mean float64
				for l, q := range probs {
					sum += q
					mean += q * m.Levels()[l]
					if q > 0 {
						entropy -= q * math.Log(q)
					}
				}
				loss -= math.Log(probs[int(test.Values[n])-1])
				count++
				if !(math.Abs(sum-1) <= 1e-9) {
					t.Fatalf("probabilities %v", probs)
				}
				// The table of expected ratings is right to about 1e-4 a step.
				if fitted.Score(who, []uint32{i}, score); response == bayes.OrderedProbit && !(math.Abs(score[0]-mean) <= 2e-4) {
					t.Fatalf("score %g, expected rating %g", score[0], mean)
				}
			}
		}
		t.Logf("log loss %.3f, entropy %.3f over %g ratings", loss/count, entropy/count, count)
		// Normal ratings know nothing of the ends of the scale and are less sure than they could be.
		most := map[bayes.Response]float64{bayes.OrderedProbit: 0.05, bayes.Gaussian: 0.15}[response]
		if !(math.Abs(loss-entropy)/count <= most) {
			t.Errorf("log loss %.3f, but predictions have an entropy of %.3f", loss/count, entropy/count)
		}
	}
}

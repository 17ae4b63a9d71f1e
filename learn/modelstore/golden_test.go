package modelstore_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"testing"

	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/learn/registry"
	"fubini/model"
)

var rewriteGolden = flag.Bool("golden", false, "write testdata/golden.json anew")

// goldenCases are models with settings as files hold them. Files of before zero could be
// said have a negative number for none.
func goldenCases() map[string]map[string]map[string]float64 {
	cases := map[string]map[string]map[string]float64{}
	for _, name := range registry.Names() {
		if name == "interest" { // in closed form, which the tests of learn/interest hold against single regressions
			continue
		}
		cases[name] = map[string]map[string]float64{"": nil}
	}
	add := func(model, name string, set map[string]float64) { cases[model][name] = set }
	add("latent-osm", "3 units", map[string]float64{"hidden": 3, "epochs": 5})
	add("latent-osm", "no units", map[string]float64{"hidden": -1, "epochs": 5})
	add("latent-osm", "binary units", map[string]float64{"units": 0, "epochs": 5})
	add("latent-osm", "no prior on W", map[string]float64{"prior-w": -1, "epochs": 5})
	add("latent-osm", "no prior on u", map[string]float64{"prior-u": -1, "epochs": 5})
	add("latent-osm", "no presence", map[string]float64{"prior-v": -1, "epochs": 5})
	add("latent-osm", "no co-occurrence", map[string]float64{"co-occurrence": -1, "epochs": 5})
	add("latent-osm", "other numbers", map[string]float64{"hidden": 4, "epochs": 6, "rate": 0.2, "batch": 10, "size": 1, "prior-w": 30, "prior-u": 7, "prior-v": 3, "co-occurrence": 3, "levels": 1})
	add("latent-osm", "sizes", map[string]float64{"sizes": 1, "epochs": 5})
	add("latent-osm", "sizes, no prior", map[string]float64{"sizes": 1, "prior-sizes": -1, "epochs": 5})
	add("latent-osm", "biases, not normalised", map[string]float64{"biases": 1, "size": -1, "epochs": 5})
	cases[chained] = map[string]map[string]float64{"": {"epochs": 5}}
	add(chained, "3 units", map[string]float64{"hidden": 3})
	add(chained, "splits and merges", map[string]float64{"hidden": 3, "moves": 1, "sweeps": 1, "count": 10, "epochs": 5})
	add(chained, "binary units, the last point", map[string]float64{"units": 0, "prior-v": -1, "batch": 20, "last": 1, "epochs": 5})
	add(chained, "sizes, no units", map[string]float64{"hidden": -1, "prior-u": 0.1, "sizes": 1, "prior-sizes": 0.1, "epochs": 5})
	add(chained, "biases, another schedule", map[string]float64{"hidden": 3, "biases": 1, "schedule": 1, "size": 1, "epochs": 5})
	add("latent-osm-paper", "printed ratio", map[string]float64{"hidden": 3, "moves": 2, "epochs": 4})
	add("latent-osm-paper", "ties in the base", map[string]float64{"hidden": 3, "ties": 0, "epochs": 4})
	add("latent-osm-paper", "steps by curvature", map[string]float64{"hidden": 3, "moves": 0, "sweeps": 2, "raw": 0, "ties": 0, "absolute": 0, "rate": 0.1, "schedule": 0, "epochs": 4})
	add("latent-osm-paper", "units", map[string]float64{"hidden": 3, "count": 4, "epochs": 4})
	add("latent-osm-paper", "priors", map[string]float64{"hidden": 3, "prior-w": 4, "prior-u": 2, "epochs": 4})
	add("osm", "no prior", map[string]float64{"prior-u": -1, "epochs": 10})
	add("osm", "other numbers", map[string]float64{"prior-u": 2, "epochs": 10, "rate": 0.3, "sweeps": 3, "size": 3})
	add("item-mean", "no shrinkage", map[string]float64{"shrink": -1})
	add("pmf", "no prior", map[string]float64{"prior": -1, "epochs": 4, "hidden": 2})
	add("pmf", "zero means", map[string]float64{"means": 1, "hidden": 2})
	add("biased-mf", "no priors", map[string]float64{"prior": -1, "bias-prior": -1, "epochs": 4, "hidden": 2})
	add("bayesian-mf", "nothing thrown away", map[string]float64{"burn": -1, "sweeps": 10, "hidden": 2})
	add("bayesian-mf", "few sweeps", map[string]float64{"sweeps": 10, "response": 1})
	add("listrank-mf", "no priors", map[string]float64{"user-prior": -1, "item-prior": -1, "epochs": 4, "hidden": 2})
	add("listrank-mf", "normal start", map[string]float64{"start": 1, "epochs": 4})
	add("plpa", "three classes", map[string]float64{"hidden": 3, "epochs": 2})
	for _, name := range []string{"plackett-luce-mf", "pmop", "davidson-luce"} {
		add(name, "no factors", map[string]float64{"hidden": -1, "epochs": 4})
		add(name, "no priors", map[string]float64{"user-prior": -1, "item-prior": -1, "bias-prior": -1, "epochs": 4, "hidden": 2})
		add(name, "one prior", map[string]float64{"user-prior": 2, "epochs": 4, "hidden": 2})
	}
	add("davidson-luce", "no prior on ties", map[string]float64{"tie-prior": -1, "epochs": 4, "hidden": 2})
	add("davidson-luce", "larger ties", map[string]float64{"largest": 12, "longest": 6, "epochs": 4, "hidden": 2})
	add("plackett-luce-mf", "ties summed", map[string]float64{"ties": 2, "epochs": 4})
	for _, name := range []string{"cofirank-regress", "cofirank-ordinal", "cofirank-ndcg"} {
		add(name, "no adaptation", map[string]float64{"adapt": -1, "epochs": 2, "hidden": 2})
	}
	return cases
}

// chained is the latent model by chains, which tables and figures alone use.
const chained = "latent-osm-chains"

// goldenWorld has two tastes and ties, and an item that nobody but one rated.
func goldenWorld(t *testing.T) *ratings.Set {
	t.Helper()
	r, b := rng.Stream(3, "golden"), ratings.NewBuilder()
	for u := range 60 {
		for i := range 24 {
			if r.Float64() < 0.45 && i > 0 || u == 7 && i == 0 {
				v := math.Round(3 + 1.4*math.Sin(float64(i)) + float64(1-2*(u%2))*math.Cos(float64(2*i)) + 0.6*r.NormFloat64())
				if err := b.Add(fmt.Appendf(nil, "u%02d", u), fmt.Appendf(nil, "i%02d", i), float32(min(5, max(1, v))), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// goldenScores are some scores of one user of the training set, of a stranger with a
// list, and of one without.
func goldenScores(t *testing.T, set *ratings.Set, name string, values map[string]float64) []float64 {
	t.Helper()
	recipe, err := registry.New(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := setting.Apply(recipe.Settings(), values); err != nil {
		t.Fatal(err)
	}
	fitted, err := recipe.Fit(context.Background(), set, model.Run{Seed: 2, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	var all []float64
	scores := make([]float64, 3)
	for _, p := range []model.Person{{Index: 4, Known: set.Row(4)}, {Index: -1, Known: set.Row(9)}, {Index: -1}} {
		fitted.Score(p, []uint32{0, 5, 17}, scores)
		all = append(all, scores...)
	}
	return all
}

// The defaults of every model, and settings as older files hold them, give the scores that
// they gave before settings had defaults by a constructor. To write them anew:
//
//	go test ./learn/modelstore -run TestGolden -golden
func TestGolden(t *testing.T) {
	skipIfShort(t)
	const path = "testdata/golden.json"
	set, got := goldenWorld(t), map[string]map[string][]float64{}
	for model, cases := range goldenCases() {
		got[model] = map[string][]float64{}
		for name, values := range cases {
			got[model][name] = goldenScores(t, set, model, values)
		}
	}
	if *rewriteGolden {
		text, err := json.MarshalIndent(got, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string][]float64{}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&want); err != nil {
		t.Fatal(err)
	}
	for model, cases := range goldenCases() {
		seen := map[string]string{}
		for name := range cases {
			// The machine's exp may differ in the last bit; a setting differs by far more.
			if a, b := got[model][name], want[model][name]; !near(a, b, 1e-8) {
				t.Errorf("%s, %q: scores %v, before %v", model, name, a, b)
			}
			// Two settings with one result would tell nothing of either.
			text := fmt.Sprint(got[model][name])
			if other, there := seen[text]; there {
				t.Errorf("%s: %q and %q have the same scores", model, name, other)
			}
			seen[text] = name
		}
	}
}

func near(a, b []float64, tolerance float64) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for k := range a {
		if !(math.Abs(a[k]-b[k]) <= tolerance*(1+math.Abs(b[k]))) {
			return false
		}
	}
	return true
}

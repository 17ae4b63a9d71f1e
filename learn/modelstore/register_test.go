package modelstore_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/learn/tune"
	"fubini/model"
)

// toyRecipe is a model of somebody else: the mean rating of an item, shrunk to zero, with items far from what a person
// likes marked down. Its fitted model has vectors and explanations of its own.
type toyRecipe struct {
	Shrink float64
}

func (r *toyRecipe) Settings() []setting.Setting {
	return []setting.Setting{setting.Float(&r.Shrink, 2, setting.Setting{Name: "shrink", Means: "pseudo-ratings of zero", Low: 0.1, High: 50, Log: true})}
}

func (r *toyRecipe) Fit(_ context.Context, set *ratings.Set, run model.Run) (model.Model, error) {
	if !(r.Shrink >= 0) {
		return nil, fmt.Errorf("toy: shrink %g must not be negative", r.Shrink)
	}
	means, count := make(toyModel, set.Items().Len()), make([]float64, set.Items().Len())
	for u := range set.Users().Len() {
		row := set.Row(u)
		for k, i := range row.Items {
			means[i] += float64(row.Values[k])
			count[i]++
		}
	}
	for i := range means {
		means[i] /= count[i] + r.Shrink
	}
	if run.Observe != nil {
		run.Observe(model.Progress{Epoch: 1, Epochs: 1, Held: math.NaN()})
	}
	return means, nil
}

func (r *toyRecipe) Load(f *modelfile.File, n int) (model.Model, error) {
	means, err := modelfile.Get[float64](f, "toy", n)
	return toyModel(means), err
}

type toyModel []float64

func (m toyModel) Score(p model.Person, items []uint32, scores []float64) {
	taste := m.taste(p.Known)
	for k, i := range items {
		scores[k] = m[i] + taste*float64(i)
	}
}

// taste is positive for a person who rates items with high numbers above their means.
func (m toyModel) taste(known ratings.Row) (sum float64) {
	for k, i := range known.Items {
		sum += 1e-3 * (float64(known.Values[k]) - m[i]) * (float64(i) - float64(len(m))/2)
	}
	return sum
}

func (m toyModel) Save(f *modelfile.File) error {
	modelfile.Set(f, "toy", []float64(m))
	return nil
}

func (m toyModel) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	for k, i := range known.Items {
		parts[k] = m.taste(ratings.Row{Items: []uint32{i}, Values: known.Values[k : k+1]}) * float64(item)
	}
	return m[item], true, true
}

func (m toyModel) Dim() int { return 1 }

func (m toyModel) ItemVector(item uint32, vector []float64) float64 {
	vector[0] = float64(item)
	return m[item]
}

func (m toyModel) PersonVector(known ratings.Row, vector []float64) { vector[0] = m.taste(known) }

// A model from outside can be registered, and then be configured, trained, saved, opened, explained, mapped, tuned and
// evaluated by its name like any other.
func TestRegister(t *testing.T) {
	if err := registry.Register("toy", func() model.Recipe { return &toyRecipe{Shrink: 2} }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { registry.Unregister("toy") })
	for _, name := range []string{"toy", "pmf", "latent-osm", "", "a.b", "a,b", "a=b"} {
		if err := registry.Register(name, func() model.Recipe { return new(toyRecipe) }); err == nil {
			t.Errorf("a model could be called %q", name)
		}
	}
	if names := registry.Names(); names[len(names)-1] != "toy" {
		t.Errorf("names %v", names)
	}
	set := goldenWorld(t)
	settings := []registry.Assignment{{Model: "toy", Name: "shrink", Value: "7"}}
	recipes, err := registry.Configure([]string{"toy", "item-mean"}, settings)
	if err != nil {
		t.Fatal(err)
	}
	epochs := 0
	saved, err := modelstore.Train(t.Context(), set, modelstore.Request{Model: "toy", Recipe: recipes[0], Seed: 3, Observe: func(modelstore.Epoch, int) { epochs++ }})
	if err != nil {
		t.Fatal(err)
	}
	if epochs != 1 || saved.Settings["shrink"] != 7 || len(saved.History) != 1 {
		t.Errorf("%d epochs, settings %v, history %v", epochs, saved.Settings, saved.History)
	}
	if _, err := modelstore.Train(t.Context(), set, modelstore.Request{Model: "toy", Validate: 0.1}); err == nil || !strings.Contains(err.Error(), "toy trains in one go") {
		t.Errorf("validation of a model without one: %v", err)
	}

	opened := throughAFile(t, saved)
	if !slices.Equal([]float64(opened.Model.(toyModel)), []float64(saved.Model.(toyModel))) || opened.Settings["shrink"] != 7 {
		t.Errorf("opened %v with settings %v, saved %v", opened.Model, opened.Settings, saved.Model)
	}
	person, _ := opened.Person(set, 4)
	item := slices.IndexFunc(opened.ItemIDs, func(id string) bool {
		at, _ := opened.Find(id)
		return !slices.Contains(person.Known.Items, uint32(at))
	})
	e, err := opened.Explain(person, item)
	if err != nil || e.Approximate {
		t.Fatalf("explanation %+v: %v", e, err)
	}
	sum := e.Base
	for _, part := range e.Parts {
		sum += part
	}
	if !(math.Abs(sum-e.Score) <= 1e-9) {
		t.Errorf("base and parts are %g, the score is %g", sum, e.Score)
	}
	space, err := opened.Space()
	if err != nil || space.K != 1 || space.W[5] != 5 {
		t.Errorf("vectors %+v: %v", space, err)
	}
	if _, err := opened.Catalogue(); err == nil {
		t.Error("the toy has hidden units")
	}

	split, err := set.Random(0.3, 1)
	if err != nil {
		t.Fatal(err)
	}
	found, err := tune.Search(t.Context(), split.Training, "toy", tune.Options{Budget: 6, Seed: 1, Jobs: 1})
	if err != nil || len(found.Fits) < 6 {
		t.Fatalf("search %+v: %v", found, err)
	}
	result, err := evaluate.Run(t.Context(), registry.Judged(recipes[0], model.Run{Seed: 1}), split, evaluate.Options{Metrics: evaluate.PaperMetrics(metric.Exp2, 1, 5), Jobs: 1})
	if err != nil || !(result.Average("ndcg@10") > 0.5) {
		t.Errorf("NDCG@10 %g: %v", result.Average("ndcg@10"), err)
	}
}

// throughAFile writes a model and opens what was written.
func throughAFile(t *testing.T, saved *modelstore.Saved) *modelstore.Saved {
	t.Helper()
	f, err := saved.File()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := f.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	back, err := modelfile.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	opened, err := modelstore.Open(back)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

package modelstore_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/model/interest"
)

// rounds makes lists in time, in which each item is followed by the next in number.
func rounds(t *testing.T) *ratings.Set {
	t.Helper()
	r, b := rng.Stream(1, "rounds"), ratings.NewBuilder()
	for u := range 80 {
		first := r.IntN(40)
		for k := range 12 {
			if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%03d", (first+k)%40), float32(1+r.IntN(5)), 1e9+int64(k)); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// The aim next ranks by the order in time of a list; it needs a model of ratings with times, and a list with them.
func TestAimNext(t *testing.T) {
	set := rounds(t)
	request := modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 3), Program: "test", Seed: 7, Interest: true}
	saved, err := modelstore.Train(t.Context(), set, request)
	if err != nil {
		t.Fatal(err)
	}
	person, _ := saved.Person(set, 5)
	items, got, want := make([]uint32, len(saved.ItemIDs)), make([]float64, len(saved.ItemIDs)), make([]float64, len(saved.ItemIDs))
	for i := range items {
		items[i] = uint32(i)
	}
	if err := errors.Join(saved.ScoreFor(modelstore.AimNext, person, items, got), saved.Interest.ScoreNext(set.Row(5), want)); err != nil || !slices.Equal(got, want) {
		t.Errorf("scores %v, not %v; error %v", got, want, err)
	}
	for _, i := range person.Known.Items {
		got[i] = -1
	}
	last := person.Known.Items[slices.Index(person.Known.Times, slices.Max(person.Known.Times))]
	if best := slices.Index(got, slices.Max(got)); best != int(last+1)%40 {
		t.Errorf("after item %d comes %d", last, best)
	}
	person.Known.Times = nil
	if err := saved.ScoreFor(modelstore.AimNext, person, items, got); !errors.Is(err, interest.ErrNoOrder) {
		t.Errorf("a list without times: %v", err)
	}
	if _, err := trained(t, request).Resolve(modelstore.AimNext); !errors.Is(err, modelstore.ErrNoOrder) {
		t.Errorf("a model of ratings without times: %v", err)
	}
	request.Interest = false
	if _, err := trained(t, request).Resolve(modelstore.AimNext); !errors.Is(err, modelstore.ErrNoInterest) {
		t.Errorf("a model of taste: %v", err)
	}
}

// Where what is held out comes later than the rest, models are judged by what comes next, and the last items of lists in which each item
// has its successor are found; a random part is found by interest and taste, as before.
func TestJudgedByWhatComesNext(t *testing.T) {
	set := rounds(t)
	last, err := set.LeaveOut(1, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	anyOne, err := set.LeaveOut(1, true, 1)
	if err != nil {
		t.Fatal(err)
	}
	later, err := set.Time(.1)
	if err != nil {
		t.Fatal(err)
	}
	part, err := set.Random(.1, 1)
	if err != nil {
		t.Fatal(err)
	}
	first := evaluate.Options{Candidates: evaluate.All, Metrics: []evaluate.Metric{{Name: "first", Of: func(r *metric.Ranking) float64 { return r.Precision(1, metric.AtLeast(1)) }}}}
	for name, c := range map[string]struct {
		split ratings.Split
		next  bool
	}{"last": {last, true}, "any one": {anyOne, false}, "later": {later, true}, "part": {part, false}, "last, without times": {withoutTimes(t, set), false}} {
		var aims []modelstore.Aim
		latent := recipe(t, "latent-osm", 3)
		judged := modelstore.Chosen(modelstore.Judged(latent, modelstore.JudgedBy("latent-osm", latent, modelstore.AimAuto, true), model.Run{Seed: 1}), func(a modelstore.Aim) { aims = append(aims, a) })
		result, err := evaluate.Run(t.Context(), judged, c.split, first)
		if err != nil {
			t.Fatal(err)
		}
		if next := len(aims) == 1 && aims[0] == modelstore.AimNext; next != c.next {
			t.Errorf("%s: judged by %v", name, aims)
		}
		found, err := result.Mean("first", 1)
		if err != nil {
			t.Fatal(err)
		}
		if name == "last" && !(found.Mean > .8) {
			t.Errorf("%.2f of the last items are found at once", found.Mean)
		}
	}
	for _, name := range []string{"latent-osm", "interest"} {
		if _, err := evaluate.Run(t.Context(), modelstore.Judged(recipe(t, name, 3), modelstore.AimNext, model.Run{Seed: 1}), withoutTimes(t, set), first); !errors.Is(err, modelstore.ErrNoOrder) {
			t.Errorf("%s, asked for what comes next in lists without times: %v", name, err)
		}
	}
	// Interest as a model of its own is asked for it.
	alone := recipe(t, "interest", 0)
	if aim := modelstore.JudgedBy("interest", alone, modelstore.AimNext, true); aim != modelstore.AimNext {
		t.Errorf("interest is judged by %s", aim)
	}
	result, err := evaluate.Run(t.Context(), modelstore.Judged(alone, modelstore.AimNext, model.Run{Seed: 1}), last, first)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := result.Mean("first", 1); err != nil || !(found.Mean > .8) {
		t.Errorf("interest alone finds %.2f of the last items at once, error %v", found.Mean, err)
	}
}

func withoutTimes(t *testing.T, set *ratings.Set) ratings.Split {
	t.Helper()
	split, err := set.WithoutTimes().LeaveOut(1, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	return split
}

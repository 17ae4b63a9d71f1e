package baseline_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/planted"
)

// tinySet is a set of ratings given as user, item, value.
func tinySet(t testing.TB, rows ...[3]float32) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for _, r := range rows {
		if err := b.Add(fmt.Append(nil, r[0]), fmt.Append(nil, r[1]), r[2], ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// errorOrScores fits a recipe and wants an error that names the model, or finite
// scores for everybody.
func errorOrScores(t *testing.T, what string, k kind, r model.Recipe, set *ratings.Set) (err error) {
	t.Helper()
	m, err := r.Fit(context.Background(), set, model.Run{Seed: 1})
	if err != nil {
		if !strings.HasPrefix(err.Error(), ""+k.Name+": ") {
			t.Errorf("%s: the error does not name the model: %v", what, err)
		}
		return err
	}
	t.Run(what, func(t *testing.T) { allScores(t, m, set) })
	return nil
}

func TestContractOddData(t *testing.T) {
	skipIfShort(t)
	square := func(value func(u, i int) float32) *ratings.Set {
		var rows [][3]float32
		for u := range 6 {
			for i := range 6 {
				rows = append(rows, [3]float32{float32(u), float32(i), value(u, i)})
			}
		}
		return tinySet(t, rows...)
	}
	sets := map[string]*ratings.Set{
		"one rating":                   tinySet(t, [3]float32{1, 1, 4}),
		"one user":                     tinySet(t, [3]float32{1, 1, 4}, [3]float32{1, 2, 2}, [3]float32{1, 3, 5}, [3]float32{1, 4, 1}),
		"one item":                     tinySet(t, [3]float32{1, 1, 4}, [3]float32{2, 1, 2}, [3]float32{3, 1, 5}, [3]float32{4, 1, 1}),
		"two users with one item each": tinySet(t, [3]float32{1, 1, 4}, [3]float32{2, 2, 2}),
		"all ratings equal":            square(func(u, i int) float32 { return 3 }),
		"all ratings zero":             square(func(u, i int) float32 { return 0 }),
		"users who never differ":       square(func(u, i int) float32 { return float32(1 + u%5) }),
		"half stars":                   square(func(u, i int) float32 { return float32((u*i)%10+1) / 2 }),
		"a scale of hundreds":          square(func(u, i int) float32 { return float32((u+2*i)%7) * 100 }),
		"ratings below zero":           square(func(u, i int) float32 { return float32((u+2*i)%7) - 10 }),
		"all different":                square(func(u, i int) float32 { return float32(u) + float32(i)/10 }),
	}
	forAll(t, func(t *testing.T, k kind) {
		if err := errorOrScores(t, "no ratings", k, recipeWith(t, k, goodSettings), tinySet(t)); err == nil {
			t.Error("no ratings: no error")
		}
		for name, set := range sets {
			for _, hidden := range []float64{setting.Auto, 1, 2} {
				what := fmt.Sprintf("%s, hidden %g", name, hidden)
				settings := map[string]float64{"hidden": hidden, "sweeps": 6, "burn": 2}
				if hidden == setting.Auto {
					delete(settings, "hidden")
				}
				err := errorOrScores(t, what, k, recipeWith(t, k, settings), set)
				if err != nil && hidden == 1 && !strings.HasPrefix(name, "one") && !strings.HasPrefix(name, "two") {
					t.Errorf("%s: %v", what, err) // nothing stands in the way
				}
			}
		}
	})
}

func TestContractSettingsOutOfRange(t *testing.T) {
	skipIfShort(t)
	set := planted.New(t, nil, nil).Split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		if hasSetting(k, "hidden") {
			for _, hidden := range []int{planted.Items + 1, 1000, -1, 0} {
				r := recipeWith(t, k, quickSettings)
				setInt(r, "Hidden", hidden)
				err := errorOrScores(t, fmt.Sprint("hidden ", hidden), k, r, set)
				if err == nil && hidden == 0 {
					continue // none
				}
				if err == nil || !strings.Contains(err.Error(), "hidden") {
					t.Errorf("hidden %d: error %v", hidden, err)
				}
			}
		}
		for name, field := range map[string]string{"epochs": "Epochs", "sweeps": "Sweeps"} {
			for _, value := range []int{-1, 0} {
				if !hasSetting(k, name) {
					continue
				}
				r := recipeWith(t, k, quickSettings)
				setInt(r, field, value)
				what := fmt.Sprint(name, " ", value)
				if err := errorOrScores(t, what, k, r, set); err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("%s: error %v", what, err)
				}
			}
		}
		for at := range floatsOf(reflect.ValueOf(k.New()).Elem()) {
			for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				r := recipeWith(t, k, quickSettings)
				field := floatsOf(reflect.ValueOf(r).Elem())[at]
				field.value.SetFloat(value)
				if err := errorOrScores(t, fmt.Sprintf("%s %g", field.name, value), k, r, set); err == nil && math.IsNaN(value) {
					t.Errorf("%s %g: no error", field.name, value)
				}
			}
		}
	})
}

// setInt sets a field of a recipe past its setting, which would refuse the value.
func setInt(r model.Recipe, field string, v int) {
	reflect.ValueOf(r).Elem().FieldByName(field).SetInt(int64(v))
}

// floatSetting is a field of a recipe.
type floatSetting struct {
	name  string
	value reflect.Value
}

// floatsOf are the settings of a recipe that could be NaN.
func floatsOf(v reflect.Value) []floatSetting {
	var found []floatSetting
	for k := range v.NumField() {
		switch field := v.Field(k); {
		case !v.Type().Field(k).IsExported() && !v.Type().Field(k).Anonymous:
		case field.Kind() == reflect.Float64 && field.CanSet():
			found = append(found, floatSetting{v.Type().Field(k).Name, field})
		case field.Kind() == reflect.Struct:
			found = append(found, floatsOf(field)...)
		}
	}
	return found
}

func TestContractStopsWithTheContext(t *testing.T) {
	skipIfShort(t)
	set := planted.New(t, nil, nil).Split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		if !hasSetting(k, "epochs") && !hasSetting(k, "sweeps") {
			return // there is nothing to stop between
		}
		told, stop := context.WithCancel(context.Background())
		stop()
		if _, err := recipeWith(t, k, quickSettings).Fit(told, set, model.Run{Seed: 1}); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped before it began: %v", err)
		}
		// Told in the middle of a long run, it must not finish.
		middle, stop := context.WithCancel(context.Background())
		defer stop()
		long := map[string]float64{"hidden": 2, "epochs": 1e6, "sweeps": 1e6}
		seen := 0
		_, err := recipeWith(t, k, long).Fit(middle, set, model.Run{Seed: 1, Observe: func(model.Progress) {
			if seen++; seen == 2 {
				stop()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped after two epochs: %v", err)
		}
		if seen > 3 {
			t.Errorf("%d epochs after it was told to stop", seen-2)
		}
	})
}

// Run with -race.
func TestContractConcurrentUse(t *testing.T) {
	set := planted.New(t, nil, nil).Split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		m := fitKind(t, k, set, model.Run{Seed: 1}, briefSettings())
		persons := []model.Person{{Index: -1}, {Index: planted.Users - 1}}
		for u := range strangers {
			persons = append(persons, model.Person{Index: u, Known: set.Row(u)}, model.Person{Index: -1, Known: set.Row(u)})
		}
		want := make([][]float64, len(persons))
		for n, p := range persons {
			want[n] = scoresFor(t, m, planted.Items, p)
		}
		var users sync.WaitGroup
		for w := range 4 {
			users.Go(func() {
				items, scores := make([]uint32, planted.Items), make([]float64, planted.Items)
				for i := range items {
					items[i] = uint32(i)
				}
				for n := range persons {
					which := (n + 5*w) % len(persons)
					if m.Score(persons[which], items, scores); !slices.Equal(scores, want[which]) {
						t.Errorf("%+v has other scores when several ask at once", persons[which])
					}
				}
			})
		}
		users.Wait()
	})
}

func TestContractSettings(t *testing.T) {
	skipIfShort(t)
	seen := map[string]bool{}
	forAll(t, func(t *testing.T, k kind) {
		if seen[k.Name] {
			t.Error("there are two of this name")
		}
		seen[k.Name] = true
		names := map[string]bool{}
		for _, each := range k.New().Settings() {
			if each.Name == "" || each.Means == "" || names[each.Name] || strings.ToLower(each.Name) != each.Name {
				t.Errorf("setting %q, %q: needs a name of its own in small letters, and a meaning", each.Name, each.Means)
			}
			names[each.Name] = true
			if each.Changed() {
				t.Errorf("%s is set to %g in a new recipe", each.Name, each.Value())
			}
			if !(each.Low <= each.High) || each.Searched() && each.Log && !(each.Low > 0) {
				t.Errorf("%s has a range from %g to %g", each.Name, each.Low, each.High)
			}
			if each.Searched() && !math.IsNaN(each.Default) && !(each.Default >= each.Low && each.Default <= each.High) {
				t.Errorf("%s is %g by default, outside %g to %g", each.Name, each.Default, each.Low, each.High)
			}
		}
		// Set to something, read out, and set again in another recipe.
		a, b := k.New(), k.New()
		for n, each := range a.Settings() {
			value := each.At(0.3 + 0.1*float64(n%5))
			if !each.Searched() {
				value = float64(1 + n%2)
			}
			if err := each.Set(value); err != nil {
				t.Fatal(err)
			}
		}
		values := setting.Values(a.Settings())
		if err := setting.Apply(b.Settings(), values); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a, b) || !maps.Equal(values, setting.Values(b.Settings())) {
			t.Errorf("%+v read out and set again is %+v", a, b)
		}
		for _, each := range a.Settings() {
			if err := each.Parse(each.Format(each.Value())); err != nil {
				t.Errorf("%s does not parse what it formats: %v", each.Name, err)
			}
		}
		// Setting every default is the same as setting nothing.
		set := planted.New(t, nil, nil).Split.Training.Set()
		plain, spelled := recipeWith(t, k, quickSettings), recipeWith(t, k, quickSettings)
		for _, each := range spelled.Settings() {
			if !each.Changed() && !math.IsNaN(each.Default) {
				if err := each.Set(each.Default); err != nil {
					t.Fatal(err)
				}
			}
		}
		x, err := plain.Fit(context.Background(), set, model.Run{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		y, err := spelled.Fit(context.Background(), set, model.Run{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		if !sameBits(allScores(t, x, set), allScores(t, y, set)) {
			t.Error("with every default spelled out, the scores differ")
		}
	})
}

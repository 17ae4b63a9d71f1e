package modelstore_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/baseline"
)

// planted has items whose quality rises with their number; everybody sees it,
// through noise.
func planted(t testing.TB, users, items int) *ratings.Set {
	t.Helper()
	r := rng.Stream(1, "planted")
	b := ratings.NewBuilder()
	for u := range users {
		for i := range items {
			if r.Float64() < 0.6 {
				v := math.Round(1 + 4*float64(i)/float64(items-1) + r.NormFloat64())
				if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%03d", i), float32(min(5, max(1, v))), ratings.NoTime); err != nil {
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

// skipIfShort leaves out whole trainings where time is short: the race detector sees
// the same code in TestEveryModel and TestCalibrate.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("whole trainings")
	}
}

// What every model owes: it learns a planted order, repeats itself under one
// seed with any number of workers, and stands users of whom nothing is known.
func TestEveryModel(t *testing.T) {
	set := planted(t, 80, 20)
	split, err := set.Given(8, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	everything := make([]uint32, set.Items().Len())
	for i := range everything {
		everything[i] = uint32(i)
	}
	picks := map[string]bool{} // models that have no opinion on ratings
	for _, each := range baseline.All() {
		picks[each.Name] = each.Picks
	}
	picks["interest"] = true
	for _, name := range registry.Names() {
		t.Run(name, func(t *testing.T) {
			scores := make([][]float64, 2)
			for k, jobs := range []int{1, 4} {
				recipe, err := registry.New(name)
				if err != nil {
					t.Fatal(err)
				}
				ranker, err := registry.Judged(recipe, model.Run{Seed: 5, Jobs: jobs}).Fit(context.Background(), split.Training)
				if err != nil {
					t.Fatal(err)
				}
				scores[k] = make([]float64, len(everything))
				ranker.Score(model.Person{Index: 0}, everything, scores[k])
			}
			if !slices.Equal(scores[0], scores[1]) {
				t.Error("one worker and four disagree")
			}
			inverted := 0
			for i := range everything {
				for j := range i {
					if math.IsNaN(scores[0][i]) || scores[0][j] > scores[0][i] {
						inverted++
					}
				}
			}
			// Of eight ratings a user, models with tastes of their own make more of noise.
			const allowed = 0.25
			if pairs := float64(len(everything)*(len(everything)-1)) / 2; !picks[name] && !(float64(inverted) < allowed*pairs) {
				t.Errorf("%d of %g pairs of items are the wrong way round", inverted, pairs)
			}
		})
	}
}

func TestUnknownModel(t *testing.T) {
	if _, err := registry.New("svd"); err == nil || !strings.Contains(err.Error(), "item-mean") {
		t.Errorf("an unknown model: %v", err)
	}
	empty, _, err := ratings.NewBuilder().Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range registry.Names() {
		recipe, err := registry.New(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := recipe.Fit(context.Background(), empty, model.Run{}); err == nil {
			t.Errorf("%s learned from nothing", name)
		}
	}
}

// All settings have a value that the recipe can read back, and those of the paper's model
// are the paper's.
func TestResolvedSettings(t *testing.T) {
	for _, name := range registry.Names() {
		recipe, err := registry.New(name)
		if err != nil {
			t.Fatal(err)
		}
		settings := registry.Resolved(recipe)
		for _, k := range recipe.Settings() {
			value, there := settings[k.Name]
			if !there {
				t.Errorf("%s: no %s", name, k.Name)
			} else if value != "by the data" {
				if err := k.Parse(value); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	recipe, err := registry.New("latent-osm-paper")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"epochs": "100", "rate": "0.01", "hidden": "50", "ties": "shared", "moves": "split-merge", "schedule": "constant", "units": "binary", "batch": "100"} {
		if got := registry.Resolved(recipe)[name]; got != want {
			t.Errorf("latent-osm-paper has %s %s, not %s", name, got, want)
		}
	}
	if o, err := registry.TrainerOf(recipe); err != nil || o.Base().Hidden != 50 {
		t.Errorf("options %+v, %v", o, err)
	}
	if other, err := registry.New("pmf"); err != nil {
		t.Fatal(err)
	} else if _, err := registry.TrainerOf(other); err == nil {
		t.Error("pmf has options of ours")
	}
}

// The default that a setting shows is the value in use where it is not set: with every
// default spelled out a model is the same. So it is with each choice and each switch of
// a model, for some defaults depend on these.
func TestShownDefaultsAreInUse(t *testing.T) {
	skipIfShort(t)
	set := planted(t, 40, 24) // fewer could not carry the factors that are the default
	for _, name := range registry.Names() {
		plain, err := registry.New(name)
		if err != nil {
			t.Fatal(err)
		}
		variants := []registry.Assignment{{}}
		for _, k := range plain.Settings() {
			for v, value := range k.Names {
				if float64(v) != k.Value() {
					variants = append(variants, registry.Assignment{Name: k.Name, Value: value})
				}
			}
		}
		for _, variant := range variants {
			t.Run(name+" "+variant.Name+" "+variant.Value, func(t *testing.T) {
				want, err := scoresOf(t, name, set, variant, nil)
				if err != nil {
					t.Log(err) // choices that do not go together are refused either way
					return
				}
				got, err := scoresOf(t, name, set, variant, func(k setting.Setting) float64 { return k.Default })
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("with every default spelled out the scores are %v, else %v (%v)", got, want, err)
				}
			})
		}
	}
	// The broken twin: another default than the one in use.
	want, err := scoresOf(t, "osm", set, registry.Assignment{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := scoresOf(t, "osm", set, registry.Assignment{}, func(k setting.Setting) float64 {
		if k.Name == "prior-u" {
			return 20
		}
		return k.Default
	})
	if err != nil || slices.Equal(got, want) {
		t.Errorf("the test cannot see a wrong default (%v)", err)
	}
}

// scoresOf fits a model with one setting, and those that are not set as told, and
// returns its scores for a stranger.
func scoresOf(t *testing.T, name string, set *ratings.Set, variant registry.Assignment, told func(setting.Setting) float64) ([]float64, error) {
	t.Helper()
	recipe, err := registry.New(name)
	if variant.Name != "" {
		recipe, err = configureWith(name, variant)
	}
	if err != nil {
		t.Fatal(err)
	}
	said := registry.Settings(recipe)
	for _, k := range recipe.Settings() {
		value, there := said[k.Name] // once more: one setting may ask for another
		if told == nil || !there && math.IsNaN(k.Default) {
			continue
		}
		if !there {
			value = told(k)
		}
		if err := k.Set(value); err != nil {
			t.Fatal(err)
		}
	}
	fitted, err := recipe.Fit(context.Background(), set, model.Run{Seed: 1, Jobs: 1})
	if err != nil {
		return nil, err
	}
	items := make([]uint32, set.Items().Len())
	for i := range items {
		items[i] = uint32(i)
	}
	scores := make([]float64, len(items))
	fitted.Score(model.Person{Index: -1}, items, scores)
	return scores, nil
}

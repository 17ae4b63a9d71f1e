package modelstore_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"fubini/core/setting"
	"fubini/learn/registry"
	"fubini/model"
)

// idle are settings that do nothing by default, whatever their value.
var idle = map[string]bool{
	"interest kinds":         true,                          // without a catalogue
	"interest periods":       true,                          // without times
	"latent-osm prior-sizes": true, "osm prior-sizes": true, // without sizes
	"recent-knn window": true, // without times; package picks tests it with them
}

// configureWith is the recipe of a model with one setting, also one that users cannot set.
func configureWith(name string, s registry.Assignment) (model.Recipe, error) {
	recipe, err := registry.New(name)
	if err != nil {
		return nil, err
	}
	k, err := setting.Find(recipe.Settings(), s.Name)
	if err != nil {
		return nil, err
	}
	return recipe, k.Parse(s.Value)
}

// Zero can be said of every setting of every model: it is refused by name, or it is kept as
// zero, and the model is another one than by default.
func TestZeroCanBeSaid(t *testing.T) {
	skipIfShort(t)
	set, refused, taken := goldenWorld(t), 0, 0
	for _, name := range registry.Names() {
		plain, err := registry.New(name)
		if err != nil {
			t.Fatal(err)
		}
		usual := goldenScores(t, set, name, nil)
		for _, k := range plain.Settings() {
			value := "0"
			if k.Names != nil {
				value = k.Names[0]
			}
			recipe, err := configureWith(name, registry.Assignment{Name: k.Name, Value: value})
			if err != nil {
				refused++
				if !strings.Contains(err.Error(), k.Name+" 0 must be positive") {
					t.Errorf("%s, %s=0: %v", name, k.Name, err)
				}
				continue
			}
			taken++
			if k.Value() == 0 { // by default, as the first of some choices is
				if !reflect.DeepEqual(plain, recipe) || len(registry.Settings(recipe)) != 0 {
					t.Errorf("%s: %s=%s is the default, and changes it", name, k.Name, value)
				}
				continue
			}
			if v, there := registry.Settings(recipe)[k.Name]; !there || v != 0 {
				t.Errorf("%s: %s=%s is kept as %v", name, k.Name, value, registry.Settings(recipe))
			}
			if reflect.DeepEqual(plain, recipe) {
				t.Errorf("%s: %s=%s is taken for the default", name, k.Name, value)
			}
			fitted, err := recipe.Fit(context.Background(), set, model.Run{Seed: 2, Jobs: 1})
			if err != nil {
				if !strings.Contains(err.Error(), k.Name) && k.Names == nil {
					t.Errorf("%s, %s=0: %v", name, k.Name, err)
				}
				continue
			}
			scores := make([]float64, 3)
			fitted.Score(model.Person{Index: 4, Known: set.Row(4)}, []uint32{0, 5, 17}, scores)
			if same := near(scores, usual[:3], 1e-12); same != idle[name+" "+k.Name] && k.Names == nil {
				t.Errorf("%s: with %s=0 it scores %v, by default %v", name, k.Name, scores, usual[:3])
			}
		}
	}
	if refused == 0 || taken == 0 {
		t.Errorf("%d settings refused, %d taken", refused, taken)
	}
}

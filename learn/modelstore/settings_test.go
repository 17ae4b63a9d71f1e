package modelstore_test

import (
	"strings"
	"testing"

	"fubini/core/setting"
	"fubini/learn/registry"
)

// Each model of ours offers twelve settings at most. The others are those of files and
// experiments: their names are refused, with what to do instead.
func TestOfferedSettings(t *testing.T) {
	for name, want := range map[string]string{
		"latent-osm":       "hidden units prior-w prior-v prior-u epochs rate size sizes co-occurrence relevance tastes discount levels",
		"latent-osm-paper": "hidden units prior-w prior-u epochs rate ties moves samples sweeps count",
		"osm":              "prior-u epochs rate size sizes sweeps",
	} {
		recipe, err := registry.New(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(setting.Names(recipe.Settings()), " "); got != want {
			t.Errorf("%s offers %s", name, got)
		}
		for _, k := range recipe.Settings() {
			if k.Internal == "" {
				continue
			}
			if _, err := registry.Configure([]string{name}, []registry.Assignment{{Name: k.Name, Value: "1"}}); err == nil || !strings.Contains(err.Error(), k.Internal) {
				t.Errorf("%s: %s: %v", name, k.Name, err)
			}
		}
	}
	// Where one model has retired the name and another has not, the other takes it.
	recipes, err := registry.Configure([]string{"latent-osm", "listrank-mf"}, []registry.Assignment{{Name: "batch", Value: "7"}})
	if err != nil || registry.Resolved(recipes[0])["batch"] != registry.ByData || registry.Resolved(recipes[1])["batch"] != "7" {
		t.Errorf("batch for two models: %v", err)
	}
}

// A switch with a precision beside it, as older files have it, and one number are the same
// weights by tier size; both come back from a file.
func TestSizesOfOlderFiles(t *testing.T) {
	for _, c := range []struct {
		old   map[string]float64
		sizes float64
	}{
		{map[string]float64{"sizes": 1}, 1},
		{map[string]float64{"sizes": 1, "prior-sizes": 0.1}, 0.1},
		{map[string]float64{"sizes": 0, "prior-sizes": 0.1}, 0},
	} {
		old, err := registry.New("latent-osm")
		if err != nil {
			t.Fatal(err)
		}
		if err := setting.Apply(old.Settings(), c.old); err != nil {
			t.Fatal(err)
		}
		if got := setting.Values(old.Settings())["sizes"]; got != c.sizes {
			t.Errorf("%v is sizes=%g", c.old, got)
		}
	}
	none, err := registry.New("latent-osm")
	if err != nil {
		t.Fatal(err)
	}
	if err := setting.Apply(none.Settings(), map[string]float64{"sizes": 1, "prior-sizes": -1}); err != nil {
		t.Fatal(err)
	}
	again, err := registry.New("latent-osm")
	if err != nil {
		t.Fatal(err)
	}
	if err := setting.Apply(again.Settings(), registry.Settings(none)); err != nil {
		t.Fatal(err)
	}
	if o := again.(registry.OrderedSetRecipe).TrainerOn(nil).Base(); !o.Sizes || o.Prior.Sizes != 0 {
		t.Errorf("weights without a prior come back as %t, %g", o.Sizes, o.Prior.Sizes)
	}
}

// The remedy for presence=no: prior-v=none is the same model.
func TestNoPresence(t *testing.T) {
	recipe, err := configureWith("latent-osm", registry.Assignment{Name: "prior-v", Value: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if got := registry.Settings(recipe); len(got) != 1 || got["presence"] != 0 {
		t.Errorf("prior-v=none is kept as %v", got)
	}
	if recipe.(registry.OrderedSetRecipe).TrainerOn(nil).Base().Presence {
		t.Error("prior-v=none has presence weights")
	}
}

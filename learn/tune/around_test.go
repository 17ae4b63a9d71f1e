package tune

import (
	"math"
	"testing"

	"fubini/learn/registry"
)

// Where the defaults are the best trial so far, settings are drawn near them too.
func TestDrawsNearTheDefaults(t *testing.T) {
	recipe, err := registry.New("ease")
	if err != nil {
		t.Fatal(err)
	}
	s := &search{model: "ease"}
	for _, k := range recipe.Settings() {
		if k.Searched() {
			s.searched = append(s.searched, k)
		}
	}
	middle := s.defaults()
	if len(middle) != len(s.searched) || len(middle) == 0 {
		t.Fatalf("the defaults stand at %v, of %d settings", middle, len(s.searched))
	}
	for k, share := range middle {
		if own := s.searched[k]; !(math.Abs(own.At(share)-own.Value()) <= 1e-9*own.Value()) {
			t.Errorf("%s: the default is %g, at its place stands %g", own.Name, own.Value(), own.At(share))
		}
	}
	s.trials = []*trial{{place: middle, values: []float64{.5}}}
	for n := 1; n < 20; n++ {
		for k, at := range s.around(n, 20) {
			if !(at >= 0 && at <= 1) || at == middle[k] {
				t.Errorf("draw %d: setting %d at %g", n, k, at)
			}
		}
	}
}

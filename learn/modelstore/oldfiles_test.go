package modelstore_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

// oldFile is a model, and a checkpoint of the same run, that a program wrote in which zero
// stood for the default and a negative number for none.
type oldFile struct {
	name     string // testdata/old-NAME.safetensors and .check
	model    string
	settings map[string]float64
	pause    int // epoch of the checkpoint
}

var oldFiles = []oldFile{
	{"latent", "latent-osm", map[string]float64{"hidden": 2, "prior-v": -1, "company": -1, "epochs": 5, "batch": 100, "discount": 0}, 2},
	{"unitless", "latent-osm", map[string]float64{"hidden": -1, "prior-u": -1, "epochs": 5, "batch": 100, "discount": 0}, 2},
	{"paper", "latent-osm-paper", map[string]float64{"hidden": 2, "epochs": 4}, 1},
	{"visible", "osm", map[string]float64{"prior-u": -1, "epochs": 6}, 3},
	{"pmf", "pmf", map[string]float64{"prior": -1, "hidden": 2, "epochs": 3}, 0},
}

func (o oldFile) recipe(t *testing.T) model.Recipe {
	t.Helper()
	r, err := registry.New(o.model)
	if err != nil {
		t.Fatal(err)
	}
	if err := setting.Apply(r.Settings(), o.settings); err != nil {
		t.Fatal(err)
	}
	return r
}

func (o oldFile) read(t *testing.T, ending string) *modelfile.File {
	t.Helper()
	text, err := os.ReadFile("testdata/old-" + o.name + ending)
	if err != nil {
		t.Fatal(err)
	}
	f, err := modelfile.Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (o oldFile) scores(m model.Model, t *testing.T) []float64 {
	t.Helper()
	scores := make([]float64, 4)
	m.Score(model.Person{Index: -1, Known: goldenWorld(t).Row(9)}, []uint32{0, 5, 11, 17}, scores)
	return scores
}

// Files of before zero could be said load with the same meaning: a model gives the same
// scores, new ratings taken into it leave the same model, and a run that goes on from a
// checkpoint ends where the unbroken run ended, without the discount and the population, which came later. The files are by a program of then, and are
// not to be written anew.
func TestOldFiles(t *testing.T) {
	skipIfShort(t)
	const path = "testdata/old.json"
	got := map[string][]float64{}
	for _, o := range oldFiles {
		s, err := modelstore.Open(o.read(t, ".safetensors"))
		if err != nil {
			t.Fatal(err)
		}
		got[o.name] = o.scores(s.Model, t)
		if o.pause == 0 {
			continue
		}
		next, _, err := modelstore.Extend(context.Background(), s, planted(t, 12, 9), modelstore.Request{Seed: 4, Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		got[o.name+", extended"] = o.scores(next.Model, t)
		on, err := modelstore.Train(context.Background(), goldenWorld(t), modelstore.Request{Model: o.model, Recipe: o.recipe(t), Seed: 2, Jobs: 1, Resume: o.read(t, ".check")})
		if err != nil {
			t.Fatal(err)
		}
		if m, latent := on.Model.(*registry.Latent); latent {
			m.Population = nil // which came later too
		}
		if resumed := o.scores(on.Model, t); !near(resumed, got[o.name], 1e-8) {
			t.Errorf("%s: resumed %v, unbroken %v", o.name, resumed, got[o.name])
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]float64{}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	for name, scores := range want {
		if !near(got[name], scores, 1e-8) {
			t.Errorf("%s: scores %v, before %v", name, got[name], scores)
		}
	}
}

package modelstore_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

// written returns the bytes of a container, and what is read back from them.
func written(t *testing.T, f *modelfile.File) ([]byte, *modelfile.File) {
	t.Helper()
	var out bytes.Buffer
	if _, err := f.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	back, err := modelfile.Read(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), back
}

func trained(t *testing.T, r modelstore.Request) *modelstore.Saved {
	t.Helper()
	s, err := modelstore.Train(context.Background(), planted(t, 40, 15), r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestModelsSurviveTheirFiles(t *testing.T) {
	skipIfShort(t)
	for _, name := range registry.Names() {
		s := trained(t, modelstore.Request{Model: name, Recipe: recipe(t, name, 6), Program: "test", Seed: 7})
		f, err := s.File()
		if err != nil {
			t.Fatal(err)
		}
		first, read := written(t, f)
		back, err := modelstore.Open(read)
		if err != nil {
			t.Fatal(err)
		}
		everything := make([]uint32, len(s.ItemIDs))
		for i := range everything {
			everything[i] = uint32(i)
		}
		before, after := make([]float64, len(everything)), make([]float64, len(everything))
		person := model.Person{Index: -1, Known: planted(t, 40, 15).Row(3)}
		s.Model.Score(person, everything, before)
		back.Model.Score(person, everything, after)
		if !slices.Equal(before, after) || !reflect.DeepEqual(s.History, back.History) || !reflect.DeepEqual(s.ItemIDs, back.ItemIDs) {
			t.Errorf("%s: the model that was read is another", name)
		}
		if back.Seed != 7 || back.Program != "test" || back.Name != name || back.Ratings == 0 || back.Users != 40 {
			t.Errorf("%s: %+v", name, back)
		}
		again, err := back.File()
		if err != nil {
			t.Fatal(err)
		}
		if second, _ := written(t, again); !bytes.Equal(first, second) {
			t.Errorf("%s: written again, the bytes differ", name)
		}
	}
}

// A run that is broken off and resumed from its checkpoint file writes the same
// bytes as one that was not, for chains too.
func TestResumedRunsWriteTheSameBytes(t *testing.T) {
	set := planted(t, 40, 15)
	for _, name := range []string{"osm", "latent-osm", "latent-osm-paper"} {
		r := modelstore.Request{Model: name, Recipe: recipe(t, name, 8), Seed: 3}
		whole := trainedBytes(t, set, r)
		r.Resume = brokenOff(t, set, r)
		if resumed := trainedBytes(t, set, r); !bytes.Equal(whole, resumed) {
			t.Errorf("%s: the resumed run wrote other bytes", name)
		}
	}
}

// trainedBytes trains, and returns the file of the model.
func trainedBytes(t *testing.T, set *ratings.Set, r modelstore.Request) []byte {
	t.Helper()
	s, err := modelstore.Train(context.Background(), set, r)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.File()
	if err != nil {
		t.Fatal(err)
	}
	text, _ := written(t, f)
	return text
}

func TestFilesThatDoNotFit(t *testing.T) {
	s := trained(t, modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 2)})
	for name, c := range map[string]struct {
		change func(f *modelfile.File)
		says   string
	}{
		"unknown model":  {func(f *modelfile.File) { f.Metadata[modelfile.KeyModel] = "svd" }, `model "svd"`},
		"no seed":        {func(f *modelfile.File) { f.Metadata[modelfile.KeySeed] = "x" }, "seed"},
		"other settings": {func(f *modelfile.File) { f.Metadata[modelfile.KeySettings] = `{"colour":"red"}` }, "colour"},
		"wrong hidden": {func(f *modelfile.File) {
			f.Metadata["latent"] = `{"units":"gaussian","hidden":3,"size":2,"centred":true}`
		}, "W"},
		"items twice": {func(f *modelfile.File) {
			f.SetStrings(modelfile.ItemIDs, make15("same"))
		}, "twice"},
		"wrong units": {func(f *modelfile.File) {
			f.Metadata["latent"] = `{"units":"ternary","hidden":20,"size":2,"centred":true}`
		}, "ternary"},
	} {
		f, err := s.File()
		if err != nil {
			t.Fatal(err)
		}
		c.change(f)
		_, read := written(t, f)
		if _, err := modelstore.Open(read); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; expected it to say %q", name, err, c.says)
		}
	}
	if _, err := modelstore.Train(context.Background(), planted(t, 20, 10), modelstore.Request{Model: "svd"}); err == nil {
		t.Error("an unknown model was trained")
	}
	for _, text := range []string{"hidden", "=3", "hidden=", "colour=red", "units=ternary", "hidden=1.5", "osm.hidden=3"} {
		setting, err := registry.ParseAssignment(text)
		if err == nil {
			_, err = registry.Configure([]string{"latent-osm", "osm"}, []registry.Assignment{setting})
		}
		if err == nil {
			t.Errorf("%s was taken", text)
		}
	}
}

// recipe returns a model with so many epochs, where it has them.
func recipe(t *testing.T, name string, epochs int) model.Recipe {
	t.Helper()
	r, err := registry.New(name)
	if err != nil {
		t.Fatal(err)
	}
	if k, err := setting.Find(r.Settings(), "epochs"); err == nil {
		if err := k.Set(float64(epochs)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func make15(id string) []string {
	ids := make([]string, 15)
	for k := range ids {
		ids[k] = id
	}
	return ids
}

// brokenOff is the checkpoint of a run that was called off after five epochs.
func brokenOff(t *testing.T, set *ratings.Set, r modelstore.Request) (checkpoint *modelfile.File) {
	t.Helper()
	return brokenOffAfter(t, 5, set, r)
}

func brokenOffAfter(t *testing.T, epochs int, set *ratings.Set, r modelstore.Request) (checkpoint *modelfile.File) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	r.SaveEvery = 100
	r.Save = func(f *modelfile.File) error { _, checkpoint = written(t, f); return nil }
	r.Observe = func(e modelstore.Epoch, _ int) {
		if e.Epoch == epochs {
			stop()
		}
	}
	if _, err := modelstore.Train(ctx, set, r); !errors.Is(err, context.Canceled) {
		t.Fatalf("%s: %v", r.Model, err)
	}
	return checkpoint
}

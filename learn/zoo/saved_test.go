package zoo_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"fubini/data/modelfile"
	"fubini/learn/zoo"
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

func trained(t *testing.T, r zoo.Request) *zoo.Saved {
	t.Helper()
	s, err := zoo.Train(context.Background(), planted(t, 40, 15), r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestModelsSurviveTheirFiles(t *testing.T) {
	for _, name := range zoo.Trainable() {
		s := trained(t, zoo.Request{Model: name, Epochs: 6, Program: "test", Settings: zoo.Settings{Seed: 7}})
		f, err := s.File()
		if err != nil {
			t.Fatal(err)
		}
		first, read := written(t, f)
		back, err := zoo.Open(read)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(s.Catalogue, back.Catalogue) || !reflect.DeepEqual(s.History, back.History) || !reflect.DeepEqual(s.ItemIDs, back.ItemIDs) {
			t.Errorf("%s: the model that was read is another", name)
		}
		if back.Seed != 7 || back.Program != "test" || back.Name != name || back.Ratings == 0 || back.Users != 40 || len(back.History) != 6 {
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
	for _, name := range zoo.Trainable() {
		r := zoo.Request{Model: name, Epochs: 8, Settings: zoo.Settings{Seed: 3}}
		file := func(s *zoo.Saved, err error) []byte {
			t.Helper()
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
		whole := file(zoo.Train(context.Background(), set, r))
		ctx, stop := context.WithCancel(context.Background())
		var checkpoint *modelfile.File
		broken := r
		broken.SaveEvery = 100
		broken.Save = func(f *modelfile.File) error { _, checkpoint = written(t, f); return nil }
		broken.Observe = func(e zoo.Epoch, _ int) {
			if e.Epoch == 5 {
				stop()
			}
		}
		if _, err := zoo.Train(ctx, set, broken); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: %v", name, err)
		}
		r.Resume = checkpoint
		if resumed := file(zoo.Train(context.Background(), set, r)); !bytes.Equal(whole, resumed) {
			t.Errorf("%s: the resumed run wrote other bytes", name)
		}
	}
}

func TestFilesThatDoNotFit(t *testing.T) {
	s := trained(t, zoo.Request{Model: "latent-osm", Epochs: 2})
	for name, c := range map[string]struct {
		change func(f *modelfile.File)
		says   string
	}{
		"unknown model":  {func(f *modelfile.File) { f.Metadata[modelfile.KeyModel] = "svd" }, `model "svd"`},
		"no seed":        {func(f *modelfile.File) { f.Metadata[modelfile.KeySeed] = "x" }, "seed"},
		"other settings": {func(f *modelfile.File) { f.Metadata[modelfile.KeySettings] = `{"colour":"red"}` }, "colour"},
		"wrong hidden": {func(f *modelfile.File) {
			f.Metadata[modelfile.KeySettings] = `{"units":"gaussian","hidden":3,"size":2,"centred":true,"ratings":1,"users":1}`
		}, "W"},
		"items twice": {func(f *modelfile.File) {
			f.SetStrings(modelfile.ItemIDs, make15("same"))
		}, "twice"},
		"wrong units": {func(f *modelfile.File) {
			f.Metadata[modelfile.KeySettings] = `{"units":"ternary","hidden":20,"size":2,"centred":true,"ratings":1,"users":1}`
		}, "ternary"},
	} {
		f, err := s.File()
		if err != nil {
			t.Fatal(err)
		}
		c.change(f)
		_, read := written(t, f)
		if _, err := zoo.Open(read); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; expected it to say %q", name, err, c.says)
		}
	}
	for _, r := range []zoo.Request{{Model: "svd"}, {Model: "osm", Hidden: 3}, {Model: "latent-osm", Units: "ternary"}} {
		if _, err := zoo.Train(context.Background(), planted(t, 20, 10), r); err == nil {
			t.Errorf("%+v was trained", r)
		}
	}
}

func make15(id string) []string {
	ids := make([]string, 15)
	for k := range ids {
		ids[k] = id
	}
	return ids
}

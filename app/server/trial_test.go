package server_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"fubini/app/server"
	"fubini/data/modelfile"
)

// weighted is the model of world with one parameter, or all of a kind, changed.
func weighted(t testing.TB, tensor string, value float64, all bool) *modelfile.File {
	t.Helper()
	file := world(t, 1, 30, 3)
	kept, there := file.Tensor(tensor)
	if !there {
		t.Fatalf("no tensor %s", tensor)
	}
	numbers := make([]float64, len(kept.Data)/8)
	for k := range numbers {
		numbers[k] = math.Float64frombits(binary.LittleEndian.Uint64(kept.Data[8*k:]))
		if all || k == len(numbers)/2 {
			numbers[k] = value
		}
	}
	modelfile.Set(file, tensor, numbers, kept.Shape...)
	return file
}

// Parameters that are finite, but too large for what is computed of them, are refused
// before they are served: in every place, alone and together.
func TestExtremeWeightsAreNotServed(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for _, tensor := range []string{"u", "W", "v", "nu", "nu_k", "b"} {
		for _, value := range []float64{1e39, 1e160, -1.7e308} {
			for _, all := range []bool{false, true} {
				s.file.Store(weighted(t, tensor, value, all))
				if _, err := s.server.Reload(t.Context()); err != nil {
					continue
				}
				// Then it must be good for what the trial does not ask, too.
				for _, body := range []string{`{"tiers":[],"n":30,"min_support":0}`, `{"tiers":[["item-2"],["item-15","item-14"]],"n":27,"min_support":0}`,
					`{"tiers":[["item-15"],["item-16"],["item-5","item-7"]],"n":26,"min_support":0}`} {
					if got := s.ask("POST", "/v1/recommend", body); got.status != 200 {
						t.Errorf("%s of %g (all: %t) is served, and %s is answered by %d", tensor, value, all, body, got.status)
					}
				}
			}
		}
	}
	// The ones that made the server answer 500.
	for _, c := range []struct {
		tensor string
		value  float64
		all    bool
	}{{"u", 1.7e308, true}, {"W", 1e160, true}, {"W", 1e160, false}, {"b", 1.7e308, true}, {"v", 1e200, true}} {
		s.file.Store(weighted(t, c.tensor, c.value, c.all))
		if _, err := s.server.Reload(t.Context()); err == nil {
			t.Errorf("%s of %g (all: %t) is served", c.tensor, c.value, c.all)
		}
	}
	s.file.Store(world(t, 2, 30, 3))
	if _, err := s.server.Reload(t.Context()); err != nil {
		t.Error(err)
	}
}

// A model that makes the server panic is an error, at the start and in a reload.
func TestModelsThatPanic(t *testing.T) {
	oneClient(t)
	s := start(t, func(o *server.Options) {
		load, loads := o.Load, 0
		o.Load = func(ctx context.Context) (*modelfile.File, error) {
			if loads++; loads > 1 {
				panic("a fault in reading")
			}
			return load(ctx)
		}
	})
	s.server.Signalled(t.Context()) // in a goroutine of its own where the program runs
	if _, err := s.server.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), "a fault in reading") {
		t.Errorf("%v", err)
	}
	_, err := server.New(t.Context(), server.Options{Load: func(context.Context) (*modelfile.File, error) { panic("at the start") }})
	if err == nil || !strings.Contains(err.Error(), "at the start") {
		t.Errorf("%v", err)
	}
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[]}`); got.status != 200 {
		t.Errorf("%d: %s", got.status, got.text)
	}
}

// Metadata that speak of other sizes than the arrays have end in an error.
func TestModelsOfImpossibleSize(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	before := s.server.ModelID()
	for _, hidden := range []string{"2000000000", "1000000000000000000", "-1", "0", "4"} {
		file := world(t, 1, 30, 3)
		file.Metadata["latent"] = fmt.Sprintf(`{"units":"gaussian","hidden":%s,"size":2,"centred":true}`, hidden)
		s.file.Store(file)
		if _, err := s.server.Reload(t.Context()); err == nil {
			t.Errorf("%s hidden units were taken", hidden)
		}
	}
	if s.server.ModelID() != before {
		t.Error("another model is served")
	}
}

// Small models pass, and those with ids that no path can name.
func TestTrialsOfSmallModels(t *testing.T) {
	oneClient(t)
	for _, items := range []int{1, 2, 3} {
		for _, units := range []int{0, 1, 3} {
			file := world(t, 1, items, units)
			if items == 3 {
				file.SetStrings(modelfile.ItemIDs, []string{".", "..", "a/b %?#\u00e9"})
			}
			s, err := server.New(t.Context(), server.Options{Load: func(context.Context) (*modelfile.File, error) { return file, nil }})
			if err != nil {
				t.Errorf("%d items, %d units: %v", items, units, err)
				continue
			}
			s.Close()
		}
	}
}

package server_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fubini/app/server"
	"fubini/app/store"
	"fubini/data/modelfile"
)

// fromFile reads the model from a path, as the program does.
func fromFile(path string) func(context.Context) (*modelfile.File, error) {
	return func(context.Context) (*modelfile.File, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		return modelfile.Read(file, info.Size())
	}
}

func writeModel(t testing.TB, path string, f *modelfile.File) {
	t.Helper()
	to, err := os.Create(path + ".new")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteTo(to); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(to.Close(), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
}

// Reloads under load drop no request, and each answer is wholly of the model that it
// names: its scores are those of that model for this very list.
func TestReloadUnderLoad(t *testing.T) {
	s := start(t, nil)
	const body = `{"tiers":[["item-3","item-1"],["item-8"]],"n":10}`
	models := []*modelfile.File{world(t, 1, 30, 3), world(t, 2, 30, 3)}
	truth := map[string]recommended{}
	for _, m := range models { // each model on its own first
		s.file.Store(m)
		if _, err := s.server.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := read[recommended](t, s.ask("POST", "/v1/recommend", body), 200)
		truth[got.Model] = got
	}
	if len(truth) != 2 {
		t.Fatal("the two models have one id")
	}
	var stop atomic.Bool
	var asked sync.Map
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for !stop.Load() {
				got := s.ask("POST", "/v1/recommend", body)
				if got.status != 200 {
					t.Errorf("status %d: %s", got.status, got.text)
					return
				}
				answer := read[recommended](t, got, 200)
				count, _ := asked.LoadOrStore(answer.Model, &atomic.Int64{})
				count.(*atomic.Int64).Add(1)
				if fmt.Sprint(answer.Items) == "" || !same(answer, truth[answer.Model]) {
					t.Errorf("an answer in the name of %s is not its own", answer.Model)
					return
				}
			}
		})
	}
	reloads := 60
	if testing.Short() {
		reloads = 20
	}
	for k := range reloads {
		s.file.Store(models[k%2])
		if _, err := s.server.Reload(t.Context()); err != nil {
			t.Error(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	stop.Store(true)
	clients.Wait()
	for id := range truth {
		if count, there := asked.Load(id); !there || count.(*atomic.Int64).Load() < 10 {
			t.Errorf("model %s hardly answered", id)
		}
	}
}

// same compares two answers to the last bit.
func same(a, b recommended) bool {
	if len(a.Items) != len(b.Items) || len(a.Items) == 0 {
		return false
	}
	for k, x := range a.Items {
		y := b.Items[k]
		if x.Item != y.Item || math.Float64bits(x.Score) != math.Float64bits(y.Score) || fmt.Sprint(x.TierProbs, x.GapProbs) != fmt.Sprint(y.TierProbs, y.GapProbs) {
			return false
		}
	}
	return true
}

// The broken twin: answers of two models are not the same.
func TestSameCanFail(t *testing.T) {
	s := start(t, nil)
	one := read[recommended](t, s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]]}`), 200)
	s.file.Store(world(t, 2, 30, 3))
	if _, err := s.server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := read[recommended](t, s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]]}`), 200)
	if same(one, other) || !same(one, one) {
		t.Error("answers of two models pass for the same")
	}
}

// A file that is no good changes nothing, says so, and can be mended without a
// restart.
func TestGarbageDuringReload(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.safetensors")
	writeModel(t, path, world(t, 1, 30, 3))
	s := start(t, func(o *server.Options) { o.Load = fromFile(path) })
	before := s.server.ModelID()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte{}, whole...)
	flipped[len(flipped)-100] ^= 1
	for name, text := range map[string][]byte{"empty": {}, "text": []byte("not a model at all"), "half": whole[:len(whole)/2], "a bit flipped": flipped} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		expectProblem(t, s.ask("POST", "/v1/model/reload", "", s.key()...), 409, "")
		if _, err := s.server.Reload(t.Context()); err == nil {
			t.Errorf("%s: taken for a model", name)
		}
		if got := read[recommended](t, s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]]}`), 200); got.Model != before {
			t.Errorf("%s: model %s answers", name, got.Model)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	expectProblem(t, s.ask("POST", "/v1/model/reload", "", s.key()...), 409, "")
	if !strings.Contains(s.log.String(), "the old one goes on serving") {
		t.Error("the log does not tell")
	}
	writeModel(t, path, world(t, 2, 25, 3))
	got := read[struct{ Model, Before string }](t, s.ask("POST", "/v1/model/reload", "", s.key()...), 200)
	if got.Before != before || got.Model == before || got.Model != s.server.ModelID() {
		t.Errorf("%+v", got)
	}
	// What was done is written down, with the key that did it.
	audit := read[struct {
		Entries []struct{ Key, Action, RequestID string }
	}](t, s.ask("GET", "/v1/audit", "", s.key()...), 200)
	if len(audit.Entries) != 6 || audit.Entries[0].Action != "model.reload" || audit.Entries[0].Key == "" {
		t.Errorf("%+v", audit)
	}
}

// A model without the Ordered Set family's parameters is refused at the door.
func TestModelsThatCannotBeServed(t *testing.T) {
	file := world(t, 1, 30, 3)
	file.Metadata["model"] = "item-mean"
	_, err := server.New(t.Context(), server.Options{Load: func(context.Context) (*modelfile.File, error) { return file, nil }})
	if err == nil {
		t.Error("a model of another kind is served")
	}
	if _, err := server.New(t.Context(), server.Options{}); err == nil {
		t.Error("nothing is served")
	}
}

// A signal during a reload is not lost: the file may have changed since it was read.
// Several of them are one. Who asks by the API is told to come back.
func TestSignalsDuringAReloadWait(t *testing.T) {
	var loads atomic.Int64
	entered, release := make(chan struct{}, 10), make(chan struct{})
	s := start(t, func(o *server.Options) {
		load := o.Load
		o.Load = func(ctx context.Context) (*modelfile.File, error) {
			file, err := load(ctx)
			if loads.Add(1) > 1 { // the first is that of the start
				entered <- struct{}{}
				<-release
			}
			return file, err
		}
	})
	var under sync.WaitGroup
	under.Go(func() { s.server.Signalled(t.Context()) })
	<-entered // the old file has been read
	changed := world(t, 2, 30, 3)
	s.file.Store(changed)
	for range 5 {
		under.Go(func() { s.server.Signalled(t.Context()) })
	}
	expectProblem(t, s.ask("POST", "/v1/model/reload", "", s.key()...), 409, "")
	for range 400 { // until all have come
		if page, _, err := s.store.ListAudit(t.Context(), store.Page{}); err != nil || len(page) == 7 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond) // from the audit log to the wait
	before := s.server.ModelID()
	close(release)
	under.Wait()
	if got := loads.Load(); got != 3 {
		t.Errorf("the file was read %d times, want 3: at the start, for the first signal, and for those during it", got)
	}
	if s.server.ModelID() == before {
		t.Error("the changed file is not served")
	}
}

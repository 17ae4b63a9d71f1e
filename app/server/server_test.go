package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"fubini/app/gate"
	"fubini/app/server"
	"fubini/app/servertest"
	"fubini/app/store"
	"fubini/core/rng"
	"fubini/data/modelfile"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model/latent"
)

// world is a small model with every kind of parameter, written into a file. Items
// are item-0, item-1, ...; the last one is known from a single rating.
func world(t testing.TB, seed uint64, items, k int) *modelfile.File {
	t.Helper()
	c := latent.Shape{Items: items, K: k, Units: latent.Gaussian, Options: latent.Options{Size: 2, Centred: true}, Presence: true}.New()
	*c.Nu = 0.3
	r := rng.Stream(seed, "world")
	for _, list := range [][]float64{c.U, c.W, c.V, c.B, c.NuK} {
		for i := range list {
			list[i] = 0.5 * r.NormFloat64()
		}
	}
	saved := &modelstore.Saved{Name: "latent-osm", Program: "test", Seed: seed, Data: "0123456789abcdef", Ratings: 100 * items, Users: 100, Low: 1, High: 5, Model: &registry.Latent{Catalogue: c}}
	saved.History = []modelstore.Epoch{{Epoch: 1, Distance: 0.5, Split: 0.1}, {Epoch: 2, Distance: 0.4, Split: 0.2}}
	for i := range items {
		saved.ItemIDs = append(saved.ItemIDs, fmt.Sprintf("item-%d", i))
		saved.ItemNames = append(saved.ItemNames, fmt.Sprintf("Élément %d", i))
		saved.Seen = append(saved.Seen, uint32(100+items-i))
	}
	saved.Seen[items-1] = 1
	file, err := saved.File()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// setup is a server over a small model, and all that a test may look at.
type setup struct {
	*httptest.Server
	server *server.Server
	store  store.Store
	file   atomic.Pointer[modelfile.File] // what the next reload reads
	admin  string                         // an API key
	log    *servertest.Log
	t      testing.TB
}

// oneClient skips a test of one client, which asks again after each answer, where the race detector runs (-short): it sees
// more in the tests of many clients, jobs and reloads.
func oneClient(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one client after another: there is little for the race detector to see")
	}
}

// start serves a small model over a store in memory; change adjusts the options.
func start(t testing.TB, change func(o *server.Options)) *setup {
	t.Helper()
	s := &setup{t: t, log: &servertest.Log{}}
	s.file.Store(world(t, 1, 30, 3))
	kept, err := store.Open(t.Context(), "sqlite::memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	s.store = kept
	if _, s.admin, err = kept.AddKey(t.Context(), "test", []store.Scope{store.Admin}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	options := server.Options{
		Load:      func(context.Context) (*modelfile.File, error) { return s.file.Load(), nil },
		Store:     kept,
		Anonymous: []store.Scope{store.Read, store.Write},
		Loopback:  true,
		Version:   "test",
		Log:       slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		HasData: func(name string) error {
			if name != "ratings.csv" {
				return errors.New("no such file")
			}
			return nil
		},
		Train: func(_ context.Context, order server.TrainOrder, observe func(server.Progress)) (server.Candidate, error) {
			for e := range order.Epochs {
				observe(server.Progress{Epoch: e + 1, Epochs: order.Epochs, Distance: 0.5})
			}
			return &trained{file: world(t, 7, 30, 3), keep: s.file.Store}, nil
		},
	}
	if change != nil {
		change(&options)
	}
	if s.server, err = server.New(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.server.Close)
	s.Server = httptest.NewUnstartedServer(nil)
	s.Config = s.server.HTTP()
	s.Start()
	t.Cleanup(s.Server.Close)
	return s
}

// trained is a candidate in memory.
type trained struct {
	file    *modelfile.File
	keep    func(*modelfile.File)
	dropped bool
}

func (c *trained) Load(context.Context) (*modelfile.File, error) { return c.file, nil }
func (c *trained) Keep() error                                   { c.keep(c.file); return nil }
func (c *trained) Drop() error                                   { c.dropped = true; return nil }

// reply is an answer, read to its end.
type reply struct {
	status int
	header http.Header
	text   []byte
}

// ask sends a request. Headers come in pairs.
func (s *setup) ask(method, path, body string, headers ...string) reply {
	s.t.Helper()
	answer, text := servertest.Ask(s.t, method, s.URL+path, body, headers...)
	return reply{answer.StatusCode, answer.Header, []byte(text)}
}

// key is the header of an admin.
func (s *setup) key() []string { return []string{"Authorization", "Bearer " + s.admin} }

// read decodes an answer that must have a status.
func read[T any](t testing.TB, r reply, status int) T {
	t.Helper()
	var value T
	if r.status != status {
		t.Fatalf("status %d, want %d: %s", r.status, status, r.text)
	}
	if err := json.Unmarshal(r.text, &value); err != nil {
		t.Fatalf("%v: %s", err, r.text)
	}
	return value
}

// expectProblem wants a problem document with a status, and a fault at a place.
func expectProblem(t testing.TB, r reply, status int, location string) {
	t.Helper()
	p := read[gate.Problem](t, r, status)
	if kind := r.header.Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("content type %q", kind)
	}
	if p.Status != status || p.RequestID == "" || p.Detail == "" || p.Title == "" {
		t.Errorf("incomplete: %s", r.text)
	}
	for _, f := range p.Errors {
		if f.Location == location && f.Message != "" {
			return
		}
	}
	if location != "" {
		t.Errorf("no fault at %s: %s", location, r.text)
	}
}

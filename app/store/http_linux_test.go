package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"fubini/app/gate"
	"fubini/app/server"
	"fubini/app/servertest"
	"fubini/app/store"
	"fubini/data/modelfile"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model/latent"
)

// smallModel is a model of three items that all are as good.
func smallModel(t *testing.T) *modelfile.File {
	t.Helper()
	const items = 3
	saved := &modelstore.Saved{Name: "latent-osm", Program: "test", Data: "none", Users: 1, Ratings: items, Low: 1, High: 5,
		Model: &registry.Latent{Catalogue: latent.NewCatalogue(items, 1, latent.Gaussian, latent.Options{Size: 2, Centred: true})}}
	for i := range items {
		saved.ItemIDs, saved.ItemNames, saved.Seen = append(saved.ItemIDs, fmt.Sprint("item-", i)), append(saved.ItemNames, fmt.Sprint("Item ", i)), append(saved.Seen, 100)
	}
	file, err := saved.File()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// A PostgreSQL that goes and comes back, as clients of the server see it: 503 with
// Retry-After for what needs it, everything else as ever, and no restart.
func TestLostDatabaseThroughHTTP(t *testing.T) {
	if testing.Short() {
		t.Skip("one client: there is nothing for the race detector to see")
	}
	postgres, address := store.SharedPostgres(t)
	kept, err := store.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	file := smallModel(t)
	s, err := server.New(t.Context(), server.Options{
		Load: func(context.Context) (*modelfile.File, error) { return file, nil }, Store: kept, Loopback: true, Anonymous: []store.Scope{store.Read, store.Write},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	const list = "/v1/lists/lost-and-found-00000000"
	ask := func(method, path, body string, headers ...string) (*http.Response, string) {
		t.Helper()
		return servertest.Ask(t, method, web.URL+path, body, append([]string{"X-List-Secret", "an owner's own secret"}, headers...)...)
	}
	body := func(title string) string { return fmt.Sprintf(`{"title":%q,"tiers":[]}`, title) }
	made, text := ask("PUT", list, body("first"), "If-None-Match", "*")
	if made.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %s", made.Status, text)
	}
	tag := made.Header.Get("ETag")
	for _, how := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		if err := postgres.Stop(how); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for _, method := range []string{"PUT", "GET", "DELETE"} {
				begun := time.Now()
				answer, text := ask(method, list, body("lost"), "If-Match", tag)
				var problem gate.Problem
				if err := json.Unmarshal([]byte(text), &problem); err != nil || answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" ||
					answer.Header.Get("Content-Type") != "application/problem+json" || !strings.Contains(problem.Detail, "storage is unavailable") || problem.RequestID == "" {
					t.Errorf("%s after %s: %s, Retry-After %q: %s", method, how, answer.Status, answer.Header.Get("Retry-After"), text)
				}
				if waited := time.Since(begun); waited > 12*time.Second {
					t.Errorf("%s after %s: no answer for %s", method, how, waited)
				}
				if strings.Contains(text, "postgres") || strings.Contains(text, "socket") {
					t.Errorf("the answer tells of the inside: %s", text)
				}
			}
		}
		if answer, text := ask("POST", "/v1/recommend", `{"tiers":[["item-1"]]}`); answer.StatusCode != http.StatusOK {
			t.Errorf("recommending without a store: %s: %s", answer.Status, text)
		}
		if answer, text := ask("GET", "/readyz", ""); answer.StatusCode != http.StatusOK || !strings.Contains(text, "storage is unavailable") {
			t.Errorf("/readyz: %s: %s", answer.Status, text)
		}
		if err := postgres.Start(); err != nil {
			t.Fatal(err)
		}
		title := "found after " + how.String()
		changed, text := ask("PUT", list, body(title), "If-Match", tag)
		if changed.StatusCode != http.StatusOK {
			t.Fatalf("the database is back, and yet %s: %s", changed.Status, text)
		}
		tag = changed.Header.Get("ETag")
		if answer, text := ask("GET", list, ""); answer.StatusCode != http.StatusOK || !strings.Contains(text, title) || answer.Header.Get("ETag") != tag {
			t.Errorf("%s: %s", answer.Status, text)
		}
	}
}

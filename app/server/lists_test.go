package server_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fubini/app/server"
	"fubini/app/store"
)

const (
	someList = "/v1/lists/aaaaaaaaaabbbbbbbbbbcc"
	aSecret  = "an owner's own secret"
	aList    = `{"title":"Mine","tiers":[{"name":"S","colour":"#ff0000","items":["item-1"]},{"name":"A","items":[]}],"unranked":["item-2"],"guesses":true}`
)

type savedList struct {
	Title string `json:"title"`
	Tiers []struct {
		Name  string   `json:"name"`
		Items []string `json:"items"`
	} `json:"tiers"`
	Updated string `json:"updated"`
}

func TestAListFromItsMakingToItsEnd(t *testing.T) {
	s := start(t, nil)
	made := s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-None-Match", "*")
	first := made.header.Get("ETag")
	if made.status != 201 || first == "" {
		t.Fatalf("status %d, tag %q: %s", made.status, first, made.text)
	}
	got := s.ask("GET", someList, "")
	if list := read[savedList](t, got, 200); list.Title != "Mine" || len(list.Tiers) != 2 || list.Tiers[1].Items == nil || list.Updated == "" || got.header.Get("ETag") != first {
		t.Errorf("%s, tag %s", got.text, got.header.Get("ETag"))
	}
	if again := s.ask("GET", someList, "", "If-None-Match", first); again.status != 304 {
		t.Errorf("status %d for the version that we have", again.status)
	}
	// A second making, a change without and with the right version and secret.
	expectProblem(t, s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-None-Match", "*"), 412, "")
	expectProblem(t, s.ask("PUT", someList, aList, "X-List-Secret", aSecret), 428, "header.If-Match")
	expectProblem(t, s.ask("PUT", someList, aList, "X-List-Secret", "not the owner's secret", "If-Match", first), 403, "")
	expectProblem(t, s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-Match", "W/"+first), 412, "header.If-Match")
	changed := s.ask("PUT", someList, strings.Replace(aList, "Mine", "Ours", 1), "X-List-Secret", aSecret, "If-Match", first)
	if changed.status != 200 || changed.header.Get("ETag") == first {
		t.Fatalf("status %d, tag %s: %s", changed.status, changed.header.Get("ETag"), changed.text)
	}
	conflict := s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-Match", first)
	expectProblem(t, conflict, 412, "")
	if conflict.header.Get("ETag") != changed.header.Get("ETag") {
		t.Errorf("a conflict has the tag %q, the current one is %q", conflict.header.Get("ETag"), changed.header.Get("ETag"))
	}
	expectProblem(t, s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-Match", `"nonsense"`), 422, "header.If-Match")
	expectProblem(t, s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-Match", `"99999999999999999999"`), 412, "header.If-Match")
	expectProblem(t, s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-None-Match", first), 422, "header.If-None-Match")
	expectProblem(t, s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-None-Match", "*", "If-Match", first), 422, "header.If-Match")
	expectProblem(t, s.ask("DELETE", someList, "", "X-List-Secret", "not the owner's secret"), 403, "")
	if gone := s.ask("DELETE", someList, "", "X-List-Secret", aSecret); gone.status != 204 {
		t.Errorf("status %d: %s", gone.status, gone.text)
	}
	expectProblem(t, s.ask("GET", someList, ""), 404, "")
	expectProblem(t, s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-Match", first), 404, "")
	expectProblem(t, s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-Match", "*"), 412, "header.If-Match")
	expectProblem(t, s.ask("DELETE", someList, "", "X-List-Secret", aSecret), 404, "")
}

func TestListsThatAreRefused(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for _, c := range []struct{ path, body, secret, location string }{
		{"/v1/lists/short", aList, aSecret, "path.id"},
		{"/v1/lists/aaaaaaaaaabbbbbbbbbb..", aList, aSecret, "path.id"},
		{someList, aList, "", "header.X-List-Secret"},
		{someList, aList, "short", "header.X-List-Secret"},
		{someList, `{"title":"x"}`, aSecret, "body"},
		{someList, `{"title":"x","tiers":[{"name":"S","items":["a"]},{"name":"A","items":["b","a"]}]}`, aSecret, "body.tiers[1].items[1]"},
		{someList, `{"title":"x","tiers":[{"name":"S","colour":"url(evil)","items":[]}]}`, aSecret, "body.tiers[0].colour"},
		{someList, `{"title":"x","tiers":[],"more":1}`, aSecret, "body.more"},
		{someList, `{"title":"x","tiers":[{"name":"S","items":` + manyItems(3_000) + `},{"name":"A","items":` + manyItems(2_001) + `}]}`, aSecret, "body.tiers"},
		{someList, `{"title":"x","tiers":[{"name":"S","items":` + manyItems(5_001) + `}]}`, aSecret, "body.tiers[0].items"},
		{someList, `{"title":"x","tiers":[],"hidden":` + manyItems(10_001) + `}`, aSecret, "body.hidden"},
		{someList, `{"title":"` + strings.Repeat("x", 201) + `","tiers":[]}`, aSecret, "body.title"},
	} {
		headers := []string{"If-None-Match", "*"}
		if c.secret != "" {
			headers = append(headers, "X-List-Secret", c.secret)
		}
		t.Run(c.location, func(t *testing.T) {
			got := s.ask("PUT", c.path, c.body, headers...)
			expectProblem(t, got, 422, c.location)
			if c.secret != "" && strings.Contains(string(got.text), c.secret) {
				t.Errorf("the secret comes back: %s", got.text)
			}
		})
	}
}

// flaky is a store that can be away.
type flaky struct {
	store.Store
	away atomic.Bool
}

func (f *flaky) fault() error {
	if f.away.Load() {
		return fmt.Errorf("the wire is cut: %w", store.ErrUnavailable)
	}
	return nil
}

func (f *flaky) GetList(ctx context.Context, id string) (store.List, error) {
	if err := f.fault(); err != nil {
		return store.List{}, err
	}
	return f.Store.GetList(ctx, id)
}

func (f *flaky) PutList(ctx context.Context, id, secret string, body []byte, match store.Match, by store.Maker) (store.List, error) {
	if err := f.fault(); err != nil {
		return store.List{}, err
	}
	return f.Store.PutList(ctx, id, secret, body, match, by)
}

func (f *flaky) Authenticate(ctx context.Context, token string) (store.Key, error) {
	if err := f.fault(); err != nil {
		return store.Key{}, err
	}
	return f.Store.Authenticate(ctx, token)
}

func (f *flaky) BeatJobs(ctx context.Context, owner string) ([]string, error) {
	if err := f.fault(); err != nil {
		return nil, err
	}
	return f.Store.BeatJobs(ctx, owner)
}

func (f *flaky) EndSilentJobs(ctx context.Context, silence time.Duration) (int64, error) {
	if err := f.fault(); err != nil {
		return 0, err
	}
	return f.Store.EndSilentJobs(ctx, silence)
}

func (f *flaky) Ping(ctx context.Context) error {
	if err := f.fault(); err != nil {
		return err
	}
	return f.Store.Ping(ctx)
}

// A lost store takes its own routes with it, and nothing else; it needs no restart
// to come back.
func TestALostStoreComesBack(t *testing.T) {
	var kept *flaky
	s := start(t, func(o *server.Options) {
		kept = &flaky{Store: o.Store}
		o.Store = kept
	})
	if made := s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-None-Match", "*"); made.status != 201 {
		t.Fatalf("status %d: %s", made.status, made.text)
	}
	kept.away.Store(true)
	for _, got := range []reply{
		s.ask("GET", someList, ""),
		s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-Match", "*"),
		s.ask("GET", "/v1/jobs", "", s.key()...), // the key cannot be looked up
	} {
		expectProblem(t, got, 503, "")
		if got.header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		if strings.Contains(string(got.text), "wire") {
			t.Errorf("the inside is told: %s", got.text)
		}
	}
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]]}`); got.status != 200 {
		t.Errorf("recommend answers %d while the store is away", got.status)
	}
	if got := s.ask("GET", "/readyz", ""); got.status != 200 || !strings.Contains(string(got.text), "storage is unavailable") {
		t.Errorf("/readyz: %d %s", got.status, got.text)
	}
	kept.away.Store(false)
	if got := s.ask("GET", someList, ""); got.status != 200 {
		t.Errorf("status %d after the store came back", got.status)
	}
	if got := s.ask("GET", "/readyz", ""); string(got.text) != "ready: model "+s.server.ModelID()[:16]+"\n" {
		t.Errorf("/readyz: %s", got.text)
	}
	if !strings.Contains(s.log.String(), "the wire is cut") {
		t.Error("the log does not say what was wrong")
	}
}

// A key that was good lately stays good while the store is away.
func TestKnownKeysOutliveTheStore(t *testing.T) {
	var kept *flaky
	s := start(t, func(o *server.Options) {
		kept = &flaky{Store: o.Store}
		o.Store, o.Anonymous = kept, nil
	})
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[]}`, s.key()...); got.status != 200 {
		t.Fatalf("status %d", got.status)
	}
	kept.away.Store(true)
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[]}`, s.key()...); got.status != 200 {
		t.Errorf("status %d for a known key", got.status)
	}
	expectProblem(t, s.ask("POST", "/v1/recommend", `{"tiers":[]}`, "Authorization", "Bearer unknown"), 503, "")
}

package server_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"fubini/app/server"
	"fubini/app/store"
)

// hanging is a store that may stop answering when it is asked of keys.
type hanging struct {
	store.Store
	hangs atomic.Bool
	asked atomic.Int64
}

func (h *hanging) Authenticate(ctx context.Context, token string) (store.Key, error) {
	h.asked.Add(1)
	if h.hangs.Load() {
		<-ctx.Done()
		return store.Key{}, ctx.Err()
	}
	return h.Store.Authenticate(ctx, token)
}

// While the store hangs, a key that was good goes on being good, and only now and
// then does a request wait for the store, for a moment.
func TestAHangingStoreDoesNotStallKnownKeys(t *testing.T) {
	var kept *hanging
	s := start(t, func(o *server.Options) {
		kept = &hanging{Store: o.Store}
		o.Store, o.Anonymous, o.Limits.KeyFresh = kept, nil, time.Nanosecond
	})
	ask := func() int { return s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]]}`, s.key()...).status }
	if status := ask(); status != 200 {
		t.Fatalf("status %d", status)
	}
	kept.hangs.Store(true)
	before := kept.asked.Load()
	begun := time.Now()
	for range 20 {
		if status := ask(); status != 200 {
			t.Fatalf("status %d while the store hangs", status)
		}
	}
	if took := time.Since(begun); took > 2*time.Second || took < 250*time.Millisecond {
		t.Errorf("20 requests took %v, want one to wait for 300 ms", took)
	}
	if asked := kept.asked.Load() - before; asked != 1 {
		t.Errorf("the store was asked %d times", asked)
	}
}

// A key that was revoked is refused once it is looked up again.
func TestARevokedKeyIsRefusedWhenLookedUpAgain(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Anonymous, o.Limits.KeyFresh = nil, time.Nanosecond })
	if got := s.ask("GET", "/v1/items", "", s.key()...); got.status != 200 {
		t.Fatalf("status %d", got.status)
	}
	keys, err := s.store.ListKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.store.RevokeKey(t.Context(), keys[0].ID); err != nil {
		t.Fatal(err)
	}
	expectProblem(t, s.ask("GET", "/v1/items", "", s.key()...), 401, "header.Authorization")
}

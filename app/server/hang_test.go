package server_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fubini/app/server"
	"fubini/app/store"
)

// stuck is a store that gives no answer at all while it hangs, whatever its context says:
// as a file on a disk that does not come back.
type stuck struct {
	store.Store
	asked   atomic.Int64 // calls that came while it hangs
	release chan struct{}
	hangs   atomic.Bool
}

func (h *stuck) wait() {
	if h.hangs.Load() {
		h.asked.Add(1)
		<-h.release
	}
}

func (h *stuck) GetList(ctx context.Context, id string) (store.List, error) {
	h.wait()
	return h.Store.GetList(ctx, id)
}

func (h *stuck) Ping(ctx context.Context) error {
	h.wait()
	return h.Store.Ping(ctx)
}

func startStuck(t *testing.T, change func(l *server.Limits)) (*setup, *stuck) {
	t.Helper()
	h := &stuck{release: make(chan struct{})}
	s := start(t, func(o *server.Options) {
		h.Store, o.Store = o.Store, h
		change(&o.Limits)
	})
	if made := s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-None-Match", "*"); made.status != 201 {
		t.Fatalf("status %d: %s", made.status, made.text)
	}
	return s, h
}

// A store that hangs takes the places for lists, and no others: recommendations go on.
// Lists beyond the places are turned away.
func TestAHangingStoreTakesItsOwnPlaces(t *testing.T) {
	s, h := startStuck(t, func(l *server.Limits) {
		l.Working, l.Stored, l.Waiting, l.Patience = 2, 2, 1, 10*time.Millisecond
		l.Time, l.StoreTime = time.Hour, time.Hour // nobody gives up
	})
	h.hangs.Store(true)
	var clients sync.WaitGroup
	for range 2 {
		clients.Go(func() {
			if got := s.ask("GET", someList, ""); got.status != 200 {
				t.Errorf("a list that waited for the store: %d: %s", got.status, got.text)
			}
		})
	}
	for h.asked.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	for range 5 {
		got := s.ask("GET", someList, "")
		expectProblem(t, got, 503, "")
		if got.header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		if got := s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]]}`); got.status != 200 {
			t.Errorf("recommend answers %d while the store hangs: %s", got.status, got.text)
		}
	}
	if asked := h.asked.Load(); asked != 2 {
		t.Errorf("%d calls wait for the store, of 2 places", asked)
	}
	h.hangs.Store(false)
	close(h.release)
	clients.Wait()
}

// Once a call got no answer, the next ones fail without waiting for the store, and
// readiness and the metrics tell. When it is back, no restart is needed.
func TestAHangingStoreIsNotWaitedFor(t *testing.T) {
	s, h := startStuck(t, func(l *server.Limits) { l.StoreTime = 50 * time.Millisecond })
	h.hangs.Store(true)
	expectProblem(t, s.ask("GET", someList, ""), 503, "") // waits, and is told
	asked := h.asked.Load()
	for range 20 {
		got := s.ask("GET", someList, "")
		expectProblem(t, got, 503, "")
		if !strings.Contains(string(got.text), "storage is unavailable") || got.header.Get("Retry-After") == "" {
			t.Errorf("%s", got.text)
		}
	}
	if more := h.asked.Load() - asked; more > 1 { // a ping, which nobody waits for
		t.Errorf("%d calls went to a store that hangs", more)
	}
	if got := s.ask("GET", "/readyz", ""); got.status != 200 || !strings.Contains(string(got.text), "storage is unavailable") {
		t.Errorf("/readyz: %d: %s", got.status, got.text)
	}
	if up := s.metric("fubini_store_up"); up != 0 {
		t.Errorf("fubini_store_up %g", up)
	}
	h.hangs.Store(false)
	close(h.release)
	for begun := time.Now(); s.ask("GET", someList, "").status != 200; time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > 20*time.Second {
			t.Fatal("the store is back, and lists are not")
		}
	}
}

// locked is a store that answers who reads, and nobody who writes: as a file that another
// program holds locked.
type locked struct {
	store.Store
	asked  atomic.Int64 // lists that were to be written while it is locked
	locked atomic.Bool
}

func (l *locked) wait(ctx context.Context) error {
	if l.locked.Load() {
		<-ctx.Done()
		return fmt.Errorf("%w: locked", store.ErrUnavailable)
	}
	return nil
}

func (l *locked) Probe(ctx context.Context) error {
	if err := l.wait(ctx); err != nil {
		return ctx.Err()
	}
	return l.Store.Probe(ctx)
}

func (l *locked) PutList(ctx context.Context, id, secret string, body []byte, match store.Match, by store.Maker) (store.List, error) {
	l.asked.Add(1)
	if err := l.wait(ctx); err != nil {
		return store.List{}, err
	}
	return l.Store.PutList(ctx, id, secret, body, match, by)
}

// Once it is known that a store takes no write in time, what is to be written fails without
// waiting: writers would hold the places of those who read. When it takes writes again, no
// restart is needed.
func TestALockedStoreIsRead(t *testing.T) {
	l := &locked{}
	s := start(t, func(o *server.Options) {
		l.Store, o.Store = o.Store, l
		o.Limits.StoreTime = 50 * time.Millisecond
	})
	put := func(id string) reply {
		return s.ask("PUT", someList+id, aList, "X-List-Secret", aSecret, "If-None-Match", "*")
	}
	if made := put(""); made.status != 201 {
		t.Fatalf("status %d: %s", made.status, made.text)
	}
	l.locked.Store(true)
	expectProblem(t, put("1"), 503, "")                                                                                            // waits, and is told
	if got := s.ask("GET", "/readyz", ""); got.status != 200 || !strings.Contains(string(got.text), "storage cannot be written") { // once it has tried
		t.Errorf("/readyz: %d: %s", got.status, got.text)
	}
	asked := l.asked.Load()
	for range 20 {
		got := put("1")
		expectProblem(t, got, 503, "")
		if !strings.Contains(string(got.text), "storage is unavailable") {
			t.Errorf("%s", got.text)
		}
		if got := s.ask("GET", someList, ""); got.status != 200 {
			t.Errorf("a list answers %d while nothing can be written: %s", got.status, got.text)
		}
	}
	if more := l.asked.Load() - asked; more > 0 {
		t.Errorf("%d lists went to a store that takes none", more)
	}
	l.locked.Store(false)
	for begun := time.Now(); put("1").status != 201; time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > 20*time.Second {
			t.Fatal("the store can be written again, and lists are not")
		}
	}
}

// A panic in the store is the request's, as ever.
func TestAPanicInTheStoreIsCaught(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Store = &panicking{o.Store} })
	expectProblem(t, s.ask("GET", someList, ""), 500, "")
	if got := s.ask("GET", "/healthz", ""); got.status != 200 {
		t.Errorf("status %d", got.status)
	}
}

type panicking struct{ store.Store }

func (*panicking) GetList(context.Context, string) (store.List, error) { panic("a fault in the store") }

// full is a store whose disk is full, or whose file is damaged: it can be read.
type full struct {
	store.Store
	fault atomic.Pointer[error]
}

func (f *full) err() error {
	if fault := f.fault.Load(); fault != nil {
		return *fault
	}
	return nil
}

func (f *full) Probe(ctx context.Context) error {
	if err := f.err(); err != nil {
		return err
	}
	return f.Store.Probe(ctx)
}

func (f *full) PutList(ctx context.Context, id, secret string, body []byte, match store.Match, by store.Maker) (store.List, error) {
	if err := f.err(); err != nil {
		return store.List{}, err
	}
	return f.Store.PutList(ctx, id, secret, body, match, by)
}

// A store that cannot be written shows in readiness and metrics, until it can be again. A
// damaged one takes the server out of service.
func TestReadinessKnowsWhetherTheStoreCanBeWritten(t *testing.T) {
	t.Parallel() // it waits
	var kept *full
	s := start(t, func(o *server.Options) {
		kept = &full{Store: o.Store}
		o.Store = kept
	})
	put := func() reply {
		return s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-None-Match", "*")
	}
	noRoom := fmt.Errorf("%w: %w: no room", store.ErrUnavailable, store.ErrReadOnly)
	kept.fault.Store(&noRoom)
	expectProblem(t, put(), 503, "")
	if got := s.ask("GET", "/readyz", ""); got.status != 200 || !strings.Contains(string(got.text), "storage cannot be written") {
		t.Errorf("/readyz on a full disk: %d: %s", got.status, got.text)
	}
	if up := s.metric("fubini_store_up"); up != 0 {
		t.Errorf("fubini_store_up %g on a full disk", up)
	}
	if got := s.ask("GET", someList, ""); got.status != 404 {
		t.Errorf("reading on a full disk: %d", got.status)
	}
	kept.fault.Store(nil) // nobody writes, and yet it is found out
	for begun := time.Now(); s.metric("fubini_store_up") != 1; time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > 20*time.Second {
			t.Fatal("there is room again, and fubini_store_up stays 0")
		}
	}
	if got := s.ask("GET", "/readyz", ""); strings.Contains(string(got.text), "storage") {
		t.Errorf("/readyz with room again: %s", got.text)
	}
	damaged := fmt.Errorf("%w: %w", store.ErrUnavailable, store.ErrDamaged)
	kept.fault.Store(&damaged)
	expectProblem(t, put(), 503, "")
	if got := s.ask("GET", "/readyz", ""); got.status != 503 || !strings.Contains(string(got.text), "fubini db restore") {
		t.Errorf("/readyz with a damaged database: %d: %s", got.status, got.text)
	}
	if up := s.metric("fubini_store_up"); up != 0 {
		t.Errorf("fubini_store_up %g with a damaged database", up)
	}
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]]}`); got.status != 200 {
		t.Errorf("recommend answers %d with a damaged database", got.status)
	}
}

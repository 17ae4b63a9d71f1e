package server_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fubini/app/server"
	"fubini/app/store"
)

// counting counts pings, each of which takes a while.
type counting struct {
	store.Store
	pings atomic.Int64
}

func (c *counting) Ping(ctx context.Context) error {
	c.pings.Add(1)
	time.Sleep(20 * time.Millisecond)
	return c.Store.Ping(ctx)
}

// However many ask whether the server is ready, the store is asked once a second.
func TestReadinessAsksTheStoreOnceASecond(t *testing.T) {
	var kept *counting
	s := start(t, func(o *server.Options) {
		kept = &counting{Store: o.Store}
		o.Store = kept
	})
	begun := time.Now()
	var crowd sync.WaitGroup
	for range 30 {
		crowd.Go(func() {
			if got := s.ask("GET", "/readyz", ""); got.status != 200 {
				t.Errorf("status %d", got.status)
			}
		})
	}
	crowd.Wait()
	if pings, most := kept.pings.Load(), 1+int64(time.Since(begun)/time.Second); pings < 1 || pings > most {
		t.Errorf("the store was asked %d times, want at most %d", pings, most)
	}
}

// An outage shows in the metrics whoever met it, and its end shows though nobody
// asks for anything but the metrics.
func TestTheMetricsKnowWhetherTheStoreIsUp(t *testing.T) {
	t.Parallel() // it waits
	var kept *flaky
	s := start(t, func(o *server.Options) {
		kept = &flaky{Store: o.Store}
		o.Store = kept
	})
	if up := s.metric("fubini_store_up"); up != 1 {
		t.Fatalf("fubini_store_up %g at the start", up)
	}
	kept.away.Store(true)
	expectProblem(t, s.ask("GET", "/v1/jobs", "", s.key()...), 503, "") // met by a key
	if up := s.metric("fubini_store_up"); up != 0 {
		t.Errorf("fubini_store_up %g while the store is away", up)
	}
	kept.away.Store(false)
	for begun := time.Now(); s.metric("fubini_store_up") != 1; time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > 5*time.Second {
			t.Fatal("fubini_store_up stays 0 though the store is back")
		}
	}
}

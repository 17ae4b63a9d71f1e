package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fubini/app/load"
	"fubini/app/server"
	"fubini/app/store"
)

func long() bool { return os.Getenv("FUBINI_LONG") != "" }

// bodies are requests of some people for a model of item-0, item-1, ...
func bodies(items int) (all [][]byte) {
	for person := range 20 {
		tiers := make([][]string, 4)
		for k := range 20 {
			tiers[k%4] = append(tiers[k%4], fmt.Sprintf("item-%d", (person*37+k*53)%items))
		}
		all = append(all, []byte(encoded(map[string]any{"tiers": tiers, "n": 10})))
	}
	return all
}

// The short form of the load that docs/performance.md reports: every request that is
// offered is answered, and none goes wrong.
func TestLoad(t *testing.T) {
	s := start(t, nil)
	s.file.Store(world(t, 1, 2000, 20))
	if _, err := s.server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := load.Run(t.Context(), load.Plan{URL: s.URL, Path: "/v1/recommend", Bodies: bodies(2000), Rate: 50, For: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if r.Good+r.Shed != 100 || r.Failed != 0 || r.Good == 0 || r.Recovered < 0 || !(r.Memory > 0) {
		t.Errorf("%+v", r)
	}
}

// blocked is a store whose lists are not found until it is let go.
type blocked struct {
	store.Store
	entered, release chan struct{}
}

func (b *blocked) GetList(ctx context.Context, _ string) (store.List, error) {
	b.entered <- struct{}{}
	select {
	case <-b.release:
	case <-ctx.Done():
	}
	return store.List{}, store.ErrNotFound
}

// A server that is full turns requests away soon, with Retry-After, and is itself
// again when the rush is over. Nothing piles up meanwhile.
func TestAFullServerShedsAndRecovers(t *testing.T) {
	kept := &blocked{entered: make(chan struct{}, 2), release: make(chan struct{})}
	s := start(t, func(o *server.Options) {
		o.Limits.Stored, o.Limits.Waiting, o.Limits.Patience = 2, 3, time.Second
		o.Limits.Time, o.Limits.StoreTime = time.Hour, time.Hour // the places are held for as long as it takes
		kept.Store = o.Store
		o.Store = kept
	})
	var busy sync.WaitGroup
	for range 2 { // both places
		busy.Go(func() { s.ask("GET", someList, "") })
		<-kept.entered
	}
	var quick, slow atomic.Int64
	var rush sync.WaitGroup
	for range 40 {
		rush.Go(func() {
			begun := time.Now()
			got := s.ask("GET", someList, "")
			if got.status != 503 || got.header.Get("Retry-After") == "" {
				t.Errorf("status %d, Retry-After %q: %s", got.status, got.header.Get("Retry-After"), got.text)
			}
			if time.Since(begun) < time.Second {
				quick.Add(1)
			} else {
				slow.Add(1)
			}
		})
	}
	rush.Wait()
	if slow.Load() < 3 {
		t.Errorf("%d were turned away at once, %d after a while; 3 may wait", quick.Load(), slow.Load())
	}
	if shed := s.metric("fubini_shed_total"); shed != 40 {
		t.Errorf("the metrics tell of %g", shed)
	}
	if got := s.ask("GET", "/healthz", ""); got.status != 200 {
		t.Errorf("/healthz: %d", got.status)
	}
	waits := make(chan reply)
	go func() { waits <- s.ask("GET", someList, "") }()
	for range 100 { // until it waits for a place, which it gets
		if s.metric("fubini_queue_length") > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	close(kept.release)
	if got := <-waits; got.status != 404 { // as the store says
		t.Errorf("status %d for one who waited", got.status)
	}
	busy.Wait()
	for range 20 {
		if got := s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]]}`); got.status != 200 {
			t.Errorf("status %d after the rush", got.status)
		}
	}
}

// unhurried is a store whose lists take a while to be found.
type unhurried struct{ store.Store }

func (u unhurried) GetList(ctx context.Context, id string) (store.List, error) {
	time.Sleep(10 * time.Millisecond)
	return u.Store.GetList(ctx, id)
}

// Ten times what a server can do, offered in earnest: it goes on doing about what it can,
// turns the rest away with Retry-After, and is itself again within a second. Its capacity
// is bounded by waiting, so that the client has the processor for the other nine tenths.
// A machine busy with other things may spoil a measurement: one of three must be good.
func TestTenTimesItsCapacity(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Store, o.Log = unhurried{o.Store}, nil
		o.Limits.Stored, o.Limits.Waiting = 2, 8
	})
	if made := s.ask("PUT", someList, aList, "X-List-Secret", aSecret, "If-None-Match", "*"); made.status != 201 {
		t.Fatalf("status %d: %s", made.status, made.text)
	}
	plan := load.Plan{URL: s.URL, Method: "GET", Path: someList, Bodies: [][]byte{nil}, For: time.Second, Clients: 64}
	for attempt := range 3 {
		capacity, err := load.Capacity(t.Context(), plan)
		if err != nil || !(capacity > 0 && capacity <= 201) {
			t.Fatalf("two places of 10 ms do %g a second, %v", capacity, err)
		}
		plan.Rate = 10 * capacity
		r, err := load.Run(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		if r.Failed != 0 || r.Good+r.Shed+r.Unsent != r.Due || !(r.Memory < 500e6) {
			t.Fatalf("%g a second, of which it can do %g: %+v", plan.Rate, capacity, r)
		}
		if r.Unsent == 0 && r.Shed > r.Due/2 && r.Throughput > capacity/4 && r.Recovered >= 0 && r.Recovered <= time.Second {
			return
		}
		t.Logf("attempt %d: %g a second, of which it can do %g: %+v", attempt+1, plan.Rate, capacity, r)
	}
	if !testing.Short() { // the race detector takes the time that is measured here
		t.Error("no attempt went as it should")
	}
}

// Bodies in memory are bounded together, whoever sends them.
func TestBodiesAreBoundedTogether(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Memory = 256 << 10 })
	var clients sync.WaitGroup
	var mutex sync.Mutex
	statuses := map[int]int{}
	var pipes []*io.PipeWriter
	for range 8 { // half a megabyte that never ends
		reader, writer := io.Pipe()
		pipes = append(pipes, writer)
		clients.Go(func() {
			r, _ := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/v1/recommend", reader)
			answer, err := s.Client().Do(r)
			if err != nil {
				return
			}
			defer answer.Body.Close()
			mutex.Lock()
			defer mutex.Unlock()
			statuses[answer.StatusCode]++
		})
		clients.Go(func() { _, _ = writer.Write([]byte(strings.Repeat(" ", 64<<10))) })
	}
	for range 500 { // until somebody is turned away
		mutex.Lock()
		turned := statuses[503]
		mutex.Unlock()
		if turned > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, p := range pipes {
		p.Close()
	}
	clients.Wait()
	if statuses[503] == 0 || statuses[503] == 8 {
		t.Errorf("%v, want some to be turned away", statuses)
	}
	if held := s.metric("fubini_bodies_bytes"); held != 0 {
		t.Errorf("%g bytes are still held", held)
	}
}

// metric reads one number of /metrics.
func (s *setup) metric(name string) float64 {
	s.t.Helper()
	for line := range strings.Lines(string(s.ask("GET", "/metrics", "").text)) {
		if text, found := strings.CutPrefix(line, name+" "); found {
			value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				s.t.Fatal(err)
			}
			return value
		}
	}
	s.t.Fatalf("/metrics has no %s", name)
	return 0
}

// A soak: memory and goroutines are as many after as before. Seconds here, ten
// minutes in the long run.
func TestSoak(t *testing.T) {
	length := 3 * time.Second
	if testing.Short() {
		length = time.Second
	}
	if long() {
		length = 10 * time.Minute
	}
	s := start(t, func(o *server.Options) { o.Log = nil })
	round := func(k int) {
		s.ask("POST", "/v1/recommend", `{"tiers":[["item-1","item-2"],["item-3"]]}`)
		s.ask("POST", "/v1/embed", `{"tiers":[["item-1"]]}`)
		s.ask("POST", "/v1/recommend", `{"tiers":`)
		s.ask("GET", "/v1/items?q=1", "")
		path := fmt.Sprintf("/v1/lists/soak-%020d", k%50)
		s.ask("PUT", path, aList, "X-List-Secret", aSecret, "If-None-Match", "*") // the first time
		s.ask("PUT", path, aList, "X-List-Secret", aSecret, "If-Match", "*")
		s.ask("GET", path, "")
		if k%50 == 0 {
			s.file.Store(world(t, uint64(k%3), 30, 3))
			if _, err := s.server.Reload(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
	settled := func() (heap uint64, goroutines int) {
		s.Client().CloseIdleConnections()
		time.Sleep(200 * time.Millisecond)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	for k := range 100 { // pools and caches fill
		round(k)
	}
	heap, goroutines := settled()
	for k, begun := 0, time.Now(); time.Since(begun) < length; k++ {
		round(k)
	}
	heapAfter, goroutinesAfter := settled()
	const slack = 4 << 20
	if heapAfter > heap+slack || goroutinesAfter > goroutines+5 {
		t.Errorf("heap %d, then %d bytes; goroutines %d, then %d", heap, heapAfter, goroutines, goroutinesAfter)
	}
}

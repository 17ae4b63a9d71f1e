package load_test

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"fubini/app/load"
)

func plan(s *httptest.Server, rate float64) load.Plan {
	return load.Plan{URL: s.URL, Path: "/x", Bodies: [][]byte{[]byte("a"), []byte("b")}, Rate: rate, For: 500 * time.Millisecond}
}

// A server that stalls once makes all requests of that time late, not one.
func TestStallsAreNotOmitted(t *testing.T) {
	var stalled atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if stalled.CompareAndSwap(false, true) {
			time.Sleep(350 * time.Millisecond)
		}
	}))
	defer s.Close()
	p := plan(s, 200)
	p.Clients = 1 // so that the one stall holds up all that follow
	r, err := load.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if r.Good != 100 || r.Failed != 0 {
		t.Fatalf("%+v", r)
	}
	// 70 of 100 requests were due during the stall, the last of them waited the least. A client that waits for its answers would have seen a median of nothing.
	if r.Latency.P50 < 5*time.Millisecond || r.Latency.P99 < 200*time.Millisecond {
		t.Errorf("median %s, p99 %s: the stall is hidden", r.Latency.P50, r.Latency.P99)
	}
}

func TestAnswersAreCounted(t *testing.T) {
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			fmt.Fprint(w, "# HELP x\nprocess_resident_memory_bytes 1.5e+06\n")
			return
		}
		k := n.Add(1)
		if k > 100 { // what comes after the load
			return
		}
		switch k % 10 {
		case 1, 2:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		case 3:
			w.WriteHeader(http.StatusTooManyRequests) // without Retry-After: wrong
		case 4:
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer s.Close()
	r, err := load.Run(t.Context(), plan(s, 200))
	if err != nil {
		t.Fatal(err)
	}
	if r.Due != 100 || r.Unsent != 0 || r.Good != 60 || r.Shed != 20 || r.Failed != 20 || r.Statuses[500] != 10 || r.Statuses[-429] != 10 || r.First == "" {
		t.Errorf("%+v", r)
	}
	if r.Memory != 1.5e6 || !(r.Throughput > 10 && r.Throughput < 121) || r.Recovered < 0 || r.Recovered > time.Second {
		t.Errorf("%+v", r)
	}
}

// What the client cannot offer is told, and not waited for.
func TestAClientThatFallsBehindSaysSo(t *testing.T) {
	begun := time.Now()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if time.Since(begun) < 2*time.Second {
			time.Sleep(100 * time.Millisecond)
		}
	}))
	defer s.Close()
	p := plan(s, 1000)
	p.Clients = 2
	r, err := load.Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if r.Good < 5 || r.Good > 40 || r.Good+r.Unsent != 500 || r.Recovered < 0 {
		t.Errorf("%+v", r)
	}
}

func TestPlansThatMakeNoSense(t *testing.T) {
	for _, p := range []load.Plan{{}, {Rate: -1, For: time.Second, Bodies: [][]byte{nil}}, {Rate: math.NaN(), For: time.Second, Bodies: [][]byte{nil}}, {Rate: 1, For: time.Second}} {
		if _, err := load.Run(t.Context(), p); err == nil {
			t.Errorf("%+v was run", p)
		}
	}
}

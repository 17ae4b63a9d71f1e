package load_test

import (
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
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
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/x" && stalled.CompareAndSwap(false, true) {
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

// Whatever a server sends is either a good answer or a failure with an example.
func TestAnswersOfAllShapesAreRead(t *testing.T) {
	var connections atomic.Int64
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		good   int
		first  string
	}{
		"a length": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "short") }, 100, ""},
		"nothing":  {func(http.ResponseWriter, *http.Request) {}, 100, ""},
		"chunks":   {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("long", 20_000)) }, 100, ""},
		"the last answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "close")
			fmt.Fprint(w, "x")
		}, 100, ""},
		"none at all": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0, "EOF"},
		"half an answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			fmt.Fprint(w, "half")
		}, 0, "EOF"},
		"another status": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "not so", http.StatusTeapot) }, 0, "418 not so"},
		"a wrong method": {func(w http.ResponseWriter, r *http.Request) { http.Error(w, r.Method, http.StatusTeapot) }, 0, "418 PUT"},
		"what was sent": {func(w http.ResponseWriter, r *http.Request) {
			text, _ := io.ReadAll(r.Body)
			http.Error(w, r.Header.Get("X-Key")+string(text), http.StatusTeapot)
		}, 0, "418 key"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				most := int64(100) // what comes after the load is good
				if name == "none at all" {
					most = 300 // the client may send what met silence once more
				}
				if r.URL.Path == "/x" && asked.Add(1) <= most {
					c.answer(w, r)
				}
			}))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					connections.Add(1)
				}
			}
			s.Start()
			defer s.Close()
			p := plan(s, 200)
			p.Method, p.Headers, p.Clients = http.MethodPut, http.Header{"X-Key": {"key"}}, 4
			connections.Store(0)
			r, err := load.Run(t.Context(), p)
			if err != nil || r.Good != c.good || r.Good+r.Failed != 100 || !strings.Contains(r.First, c.first) || (c.first == "") != (r.First == "") {
				t.Errorf("%+v, %v", r, err)
			}
			if name == "chunks" && connections.Load() > 10 {
				t.Errorf("%d connections for 4 clients", connections.Load())
			}
		})
	}
}

// A server that closes connections which lie idle has done nothing wrong.
func TestClosedConnectionsAreOpenedAnew(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.Config.IdleTimeout = 5 * time.Millisecond
	s.Start()
	defer s.Close()
	p := plan(s, 40)
	p.Clients = 1
	if r, err := load.Run(t.Context(), p); err != nil || r.Good != 20 || r.Failed != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Capacity is what a server can do, not what it is asked for.
func TestCapacity(t *testing.T) {
	one := make(chan struct{}, 1)
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		one <- struct{}{}
		time.Sleep(10 * time.Millisecond)
		<-one
	}))
	defer s.Close()
	if got, err := load.Capacity(t.Context(), plan(s, 0)); err != nil || !(got > 10 && got <= 101) {
		t.Errorf("%g a second, %v; want hardly more than 100", got, err)
	}
	wrong := httptest.NewServer(http.NotFoundHandler())
	defer wrong.Close()
	if got, err := load.Capacity(t.Context(), plan(wrong, 0)); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("of a server without the route: %g, %v", got, err)
	}
}

func TestPlansThatMakeNoSense(t *testing.T) {
	for _, p := range []load.Plan{{}, {URL: "nowhere", Rate: 1, For: time.Second, Bodies: [][]byte{nil}}, {Rate: -1, For: time.Second, Bodies: [][]byte{nil}}, {Rate: math.NaN(), For: time.Second, Bodies: [][]byte{nil}}, {Rate: 1, For: time.Second}} {
		if _, err := load.Run(t.Context(), p); err == nil {
			t.Errorf("%+v was run", p)
		}
	}
}

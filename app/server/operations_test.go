package server_test

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"fubini/app/gate"
	"fubini/app/server"
	"fubini/app/store"
)

func TestHealthAndMetrics(t *testing.T) {
	s := start(t, nil)
	if got := s.ask("GET", "/healthz", ""); got.status != 200 || string(got.text) != "alive\n" {
		t.Errorf("%d %s", got.status, got.text)
	}
	s.ask("POST", "/v1/recommend", `{"tiers":[]}`)
	s.ask("POST", "/v1/recommend", `{"tiers":7}`)
	s.ask("GET", "/made-up-path", "")
	time.Sleep(10 * time.Millisecond) // a request is counted after its answer
	metrics := string(s.ask("GET", "/metrics", "").text)
	for _, want := range []string{
		`fubini_http_request_duration_seconds_count{route="POST /v1/recommend",status="200"} 1`,
		`fubini_http_request_duration_seconds_count{route="POST /v1/recommend",status="422"} 1`,
		`fubini_http_request_duration_seconds_count{route="none",status="404"} 1`,
		`fubini_http_request_duration_seconds_bucket{route="POST /v1/recommend",status="200",le="0.0005"}`,
		`fubini_model_items 30`, `fubini_store_up 1`, `go_goroutines`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
	if strings.Contains(metrics, "made-up") {
		t.Error("clients can make new series")
	}
	s.server.Closing()
	if got := s.ask("GET", "/readyz", ""); got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("/readyz of a server that ends: %d", got.status)
	}
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[]}`); got.status != 200 {
		t.Errorf("a request under way gets %d", got.status)
	}
}

func TestRequestIDs(t *testing.T) {
	s := start(t, nil)
	for given, kept := range map[string]bool{"": false, "abc-123_XYZ": true, "short": false, "with space and \"": false, strings.Repeat("x", 65): false} {
		got := s.ask("GET", "/v1/items/nobody", "", "X-Request-Id", given)
		id := got.header.Get("X-Request-Id")
		if (id == given) != kept || !regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`).MatchString(id) {
			t.Errorf("given %q, got %q", given, id)
		}
		if p := read[gate.Problem](t, got, 404); p.RequestID != id {
			t.Errorf("the problem says %q, the header %q", p.RequestID, id)
		}
	}
}

func TestLargeAnswersArePacked(t *testing.T) {
	s := start(t, nil)
	get := func(path, accept string) (*http.Response, string) {
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", accept) // so that the client leaves packing to us
		answer, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		var from io.Reader = answer.Body
		if answer.Header.Get("Content-Encoding") == "gzip" {
			if from, err = gzip.NewReader(from); err != nil {
				t.Fatal(err)
			}
		}
		text, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		return answer, string(text)
	}
	plain, want := get("/openapi.json", "identity")
	packed, text := get("/openapi.json", "br, gzip;q=0.8")
	if plain.Header.Get("Content-Encoding") != "" || packed.Header.Get("Content-Encoding") != "gzip" || text != want || packed.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("packed %v, %d bytes, want %d", packed.Header, len(text), len(want))
	}
	for _, c := range []struct{ path, accept string }{{"/healthz", "gzip"}, {"/openapi.json", "gzip;q=0"}, {"/openapi.json", "br"}} {
		if answer, _ := get(c.path, c.accept); answer.Header.Get("Content-Encoding") != "" || answer.StatusCode != 200 {
			t.Errorf("%s for %s is packed", c.path, c.accept)
		}
	}
}

// broken is a store that panics.
type broken struct{ store.Store }

func (broken) GetList(context.Context, string) (store.List, error) { panic("a mistake of ours") }

func TestPanicsAreAnswered(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Store = broken{o.Store} })
	got := s.ask("GET", someList, "")
	expectProblem(t, got, 500, "")
	if strings.Contains(string(got.text), "mistake of ours") || !strings.Contains(s.log.String(), "a mistake of ours") {
		t.Errorf("answer %s, log %s", got.text, s.log)
	}
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[]}`); got.status != 200 {
		t.Errorf("status %d afterwards", got.status)
	}
}

// aborting is a store in whose calls a handler gives up its connection.
type aborting struct{ store.Store }

func (aborting) GetList(context.Context, string) (store.List, error) { panic(http.ErrAbortHandler) }

// A request whose connection is cut is told of like any other, and is no mistake.
func TestCutConnectionsAreCounted(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	s := start(t, func(o *server.Options) {
		o.Store = aborting{o.Store}
		o.Tracer = sdk.NewTracerProvider(sdk.WithSpanProcessor(spans)).Tracer("test")
	})
	if answer, err := s.Client().Get(s.URL + someList); err == nil {
		answer.Body.Close()
		t.Errorf("status %d over a connection that is cut", answer.StatusCode)
	}
	for range 200 { // a span ends after the answer; the client tries twice
		if len(spans.Ended()) > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if started, ended := len(spans.Started()), len(spans.Ended()); started == 0 || ended != started {
		t.Errorf("%d spans begin, %d end", started, ended)
	}
	metrics := string(s.ask("GET", "/metrics", "").text)
	if !strings.Contains(metrics, `fubini_http_request_duration_seconds_count{route="GET /v1/lists/{id}",status="499"}`) || !strings.Contains(metrics, "\nfubini_panics_total 0\n") || !strings.Contains(metrics, "\nfubini_http_requests_in_flight 1\n") {
		t.Errorf("/metrics does not tell of the cut connection: %s", metrics)
	}
}

func TestThePageIsServedByName(t *testing.T) {
	oneClient(t)
	s := start(t, func(o *server.Options) {
		o.Page = fstest.MapFS{
			"index.html":    {Data: []byte("<!doctype html><title>page</title>")},
			"assets/app.js": {Data: []byte("let x = 1")},
		}
	})
	for path, want := range map[string]string{"/": "text/html; charset=utf-8", "/assets/app.js": "text/javascript; charset=utf-8"} {
		if got := s.ask("GET", path, ""); got.status != 200 || got.header.Get("Content-Type") != want {
			t.Errorf("%s: %d, %s", path, got.status, got.header.Get("Content-Type"))
		}
	}
	for _, path := range []string{"/assets/", "/assets", "/index.html", "/assets/nothing.js"} {
		expectProblem(t, s.ask("GET", path, ""), 404, "")
	}
}

func TestRequestsAreTraced(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	s := start(t, func(o *server.Options) {
		o.Tracer = sdk.NewTracerProvider(sdk.WithSpanProcessor(spans)).Tracer("test")
	})
	s.ask("POST", "/v1/recommend", `{"tiers":[]}`, "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	time.Sleep(10 * time.Millisecond) // a span ends after the answer
	ended := spans.Ended()
	if len(ended) != 1 || ended[0].Name() != "POST /v1/recommend" || ended[0].SpanContext().TraceID().String() != "0af7651916cd43dd8448eb211c80319c" {
		t.Errorf("%d spans", len(ended))
	}
}

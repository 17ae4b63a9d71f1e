package gate

import (
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"

	"fubini/app/store"
)

var update = flag.Bool("update", false, "write the table of layers into docs/security.md")

func newTestGate(t *testing.T) *Gate {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/open", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /v1/closed", func(http.ResponseWriter, *http.Request) {})
	g := New(Options{Mux: mux, Resolve: func(s *huma.Schema) *huma.Schema { return s }, Loopback: true, Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(),
		Routes: map[string]Route{"POST /v1/open": {API: true}, "POST /v1/closed": {API: true, Scope: store.Read}}})
	t.Cleanup(g.Close)
	return g
}

// A request with two faults is refused by the layer that comes first, and an answer passes them all.
func TestLayersStandInTheirOrder(t *testing.T) {
	want := "connections arrival observe header origin rate key full query hold body place bound pack validate"
	g := newTestGate(t)
	var names []string
	for _, layer := range g.Layers() {
		names = append(names, layer.Name)
		if byOthers := slices.Contains([]string{"connections", "arrival", "validate"}, layer.Name); byOthers != (layer.Wrap == nil) || layer.Limit == "" {
			t.Errorf("layer %s: limit %q, wraps %t", layer.Name, layer.Limit, layer.Wrap != nil)
		}
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the layers are %s, want %s", got, want)
	}
	type spoil func(r *http.Request)
	path := func(to string) spoil { return func(r *http.Request) { r.URL.Path = to } }
	header := func(name, value string) spoil { return func(r *http.Request) { r.Header.Set(name, value) } }
	long := header("X-Long", strings.Repeat("x", mostHeader))
	host := func(r *http.Request) { r.Host = "example.com" }
	twice := func(r *http.Request) { r.URL.RawQuery = "a=1&a=2" }
	deep := func(r *http.Request) {
		r.Body = http.MaxBytesReader(nil, httptest.NewRequest("POST", "/", strings.NewReader(strings.Repeat("[", mostDepth+1))).Body, 1<<20)
	}
	faults := []struct {
		layer  string
		status int
		spoil  spoil
	}{
		{"observe", 404, path("/nowhere")}, {"header", 431, long}, {"origin", 421, host}, {"key", 401, path("/v1/closed")},
		{"query", 422, twice}, {"body", 415, header("Content-Encoding", "gzip")}, {"bound", 400, deep},
	}
	for k, first := range faults {
		for _, second := range faults[k:] {
			r := httptest.NewRequest("POST", "http://localhost/v1/open", strings.NewReader(`{}`))
			second.spoil(r)
			first.spoil(r)
			w := httptest.NewRecorder()
			g.ServeHTTP(w, r)
			if w.Code != first.status {
				t.Errorf("faults for %s and %s: status %d, want %d: %s", first.layer, second.layer, w.Code, first.status, w.Body)
			}
		}
	}
}

// The page on security carries the list of layers as it is in the code.
func TestThePageListsTheLayers(t *testing.T) {
	const page, begin, end = "../../docs/security.md", "<!-- layers: go test ./app/gate -update -->\n", "<!-- end of layers -->\n"
	table := "| | layer | limit it holds |\n|---|---|---|\n"
	for k, layer := range newTestGate(t).Layers() {
		table += fmt.Sprintf("| %d | %s | %s |\n", k+1, layer.Name, layer.Limit)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	old, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place for the table", page)
	}
	switch {
	case old == table:
	case *update:
		if err := os.WriteFile(page, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s lists other layers: run go test ./app/gate -update", page)
	}
}

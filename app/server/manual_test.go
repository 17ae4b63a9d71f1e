package server_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"fubini/app/server"
)

func TestManual(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Manual = fstest.MapFS{"index.md": {Data: []byte("# Home\n\n$a_1$\n")}} })
	for path, want := range map[string]string{"/docs/": "<msub>", "/docs/index.html": "<h1", "/docs/manual.css": "--ink", "/docs/search.js": "fetch", "/docs/search.json": "Home", "/docs/api": "POST /v1/recommend"} {
		if got := s.ask("GET", path, ""); got.status != 200 || !strings.Contains(string(got.text), want) {
			t.Errorf("%s: %d, %.100s", path, got.status, got.text)
		}
	}
	if got := s.ask("GET", "/docs/none.html", ""); got.status != 404 {
		t.Errorf("a page that is not there: %d", got.status)
	}
	without := start(t, nil)
	if got := without.ask("GET", "/docs/", ""); got.status != 404 {
		t.Errorf("documents of a server without: %d", got.status)
	}
}

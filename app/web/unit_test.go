package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// The page's own unit tests, src/logic/*.test.ts, run in the browser.
func TestUnits(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/unit.js", http.FileServer(http.Dir("testdata/unit")))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<!doctype html><meta charset="utf-8"><script src="unit.js"></script>`))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	b := newTab(t, chromium(t), &fake{Server: server})
	b.visit("/")
	results := eval[[]struct{ Name, Error string }](b, `unitTests()`)
	if len(results) < 20 {
		t.Errorf("only %d unit tests ran", len(results))
	}
	for _, result := range results {
		t.Run(result.Name, func(t *testing.T) {
			if result.Error != "" {
				t.Error(result.Error)
			}
		})
	}
	b.clean()
}

package server_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fubini/app/server"
)

// A trouble that many requests meet is one line, and then a count.
func TestATroubleIsLoggedOnce(t *testing.T) {
	var kept *flaky
	s := start(t, func(o *server.Options) {
		kept = &flaky{Store: o.Store}
		o.Store = kept
	})
	kept.away.Store(true)
	const requests = 50
	for range requests {
		w := httptest.NewRecorder() // without a network: the line is there when the call returns
		s.server.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+someList, nil))
		if w.Code != 503 {
			t.Fatalf("status %d: %s", w.Code, w.Body)
		}
	}
	loud := func() (lines []string) {
		for line := range strings.Lines(s.log.String()) {
			if strings.Contains(line, `"level":"ERROR"`) {
				lines = append(lines, line)
			}
		}
		return lines
	}
	if lines := loud(); len(lines) != 1 || !strings.Contains(lines[0], "the wire is cut") {
		t.Errorf("%d lines for %d requests: %v", len(lines), requests, lines)
	}
	if found := strings.Count(s.log.String(), "the wire is cut"); found != requests {
		t.Errorf("%d requests at the level of debug, want %d", found, requests)
	}
	s.server.Close()
	if lines := loud(); len(lines) != 2 || !strings.Contains(lines[1], `"more":49`) || !strings.Contains(lines[1], "storage is unavailable") {
		t.Errorf("after the end: %v", lines)
	}
}

// The count comes by itself, and a trouble that comes back after a quiet while is told
// of at once.
func TestTroublesAreCountedEachWhile(t *testing.T) {
	var kept *flaky
	s := start(t, func(o *server.Options) {
		kept = &flaky{Store: o.Store}
		o.Store, o.Limits.Quiet = kept, 50*time.Millisecond
	})
	kept.away.Store(true)
	ask := func() { s.ask("GET", someList, "") }
	ask()
	ask()
	s.log.Await(t, `"msg":"requests went wrong as before","cause":"storage is unavailable","more":[1-9]`)
	for range 1000 {
		if strings.Count(s.log.String(), `"level":"ERROR","msg":"request"`) > 1 {
			return // after a while without trouble
		}
		time.Sleep(110 * time.Millisecond)
		ask()
	}
	t.Errorf("what comes back is not told of: %s", s.log)
}

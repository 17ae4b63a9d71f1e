// Package servertest is for tests alone: what a server logs, and a client that asks it. It stands above all other packages
// in arch_test.go, so that only tests can import it.
package servertest

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// Log collects the log of a server that runs beside a test.
type Log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write implements [io.Writer].
func (l *Log) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

// String returns all that was logged so far.
func (l *Log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// Patience is the time that tests wait for an event, enough for a busy machine.
const Patience = 30 * time.Second

// Await waits until the log matches a pattern, and returns the match of its last group.
func (l *Log) Await(t testing.TB, pattern string) string {
	t.Helper()
	wanted := regexp.MustCompile(pattern)
	for begun := time.Now(); time.Since(begun) < Patience; time.Sleep(10 * time.Millisecond) {
		if found := wanted.FindStringSubmatch(l.String()); found != nil {
			return found[len(found)-1]
		}
	}
	t.Fatalf("no %s in %s", pattern, l)
	return ""
}

// Ask sends a request with a JSON body, if any, and reads the whole answer. Headers are names and values in turn.
func Ask(t testing.TB, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for k := 0; k < len(headers); k += 2 {
		r.Header.Set(headers[k], headers[k+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

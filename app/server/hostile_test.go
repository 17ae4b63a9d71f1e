package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"fubini/app/server"
)

func TestBadBodies(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	deep := strings.Repeat("[", 1000) + strings.Repeat("]", 1000)
	for name, c := range map[string]struct {
		body     string
		status   int
		location string
	}{
		"nothing":           {"", 400, ""},
		"malformed JSON":    {`{"tiers":[["item-1"]`, 400, "body"},
		"not JSON":          {`hello`, 400, "body"},
		"two values":        {`{"tiers":[]}{"tiers":[]}`, 400, "body"},
		"another type":      {`[1,2,3]`, 422, "body"},
		"tiers missing":     {`{}`, 422, "body"},
		"tiers null":        {`{"tiers":null}`, 422, "body.tiers"},
		"tiers a text":      {`{"tiers":"item-1"}`, 422, "body.tiers"},
		"an item a number":  {`{"tiers":[["item-1",7]]}`, 422, "body.tiers[0][1]"},
		"an item empty":     {`{"tiers":[[""]]}`, 422, "body.tiers[0][0]"},
		"an item too long":  {`{"tiers":[["` + strings.Repeat("x", 201) + `"]]}`, 422, "body.tiers[0][0]"},
		"an item twice":     {`{"tiers":[["item-1","item-2"],["item-1"]]}`, 422, "body.tiers[1][0]"},
		"unknown, strictly": {`{"tiers":[["item-1","nobody"]],"on_unknown":"error"}`, 422, "body.tiers[0][1]"},
		"100,000 tiers":     {`{"tiers":[` + strings.Repeat("[],", 99_999) + `[]]}`, 422, "body.tiers"},
		"too many placed":   {`{"tiers":[` + manyItems(5_001) + `]}`, 422, "body.tiers[0]"},
		"spread over tiers": {`{"tiers":[` + manyItems(3_000) + `,` + manyItems(3_000) + `]}`, 422, "body.tiers"},
		"n of 0":            {`{"tiers":[],"n":0}`, 422, "body.n"},
		"n too large":       {`{"tiers":[],"n":10001}`, 422, "body.n"},
		"n a fraction":      {`{"tiers":[],"n":1.5}`, 422, "body.n"},
		"n astronomical":    {`{"tiers":[],"n":1e300}`, 422, "body.n"},
		"an option null":    {`{"tiers":[],"only":null}`, 422, "body.only"},
		"an item null":      {`{"tiers":[["item-1",null]]}`, 422, "body.tiers[0][1]"},
		"all null":          {`null`, 422, "body"},
		"an unknown field":  {`{"tiers":[],"m":1}`, 422, "body.m"},
		"nested deeply":     {`{"tiers":` + deep + `}`, 400, "body"},
		"two megabytes":     {`{"tiers":[["` + strings.Repeat("x", 2<<20) + `"]]}`, 413, "body"},
		"a NUL":             {"{\"tiers\":[[\"a\x00\"]]}", 400, "body"},
	} {
		t.Run(name, func(t *testing.T) { expectProblem(t, s.ask("POST", "/v1/recommend", c.body), c.status, c.location) })
	}
	expectProblem(t, s.ask("POST", "/v1/recommend", `{"tiers":[]}`, "Content-Type", "text/plain"), 415, "body")
	expectProblem(t, s.ask("POST", "/v1/recommend", `{"tiers":[]}`, "Content-Encoding", "gzip"), 415, "header.Content-Encoding")
}

// A whole number is one however it is written.
func TestWholeNumbers(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for _, n := range []string{"3", "3.0", "0.3e1"} {
		if got := read[recommended](t, s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]],"n":`+n+`}`), 200); len(got.Items) != 3 {
			t.Errorf("%s: %d items", n, len(got.Items))
		}
	}
}

func manyItems(n int) string {
	ids := make([]string, n)
	for k := range ids {
		ids[k] = fmt.Sprintf(`"%d-%d"`, n, k)
	}
	return "[" + strings.Join(ids, ",") + "]"
}

// endless is a body of spaces that never ends by itself.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	for k := range p {
		p[k] = ' '
	}
	e.left -= len(p)
	return len(p), nil
}

// A large body is refused by what it says of itself, or as soon as it has gone too
// far; nobody reads it to its end.
func TestFiftyMegabytes(t *testing.T) {
	s := start(t, nil)
	for _, said := range []int64{50 << 20, -1} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/v1/recommend", &endless{50 << 20})
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = said
		r.Header.Set("Content-Type", "application/json")
		answer, err := s.Client().Do(r)
		if err != nil {
			continue // the server hung up on us, which is its right
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		expectProblem(t, reply{answer.StatusCode, answer.Header, text}, 413, "body")
	}
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[]}`); got.status != 200 {
		t.Errorf("status %d afterwards", got.status)
	}
}

func TestPathTricks(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for path, want := range map[string]int{
		"/v1/nothing": 404, "/v1/": 404, "/v1": 404, "/nothing": 404, "//v1/items": 404, "/v1//items": 404, "/v1/items/": 404,
		"/v1/items/../model": 404, "/v1/./items": 404, "/../../etc/passwd": 404, "/%2e%2e/%2e%2e/etc/passwd": 404,
		"/v1/items/%2e%2e": 404, "/v1/items/..%2f..%2fetc%2fpasswd": 404, "/v1/items/a%00b": 404, "/docs.css/x": 404, "/v1/lists/..%2fx": 422,
	} {
		got := raw(t, s, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		if !strings.HasPrefix(got, fmt.Sprintf("HTTP/1.1 %d ", want)) || !strings.Contains(got, "application/problem+json") {
			t.Errorf("%s: %.200s, want a problem with %d", path, got, want)
		}
		if strings.Contains(got, "passwd") {
			t.Errorf("%s: the path comes back: %s", path, got)
		}
	}
	for path, allow := range map[string]string{"/v1/recommend": "POST", "/v1/items": "GET, HEAD", someList: "DELETE, GET, HEAD, PUT"} {
		got := s.ask("PATCH", path, "")
		expectProblem(t, got, 405, "")
		if got.header.Get("Allow") != allow {
			t.Errorf("%s: Allow %q, want %q", path, got.header.Get("Allow"), allow)
		}
	}
}

// raw speaks to the server without the manners of a client.
func raw(t *testing.T, s *setup, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(c, text); err != nil {
		return "" // the server hung up before we were done
	}
	answer, _ := io.ReadAll(c)
	return string(answer)
}

func TestHeaderFloods(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for name, c := range map[string]struct {
		path, header, want, location string // no location where net/http is in the way
	}{
		"many":         {"", strings.Repeat("X-Flood: x\r\n", 5_000), "431", "header"},
		"one":          {"", "X-Flood: " + strings.Repeat("x", 40<<10) + "\r\n", "431", "header"},
		"cookie":       {"", "Cookie: " + strings.Repeat("a=b; ", 10_000) + "\r\n", "431", "header"},
		"a long query": {"?q=" + strings.Repeat("x", 20<<10), "", "414", "path"},
		"a flood":      {"", strings.Repeat("X-Flood: x\r\n", 100_000), "431", ""},
		"one flood":    {"", "X-Flood: " + strings.Repeat("x", 1<<20) + "\r\n", "431", ""},
	} {
		got := raw(t, s, "GET /v1/items"+c.path+" HTTP/1.1\r\nHost: localhost\r\n"+c.header+"Connection: close\r\n\r\n")
		if got == "" && c.location == "" {
			continue // the server hung up before we were done
		}
		if !strings.HasPrefix(got, "HTTP/1.1 "+c.want+" ") || c.location != "" && !strings.Contains(got, `"location":"`+c.location+`"`) {
			t.Errorf("%s: %.1000s", name, got)
		}
	}
	if got := s.ask("GET", "/healthz", ""); got.status != 200 {
		t.Errorf("status %d afterwards", got.status)
	}
}

// An answer has its time, and no more.
func TestAnswersHaveTheirTime(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Time = time.Nanosecond })
	s.file.Store(world(t, 1, 500, 3))
	if _, err := s.server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]],"n":400}`)
	expectProblem(t, got, 503, "")
	if !strings.Contains(string(got.text), "took too long") || got.header.Get("Retry-After") == "" {
		t.Errorf("Retry-After %q: %s", got.header.Get("Retry-After"), got.text)
	}
}

// Clients that send a byte now and then are hung up on, and hold up nobody.
func TestSlowClients(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Read = 2 * time.Second })
	var slow []net.Conn
	for k := range 40 {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		text := "GET /v1/items HTTP/1.1\r\nHost: localhost\r\nX-Slow: " // a header without end
		if k%2 == 1 {
			text = "POST /v1/recommend HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{" // a body
		}
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		slow = append(slow, c)
	}
	begun := time.Now()
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[]}`); got.status != 200 || time.Since(begun) > time.Second {
		t.Errorf("status %d after %s while slow clients wait", got.status, time.Since(begun))
	}
	for k, c := range slow {
		_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
		text, err := io.ReadAll(bufio.NewReader(c))
		if wait, ok := err.(net.Error); ok && wait.Timeout() {
			t.Fatalf("client %d is still served", k)
		}
		if k%2 == 1 && !strings.Contains(string(text), " 408 ") {
			t.Errorf("client %d is told %q", k, text)
		}
	}
}

// A single address gets no more than its share of connections.
func TestConnectionsAreCounted(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.PerAddress = 5 })
	open := 0
	for range 20 {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
		_ = c.SetReadDeadline(time.Now().Add(2 * time.Second))
		if text, _ := bufio.NewReader(c).ReadString('\n'); strings.Contains(text, "200") {
			open++
		}
	}
	if open != 5 {
		t.Errorf("%d connections were served, want 5", open)
	}
}

// Texts of ours never come back as anything but JSON, and pages run no script.
func TestNothingIsReflected(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	const script = "<script>alert(1)</script>"
	for _, got := range []reply{
		s.ask("GET", "/v1/items?q="+strings.NewReplacer("<", "%3C", ">", "%3E").Replace(script), ""),
		s.ask("GET", "/"+strings.NewReplacer("<", "%3C", ">", "%3E").Replace(script), ""),
		s.ask("POST", "/v1/recommend", `{"tiers":[["`+script+`"]],"on_unknown":"error"}`),
		s.ask("GET", "/docs/api", ""),
		s.ask("GET", "/", ""),
	} {
		kind := got.header.Get("Content-Type")
		if strings.Contains(kind, "html") && strings.Contains(string(got.text), "<script") {
			t.Errorf("a page with a script: %.200s", got.text)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin"} {
			if got.header.Get(name) != want {
				t.Errorf("%s is %q", name, got.header.Get(name))
			}
		}
		if policy := got.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("policy %q", policy)
		}
	}
	if docs := string(s.ask("GET", "/docs/api", "").text); strings.Contains(docs, "https://") || strings.Contains(docs, "//cdn") || !strings.Contains(docs, "POST /v1/recommend") {
		t.Error("/docs/api loads something from elsewhere, or lacks a route")
	}
}

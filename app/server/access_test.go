package server_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"fubini/app/server"
	"fubini/app/store"
	"fubini/app/web"
)

func TestKeysAndScopes(t *testing.T) {
	oneClient(t)
	s := start(t, func(o *server.Options) { o.Anonymous = nil })
	tokens := map[string]string{"none": "", "wrong": "not a key", "forged": s.admin[:len(s.admin)-1] + "x"}
	for _, scope := range store.Scopes() {
		_, token, err := s.store.AddKey(t.Context(), string(scope), []store.Scope{scope}, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		tokens[string(scope)] = token
	}
	revoked, token, err := s.store.AddKey(t.Context(), "revoked", store.Scopes(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.store.RevokeKey(t.Context(), revoked.ID); err != nil {
		t.Fatal(err)
	}
	tokens["revoked"] = token
	for _, c := range []struct {
		method, path, body string
		scope              string
		good               int
	}{
		{"POST", "/v1/recommend", `{"tiers":[]}`, "read", 200},
		{"GET", "/v1/items", "", "read", 200},
		{"GET", "/metrics", "", "read", 200},
		{"PUT", someList, aList, "write", 428},
		{"GET", "/v1/jobs", "", "admin", 200},
		{"GET", "/v1/audit", "", "admin", 200},
		{"POST", "/v1/model/reload", "", "admin", 200},
		{"GET", "/healthz", "", "", 200},
		{"GET", "/openapi.json", "", "", 200},
		{"GET", "/", "", "", 200},
	} {
		for who, token := range tokens {
			headers := []string{"X-List-Secret", aSecret}
			if token != "" {
				headers = append(headers, "Authorization", "Bearer "+token)
			}
			want := c.good
			switch {
			case c.scope == "" || who == c.scope || who == "admin":
			case who == "read" || who == "write":
				want = http.StatusForbidden
			default:
				want = http.StatusUnauthorized
			}
			got := s.ask(c.method, c.path, c.body, headers...)
			if got.status != want {
				t.Errorf("%s %s with key %s: %d, want %d", c.method, c.path, who, got.status, want)
			}
			if want == 401 || want == 403 {
				expectProblem(t, got, want, "header.Authorization")
			}
			if (want == 401) != (got.header.Get("WWW-Authenticate") != "") {
				t.Errorf("WWW-Authenticate %q with %d", got.header.Get("WWW-Authenticate"), want)
			}
		}
	}
	expectProblem(t, s.ask("GET", "/v1/items", "", "Authorization", "Basic dXNlcjpwYXNz"), 401, "header.Authorization")
}

// Without keys people may read and write where the caller says so, but not rule.
func TestAdminsAlwaysNeedAKey(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for _, route := range []string{"POST /v1/model/reload", "GET /v1/jobs", "GET /v1/audit"} {
		method, path, _ := strings.Cut(route, " ")
		expectProblem(t, s.ask(method, path, ""), 401, "header.Authorization")
	}
}

func TestOtherSitesAreRefused(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for name, c := range map[string]struct {
		headers []string
		status  int
	}{
		"our own page":          {[]string{"Sec-Fetch-Site", "same-origin", "Origin", s.URL}, 200},
		"no browser":            {nil, 200},
		"another site":          {[]string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
		"another origin alone":  {[]string{"Origin", "https://evil.example"}, 403},
		"a name made to point":  {[]string{"Host", "evil.example"}, 421},
		"a name like ours":      {[]string{"Host", "localhost.evil.example"}, 421},
		"loopback by name":      {[]string{"Host", "localhost:8080"}, 200},
		"loopback by number":    {[]string{"Host", "[::1]:8080"}, 200},
		"another site, hostile": {[]string{"Sec-Fetch-Site", "cross-site", "Origin", "null"}, 403},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.ask("POST", "/v1/recommend", `{"tiers":[]}`, c.headers...)
			if got.status != c.status {
				t.Fatalf("status %d, want %d: %s", got.status, c.status, got.text)
			}
			if got.header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("other origins are let in")
			}
		})
	}
	named := start(t, func(o *server.Options) { o.Loopback, o.Hosts = false, []string{"tiers.example"} })
	if got := named.ask("GET", "/v1/items", "", "Host", "tiers.example"); got.status != 200 {
		t.Errorf("status %d under its own name", got.status)
	}
	if got := named.ask("GET", "/v1/items", "", "Host", "evil.example"); got.status != 421 {
		t.Errorf("status %d under another name", got.status)
	}
}

// Off loopback, too, a name that was made to point here opens nothing: it is refused,
// or there is a key to be shown.
func TestNamesOffLoopback(t *testing.T) {
	oneClient(t)
	for _, c := range []struct {
		hosts []string
		keyed bool
		names map[string]int
	}{
		{[]string{"tiers.example"}, false, map[string]int{"tiers.example": 200, "TIERS.example:443": 200, "tiers.example.": 200, "evil.example": 421, "192.0.2.1": 421, "tiers": 421, "127.0.0.1": 200, "": 400}},
		{[]string{"tiers.example"}, true, map[string]int{"tiers.example": 401, "evil.example": 421}},
		{nil, false, map[string]int{"evil.example": 421, "evil.example:8080": 421, "rebind.192.0.2.1.example": 421, "192.0.2.1": 200, "192.0.2.1:8080": 200, "[2001:db8::1]:8080": 200, "tiers": 200, "tiers:8080": 200, "localhost": 200}},
		{nil, true, map[string]int{"evil.example": 401, "192.0.2.1": 401}},
	} {
		s := start(t, func(o *server.Options) {
			o.Loopback, o.Hosts = false, c.hosts
			if c.keyed {
				o.Anonymous = nil
			}
		})
		for name, want := range c.names {
			got := raw(t, s, "GET /v1/items HTTP/1.1\r\nHost: "+name+"\r\nConnection: close\r\n\r\n")
			if name == "" { // HTTP/1.1 without a name
				got = raw(t, s, "GET /v1/items HTTP/1.1\r\nConnection: close\r\n\r\n")
			}
			if !strings.HasPrefix(got, fmt.Sprintf("HTTP/1.1 %d ", want)) {
				t.Errorf("--host %v, keys needed: %t, under %q: %.40q, want %d", c.hosts, c.keyed, name, got, want)
			}
		}
	}
}

// One client's greed is its own; keys count for themselves.
func TestRateLimits(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Limits.Rate, o.Limits.Burst, o.BehindProxy = 0.5, 3, true
	})
	count := func(headers ...string) (good int) {
		for range 6 {
			got := s.ask("GET", "/v1/items/item-1", "", headers...)
			switch got.status {
			case 200:
				good++
			case 429:
				expectProblem(t, got, 429, "")
				if got.header.Get("Retry-After") != "2" { // one request in two seconds
					t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
				}
			default:
				t.Fatalf("status %d", got.status)
			}
		}
		return good
	}
	for name, c := range map[string]struct {
		headers []string
		want    int
	}{
		"an address":                {[]string{"X-Forwarded-For", "10.0.0.1, 192.0.2.7"}, 3},
		"another address":           {[]string{"X-Forwarded-For", "10.0.0.1, 192.0.2.8"}, 3},
		"a network of IPv6":         {[]string{"X-Forwarded-For", "2001:db8::1"}, 3},
		"a key, looked up but once": {append(s.key(), "X-Forwarded-For", "192.0.2.9"), 3},
	} {
		if got := count(c.headers...); got != c.want {
			t.Errorf("%s: %d of 6 requests, want %d", name, got, c.want)
		}
	}
	for _, again := range []string{"2001:db8::ffff:2", "[2001:db8::3]:4711", "[2001:db8::4]", "192.0.2.7:4711", "::ffff:192.0.2.8"} {
		if got := count("X-Forwarded-For", again); got != 0 {
			t.Errorf("%s, a client that was there before: %d requests", again, got)
		}
	}
	if got := count("X-Forwarded-For", "[2001:db8:0:1::1]:99"); got != 3 {
		t.Errorf("another network: %d requests", got)
	}
	if got := s.ask("GET", "/healthz", "", "X-Forwarded-For", "192.0.2.7"); got.status != 200 {
		t.Errorf("/healthz: %d", got.status)
	}
	// Guesses at keys are limited too.
	wrong := 0
	for k := range 6 {
		if s.ask("GET", "/v1/items", "", "X-Forwarded-For", "192.0.2.10", "Authorization", fmt.Sprintf("Bearer guess-%d", k)).status == 401 {
			wrong++
		}
	}
	if wrong != 3 {
		t.Errorf("%d guesses at a key, want 3", wrong)
	}
	// So are headers that are no key at all, and keys that may not do what they ask for.
	_, reader, err := s.store.AddKey(t.Context(), "reader", []store.Scope{store.Read}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]int{"Basic dXNlcjpwYXNz": 401, "nonsense": 401, "Bearer " + strings.Repeat("x", 300): 401, "Bearer " + reader: 403} {
		client := fmt.Sprintf("192.0.2.%d", 20+len(header)%100)
		refused := 0
		for range 6 {
			switch got := s.ask("GET", "/v1/audit", "", "X-Forwarded-For", client, "Authorization", header); got.status {
			case want:
				refused++
			case 429:
			default:
				t.Errorf("%.20s: status %d", header, got.status)
			}
		}
		if refused != 3 {
			t.Errorf("%.20s: refused %d times, want 3, then slowed down", header, refused)
		}
	}
}

// Where clients need keys the files of the page need none: the page asks for the key. What it shows needs one.
func TestPageUnderKeys(t *testing.T) {
	oneClient(t)
	s := start(t, func(o *server.Options) { o.Page, o.Anonymous = web.Files(), nil })
	files := 0
	err := fs.WalkDir(web.Files(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		want, err := fs.ReadFile(web.Files(), name)
		if name == "index.html" {
			name = ""
		}
		if got := s.ask("GET", "/"+name, ""); got.status != 200 || !bytes.Equal(got.text, want) {
			t.Errorf("/%s: status %d, %d bytes of %d", name, got.status, len(got.text), len(want))
		}
		return err
	})
	if err != nil || files < 4 {
		t.Fatalf("%d files: %v", files, err)
	}
	expectProblem(t, s.ask("POST", "/v1/recommend", `{"tiers":[]}`), 401, "")
	expectProblem(t, s.ask("GET", "/v1/items", ""), 401, "")
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[]}`, s.key()...); got.status != 200 {
		t.Errorf("with a key: %d %s", got.status, got.text)
	}
}

// What is secret stays out of the log at its most talkative.
func TestNothingSecretIsLogged(t *testing.T) {
	s := start(t, nil)
	secrets := []string{s.admin, aSecret, "aaaaaaaaaabbbbbbbbbbcc", "wrong-token-xyz", "very-private-item", "private query", "private-title"}
	s.ask("PUT", someList, strings.Replace(aList, "Mine", "private-title", 1), "X-List-Secret", aSecret, "If-None-Match", "*")
	s.ask("PUT", someList, `{"title":7}`, "X-List-Secret", aSecret)
	s.ask("GET", someList, "")
	s.ask("POST", "/v1/model/reload", "", s.key()...)
	s.ask("POST", "/v1/model/reload", "", "Authorization", "Bearer wrong-token-xyz")
	s.ask("POST", "/v1/recommend", `{"tiers":[["very-private-item"]]`)
	s.ask("POST", "/v1/recommend", `{"tiers":[["very-private-item"]]}`)
	s.ask("GET", "/v1/items?q=private+query", "")
	s.ask("GET", "/private%20query", "")
	s.ask("DELETE", someList, "", "X-List-Secret", "wrong-token-xyz-too")
	time.Sleep(10 * time.Millisecond) // the line of a request is written after its answer
	log := s.log.String()
	if !strings.Contains(log, "GET /v1/lists/{id}") {
		t.Fatalf("the log does not have the requests: %s", log)
	}
	for _, secret := range secrets {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %q", secret)
		}
	}
}

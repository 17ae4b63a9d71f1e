package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"fubini/app/exit"
	"fubini/app/servertest"
)

// A proxy brings the world to loopback: keys and limits are as on any other address.
func TestServeBehindAProxyNeedsKeys(t *testing.T) {
	folder := t.TempDir()
	model, database := filepath.Join(folder, "m.safetensors"), "sqlite:"+filepath.Join(folder, "f.db")
	fubini(t, "train", smallData(t, folder, 20), "-o", model, "--epochs", "2", "--hidden", "2", "--quiet")
	proxied := []string{model, "--db", database, "--behind-proxy", "--host", "api.example"}
	var messages bytes.Buffer
	if code := run(t.Context(), append([]string{"serve", "--addr", "127.0.0.1:0"}, proxied...), nil, io.Discard, &messages); code != exit.WrongUsage || !strings.Contains(messages.String(), "fubini key add") {
		t.Fatalf("without keys: exit code %d: %s", code, &messages)
	}
	var key struct{ Token string }
	if err := json.Unmarshal([]byte(fubini(t, "key", "add", "writer", "--scope", "read,write", "--db", database, "--format", "json", "--quiet")), &key); err != nil {
		t.Fatal(err)
	}
	const list, aList = "/v1/lists/aaaaaaaaaabbbbbbbbbbcc", `{"title":"Mine","tiers":[{"name":"S","items":["alien"]}]}`
	headers := []string{"Host", "api.example", "X-Forwarded-For", "192.0.2.1", "X-List-Secret", "0123456789abcdef0123456789abcdef", "If-None-Match", "*"}
	withKey := append(headers, "Authorization", "Bearer "+key.Token)
	for _, c := range []struct {
		name  string
		flags []string
		read  int  // status without a key
		slow  bool // clients are limited
		warns bool
	}{
		{"behind a proxy", proxied, 401, true, false},
		{"behind a proxy without keys", append(proxied, "--insecure-no-keys"), 200, true, true},
		{"this machine alone", []string{model, "--db", database, "--host", "api.example"}, 200, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, log, end := served(t, c.flags...)
			from := []string{"Host", "api.example", "X-Forwarded-For", "192.0.2.1"}
			for path, body := range map[string]string{"/v1/recommend": `{"tiers":[]}`, "/v1/items": "", "/metrics": ""} {
				if status, text := post(t, url+path, body, from...); status != c.read {
					t.Errorf("%s: status %d, want %d: %.300s", path, status, c.read, text)
				}
			}
			want := map[bool]int{true: http.StatusCreated, false: http.StatusUnauthorized}[c.read == 200]
			if answer, text := servertest.Ask(t, http.MethodPut, url+strings.Replace(list, "cc", c.name[:1]+"1", 1), aList, headers...); answer.StatusCode != want && answer.StatusCode != http.StatusPreconditionFailed {
				t.Errorf("a list without a key: status %d, want %d: %s", answer.StatusCode, want, text)
			}
			if answer, text := servertest.Ask(t, http.MethodPut, url+list, aList, withKey...); answer.StatusCode != http.StatusCreated && answer.StatusCode != http.StatusPreconditionFailed {
				t.Errorf("a list with a key: status %d: %s", answer.StatusCode, text)
			}
			// Who has the link needs no key; nor do the page and the state of the server.
			for _, path := range []string{list, "/", "/docs.css", "/openapi.json", "/healthz", "/readyz"} {
				if status, text := post(t, url+path, "", from...); status != http.StatusOK {
					t.Errorf("%s: status %d: %.300s", path, status, text)
				}
			}
			if rate := log.Await(t, `"msg":"serving".*"rate":([0-9.]+)`); (rate == "100") != c.slow {
				t.Errorf("a client may ask %s times a second", rate)
			}
			if end() != 0 {
				t.Errorf("%s", log)
			}
			if warned := strings.Contains(log.String(), "there are API keys, and reading and writing is open"); warned != c.warns {
				t.Errorf("warned: %t, want %t: %s", warned, c.warns, log)
			}
		})
	}
}

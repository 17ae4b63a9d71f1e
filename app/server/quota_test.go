package server_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fubini/app/server"
	"fubini/app/servertest"
	"fubini/app/store"
)

// token makes a key.
func (s *setup) token(expires time.Time, scopes ...store.Scope) (id, token string) {
	s.t.Helper()
	key, token, err := s.store.AddKey(s.t.Context(), "test", scopes, expires)
	if err != nil {
		s.t.Fatal(err)
	}
	return key.ID, token
}

// save puts a new list, with a key if there is one.
func (s *setup) save(n int, key string) reply {
	headers := []string{"X-List-Secret", aSecret, "If-None-Match", "*"}
	if key != "" {
		headers = append(headers, "Authorization", "Bearer "+key)
	}
	return s.ask("PUT", fmt.Sprintf("/v1/lists/aaaaaaaaaabbbbbbbbbb%02d", n), aList, headers...)
}

// A key has a quota, which is its own trouble; so have all lists together.
func TestListsHaveQuotas(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Limits.KeyLists, o.Limits.Lists = store.Quota{Lists: 2}, store.Quota{Lists: 4}
	})
	_, one := s.token(time.Time{}, store.Write)
	_, two := s.token(time.Time{}, store.Write)
	for n, c := range []struct {
		key    string
		status int
		detail string
	}{{one, 201, ""}, {one, 201, ""}, {one, 429, "quota, 2 lists"}, {two, 201, ""}, {"", 201, ""}, {"", 507, "quota, 4 lists"}, {two, 507, "quota, 4 lists"}} {
		got := s.save(n, c.key)
		if c.status == 201 {
			if got.status != 201 {
				t.Errorf("list %d: %d: %s", n, got.status, got.text)
			}
			continue
		}
		expectProblem(t, got, c.status, "")
		if !strings.Contains(string(got.text), c.detail) {
			t.Errorf("list %d: %s, want %q", n, got.text, c.detail)
		}
		if after := got.header.Get("Retry-After"); (after == "3600") != (c.status == 429) {
			t.Errorf("list %d: Retry-After %q", n, after)
		}
	}
	if strings.Contains(s.log.String(), `"level":"ERROR"`) {
		t.Errorf("a quota is no mistake of the server: %s", s.log)
	}
	sized := start(t, func(o *server.Options) { o.Limits.Lists.Bytes = int64(len(aList)) })
	if got := sized.save(1, ""); got.status != 201 {
		t.Errorf("%d: %s", got.status, got.text)
	}
	if got := sized.save(2, ""); got.status != 507 || !strings.Contains(string(got.text), " bytes") {
		t.Errorf("%d: %s", got.status, got.text)
	}
}

// An admin removes anybody's list, and the log of what admins did has it.
func TestAdminsRemoveLists(t *testing.T) {
	s := start(t, nil)
	_, writer := s.token(time.Time{}, store.Write)
	const path = "/v1/lists/aaaaaaaaaabbbbbbbbbb01"
	if got := s.save(1, writer); got.status != 201 {
		t.Fatal(got.status)
	}
	expectProblem(t, s.ask("DELETE", path, ""), 422, "header.X-List-Secret")
	expectProblem(t, s.ask("DELETE", path, "", "Authorization", "Bearer "+writer), 422, "header.X-List-Secret")
	expectProblem(t, s.ask("DELETE", path, "", append(s.key(), "X-List-Secret", "the wrong secret")...), 403, "")
	expectProblem(t, s.ask("DELETE", path, "", append(s.key(), "If-Match", `"1"`)...), 412, "")
	if got := s.ask("DELETE", path, "", s.key()...); got.status != 204 {
		t.Errorf("%d: %s", got.status, got.text)
	}
	expectProblem(t, s.ask("GET", path, ""), 404, "")
	expectProblem(t, s.ask("DELETE", path, "", s.key()...), 404, "")
	log := string(s.ask("GET", "/v1/audit", "", s.key()...).text)
	if !strings.Contains(log, `"action":"list.delete","detail":"aaaaaaaa…"`) || strings.Contains(log, "bbbb") {
		t.Errorf("%s", log)
	}
}

// A key that expires is refused from then on, though it was looked up a moment ago.
func TestKeysExpire(t *testing.T) {
	t.Parallel() // it waits
	s := start(t, func(o *server.Options) { o.Anonymous, o.Limits.KeyFresh = nil, time.Hour })
	expires := time.Now().Add(1500 * time.Millisecond)
	_, token := s.token(expires, store.Read)
	ask := func() reply { return s.ask("GET", "/v1/items", "", "Authorization", "Bearer "+token) }
	if got := ask(); got.status != 200 && time.Now().Before(expires) {
		t.Fatalf("%d: %s", got.status, got.text)
	}
	time.Sleep(time.Until(expires))
	got := ask()
	expectProblem(t, got, 401, "header.Authorization")
	if !strings.Contains(string(got.text), "expired") {
		t.Errorf("%s", got.text)
	}
	expectProblem(t, ask(), 401, "header.Authorization")
}

// The stream of a key that is revoked, or expires, ends.
func TestStreamsEndWithTheirKey(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, s *setup, id string){
		"revoked": func(t *testing.T, s *setup, id string) {
			if _, err := s.store.RevokeKey(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		},
		"expired": func(*testing.T, *setup, string) {},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, func(o *server.Options) { o.Train, o.Limits.KeyFresh = endlessly, 20*time.Millisecond })
			expires := time.Time{}
			if name == "expired" {
				expires = time.Now().Add(2 * time.Second)
			}
			id, token := s.token(expires, store.Admin)
			running := read[job](t, s.ask("POST", "/v1/jobs", aJob, s.key()...), 202)
			ctx, cancel := context.WithTimeout(t.Context(), servertest.Patience)
			defer cancel()
			open := func(token string) *bufio.Scanner {
				r, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/v1/jobs/"+running.ID+"/events", http.NoBody)
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Authorization", "Bearer "+token)
				answer, err := s.Client().Do(r)
				if err != nil || answer.StatusCode != 200 {
					t.Fatal(answer, err)
				}
				t.Cleanup(func() { answer.Body.Close() })
				lines := bufio.NewScanner(answer.Body)
				if !lines.Scan() { // it has begun
					t.Fatal(lines.Err())
				}
				return lines
			}
			other, stream := open(s.admin), open(token)
			end(t, s, id)
			for stream.Scan() {
				if strings.Contains(stream.Text(), "event: end") {
					t.Error("the job ended, and not the key")
				}
			}
			if err := stream.Err(); err != nil || ctx.Err() != nil {
				t.Errorf("the stream goes on: %v", err)
			}
			// That of a good key does go on: to the end of the job.
			if got := s.ask("POST", "/v1/jobs/"+running.ID+"/cancel", "", s.key()...); got.status != 200 {
				t.Errorf("%d: %s", got.status, got.text)
			}
			last := ""
			for other.Scan() {
				if strings.HasPrefix(other.Text(), "event: ") {
					last = other.Text()
				}
			}
			if last != "event: end" {
				t.Errorf("the stream of a good key ended with %q", last)
			}
			if strings.Contains(s.log.String(), `"level":"ERROR"`) {
				t.Errorf("%s", s.log)
			}
		})
	}
}

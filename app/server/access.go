package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"fubini/app/store"
)

// Scopes that routes need, and what may be done without a key.
const (
	readScope  = store.Read
	writeScope = store.Write
	adminScope = store.Admin
)

// A key that was good is taken to be good for a moment (Limits.KeyFresh), to spare the
// store, and for keyStale while the store does not answer. Meanwhile one request in
// keyRetry waits for the store, for keyWait.
const (
	keyStale  = 10 * time.Minute
	keyWait   = 300 * time.Millisecond
	keyRetry  = 2 * time.Second
	mostKnown = 1000
)

// tokens remembers keys that were shown lately, under the hash of their token.
type tokens struct {
	mutex sync.Mutex
	known map[[sha256.Size]byte]knownKey
}

type knownKey struct {
	key    store.Key
	seen   time.Time
	tried  time.Time // when the store was last asked in vain
	asking bool      // it is being asked
}

func (t *tokens) get(sum [sha256.Size]byte) (knownKey, bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	k, there := t.known[sum]
	return k, there
}

func (t *tokens) put(sum [sha256.Size]byte, key store.Key) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if len(t.known) >= mostKnown { // keys are few; start anew rather than keep order
		clear(t.known)
	}
	t.known[sum] = knownKey{key: key, seen: time.Now()}
}

// ask says whether the store should be asked of a key again now. Whoever is told so
// calls put, drop or failed in the end.
func (t *tokens) ask(sum [sha256.Size]byte) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	k, there := t.known[sum]
	if !there || k.asking || time.Since(k.tried) < keyRetry {
		return false
	}
	k.asking = true
	t.known[sum] = k
	return true
}

// failed notes that the store was asked in vain.
func (t *tokens) failed(sum [sha256.Size]byte) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if k, there := t.known[sum]; there {
		k.asking, k.tried = false, time.Now()
		t.known[sum] = k
	}
}

func (t *tokens) drop(sum [sha256.Size]byte) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	delete(t.known, sum)
}

// authenticate finds the key of a token in the store.
func (s *Server) authenticate(ctx context.Context, token string, sum [sha256.Size]byte) (store.Key, error) {
	if s.store == nil {
		return store.Key{}, store.ErrForbidden
	}
	key, err := s.store.Authenticate(ctx, token)
	switch {
	case err == nil:
		s.tokens.put(sum, key)
	case errors.Is(err, store.ErrForbidden):
		s.tokens.drop(sum)
	default:
		s.tokens.failed(sum)
	}
	return key, err
}

// refresh asks the store again of a key that was good a while ago. One request at a
// time does so, and waits but a moment: a store that hangs must not hold up those who
// need nothing else of it. Its answer counts even if it comes later.
func (s *Server) refresh(ctx context.Context, token string, sum [sha256.Size]byte, known store.Key) (store.Key, error) {
	if !s.tokens.ask(sum) {
		return known, nil
	}
	type result struct {
		key store.Key
		err error
	}
	found := make(chan result, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.Time)
		defer cancel()
		defer func() {
			if fault := recover(); fault != nil { // nobody further up is there to meet it
				s.tokens.failed(sum)
				found <- result{err: fmt.Errorf("%w: it panicked: %v", store.ErrUnavailable, fault)}
			}
		}()
		key, err := s.authenticate(ctx, token, sum)
		found <- result{key, err}
	}()
	timer := time.NewTimer(keyWait)
	defer timer.Stop()
	select {
	case r := <-found:
		if r.err == nil || errors.Is(r.err, store.ErrForbidden) {
			return r.key, r.err
		}
	case <-timer.C:
	case <-ctx.Done():
	}
	return known, nil
}

// stillGood looks a key up again for a request that lasts. A store that does not answer
// changes nothing, until the key is stale.
func (s *Server) stillGood(ctx context.Context, token string, sum [sha256.Size]byte, key store.Key) bool {
	if !key.Good(time.Now()) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.Time)
	defer cancel()
	_, err := s.authenticate(ctx, token, sum)
	if err == nil || errors.Is(err, store.ErrForbidden) {
		return err == nil
	}
	known, there := s.tokens.get(sum)
	return there && time.Since(known.seen) <= keyStale
}

// open says that a guarded route needs no key here.
func (s *Server) open(route string) bool {
	return s.byLink[route] || slices.Contains(s.options.Anonymous, s.scopes[route])
}

// allow asks for the key that a route needs. A key that is shown must be good, even
// where none is needed.
func (s *Server) allow(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r.Context())
		scope, guarded := s.scopes[c.route]
		if !guarded {
			next.ServeHTTP(w, r)
			return
		}
		header := r.Header.Get("Authorization")
		if header == "" {
			if s.open(c.route) {
				next.ServeHTTP(w, r)
				return
			}
			s.refuse(w, r, http.StatusUnauthorized, "an API key is needed: send Authorization: Bearer KEY")
			return
		}
		scheme, token, found := strings.Cut(header, " ")
		if !found || !strings.EqualFold(scheme, "Bearer") || len(token) > 200 {
			if !s.within(w, r, c.client) { // a guess like any other
				return
			}
			s.refuse(w, r, http.StatusUnauthorized, "the header must be: Authorization: Bearer KEY")
			return
		}
		token = strings.TrimSpace(token)
		sum := sha256.Sum256([]byte(token))
		known, there := s.tokens.get(sum)
		key, err := known.key, error(nil)
		switch age := time.Since(known.seen); {
		case !there || age > keyStale:
			if !s.within(w, r, c.client) { // guesses cost a look into the store
				return
			}
			key, err = s.authenticate(r.Context(), token, sum)
		case age > s.limits.KeyFresh:
			key, err = s.refresh(r.Context(), token, sum, known.key)
		}
		switch {
		case errors.Is(err, store.ErrForbidden):
			s.refuse(w, r, http.StatusUnauthorized, "the API key is not known, has expired or was revoked")
			return
		case err != nil:
			c.failed = err
			writeProblem(w, r, problemOf(err))
			return
		}
		if !key.Good(time.Now()) { // it was when it was looked up
			s.tokens.drop(sum)
			s.refuse(w, r, http.StatusUnauthorized, "the API key has expired; fubini key add makes another")
			return
		}
		c.key, c.admin = key.ID, key.Allows(store.Admin)
		c.good = func(ctx context.Context) bool { return s.stillGood(ctx, token, sum, key) }
		c.client = "key " + key.ID
		if c.api() && !s.within(w, r, c.client) {
			return
		}
		if !key.Allows(scope) {
			s.refuse(w, r, http.StatusForbidden, "the API key does not have the scope "+string(scope))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) refuse(w http.ResponseWriter, r *http.Request, status int, detail string) {
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="fubini"`)
	}
	writeProblem(w, r, problem(status, detail, &Fault{Message: "missing, unknown or too weak", Location: "header.Authorization"}))
}

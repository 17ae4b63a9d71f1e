package server

import (
	"context"
	"crypto/sha256"
	"errors"
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

// How long a key that was good is taken to be good: for a moment, to spare the
// store, and for longer while the store does not answer.
const (
	keyFresh  = 10 * time.Second
	keyStale  = 10 * time.Minute
	mostKnown = 1000
)

// tokens remembers keys that were shown lately, under the hash of their token.
type tokens struct {
	mutex sync.Mutex
	known map[[sha256.Size]byte]knownKey
}

type knownKey struct {
	key  store.Key
	seen time.Time
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
	t.known[sum] = knownKey{key, time.Now()}
}

func (t *tokens) drop(sum [sha256.Size]byte) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	delete(t.known, sum)
}

// authenticate finds the key of a token in the store. Known is what is remembered of
// it, if anything.
func (s *Server) authenticate(ctx context.Context, token string, sum [sha256.Size]byte, known knownKey) (store.Key, error) {
	if s.options.Store == nil {
		return store.Key{}, store.ErrForbidden
	}
	key, err := s.options.Store.Authenticate(ctx, token)
	switch {
	case err == nil:
		s.tokens.put(sum, key)
	case errors.Is(err, store.ErrForbidden):
		s.tokens.drop(sum)
	case time.Since(known.seen) < keyStale: // a zero time is long ago
		return known.key, nil
	}
	return key, err
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
			if slices.Contains(s.options.Anonymous, scope) {
				next.ServeHTTP(w, r)
				return
			}
			s.refuse(w, r, http.StatusUnauthorized, "an API key is needed: send Authorization: Bearer KEY")
			return
		}
		scheme, token, found := strings.Cut(header, " ")
		if !found || !strings.EqualFold(scheme, "Bearer") || len(token) > 200 {
			s.refuse(w, r, http.StatusUnauthorized, "the header must be: Authorization: Bearer KEY")
			return
		}
		token = strings.TrimSpace(token)
		sum := sha256.Sum256([]byte(token))
		known, there := s.tokens.get(sum)
		key, err := known.key, error(nil)
		if !there || time.Since(known.seen) > keyFresh {
			if !s.within(w, r, c.client) { // guesses cost a look into the store
				return
			}
			key, err = s.authenticate(r.Context(), token, sum, known)
		}
		switch {
		case errors.Is(err, store.ErrForbidden):
			s.refuse(w, r, http.StatusUnauthorized, "the API key is not known, or was revoked")
			return
		case err != nil:
			c.failed = err
			writeProblem(w, r, problemOf(err))
			return
		case !key.Allows(scope):
			s.refuse(w, r, http.StatusForbidden, "the API key does not have the scope "+string(scope))
			return
		}
		c.key = key.ID
		c.client = "key " + key.ID
		if !c.api() || s.within(w, r, c.client) {
			next.ServeHTTP(w, r)
		}
	})
}

func (s *Server) refuse(w http.ResponseWriter, r *http.Request, status int, detail string) {
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="fubini"`)
	}
	writeProblem(w, r, problem(status, detail, &Fault{Message: "missing, unknown or too weak", Location: "header.Authorization"}))
}

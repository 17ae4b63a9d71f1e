package gate

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"time"

	"fubini/app/store"
)

// key asks for the key that a route needs. A key that is shown must be good, even where none is needed.
func (g *Gate) key(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := CallOf(r.Context())
		header := r.Header.Get("Authorization")
		switch {
		case c.Route.Scope == "" || header == "" && c.Route.Open(g.options.Anonymous):
			next.ServeHTTP(w, r)
		case header == "":
			refuse(w, r, http.StatusUnauthorized, "an API key is needed: send Authorization: Bearer KEY")
		case g.authenticate(w, r, c, header):
			next.ServeHTTP(w, r)
		}
	})
}

// authenticate puts the key of a header into the call, or answers the request and returns false.
func (g *Gate) authenticate(w http.ResponseWriter, r *http.Request, c *Call, header string) bool {
	scheme, token, found := strings.Cut(header, " ")
	if !found || !strings.EqualFold(scheme, "Bearer") || len(token) > 200 {
		if g.within(w, r, c.Client) { // a guess like any other
			refuse(w, r, http.StatusUnauthorized, "the header must be: Authorization: Bearer KEY")
		}
		return false
	}
	token = strings.TrimSpace(token)
	sum := sha256.Sum256([]byte(token))
	known, there := g.keys.get(sum)
	key, err := known.key, error(nil)
	switch age := time.Since(known.seen); {
	case !there || age > keyStale:
		if !g.within(w, r, c.Client) { // guesses cost a look into the store
			return false
		}
		key, err = g.keys.lookUp(r.Context(), token, sum)
	case age > g.limits.KeyFresh:
		key, err = g.keys.refresh(r.Context(), token, sum, known.key)
	}
	switch {
	case errors.Is(err, store.ErrForbidden):
		refuse(w, r, http.StatusUnauthorized, "the API key is not known, has expired or was revoked")
		return false
	case err != nil:
		writeProblem(w, r, Failure(r.Context(), err))
		return false
	case !key.Good(time.Now()): // it was when it was looked up
		g.keys.drop(sum)
		refuse(w, r, http.StatusUnauthorized, "the API key has expired; fubini key add makes another")
		return false
	}
	c.Key, c.Client = key, "key "+key.ID
	c.Good = func(ctx context.Context) bool { return g.keys.stillGood(ctx, token, sum, key) }
	if c.Route.API && !g.within(w, r, c.Client) {
		return false
	}
	if !key.Allows(c.Route.Scope) {
		refuse(w, r, http.StatusForbidden, "the API key does not have the scope "+string(c.Route.Scope))
		return false
	}
	return true
}

func refuse(w http.ResponseWriter, r *http.Request, status int, detail string) {
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="fubini"`)
	}
	writeProblem(w, r, NewProblem(status, detail, &Fault{Message: "missing, unknown or too weak", Location: "header.Authorization"}))
}

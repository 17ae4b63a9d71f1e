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
func (g *Gate) key(w http.ResponseWriter, r *http.Request, c *Call) error {
	header := r.Header.Get("Authorization")
	switch {
	case c.Route.Scope == "" || header == "" && c.Route.Open(g.options.Anonymous):
		return nil
	case header == "":
		return unauthorized(w, "an API key is needed: send Authorization: Bearer KEY")
	}
	scheme, token, found := strings.Cut(header, " ")
	if !found || !strings.EqualFold(scheme, "Bearer") || len(token) > 200 {
		if p := g.count(w, c.Client); p != nil { // a guess like any other
			return p
		}
		return unauthorized(w, "the header must be: Authorization: Bearer KEY")
	}
	token = strings.TrimSpace(token)
	sum := sha256.Sum256([]byte(token))
	known := g.keys.get(sum)
	key, err := known.key, error(nil)
	switch age := time.Since(known.seen); {
	case age > keyStale: // or never seen
		if p := g.count(w, c.Client); p != nil { // guesses cost a look into the store
			return p
		}
		key, err = g.keys.lookUp(r.Context(), token, sum)
	case age > g.limits.KeyFresh:
		key, err = g.keys.refresh(r.Context(), token, sum, known.key)
	}
	switch {
	case errors.Is(err, store.ErrForbidden):
		return unauthorized(w, "the API key is not known, has expired or was revoked")
	case err != nil:
		return err
	case !key.Good(time.Now()): // it was when it was looked up
		return unauthorized(w, "the API key has expired; fubini key add makes another")
	}
	c.Key, c.Client = key, "key "+key.ID
	c.Good = func(ctx context.Context) bool { return g.keys.stillGood(ctx, token, sum, key) }
	if c.Route.API {
		if p := g.count(w, c.Client); p != nil {
			return p
		}
	}
	if !key.Allows(c.Route.Scope) {
		return NewProblem(http.StatusForbidden, "the API key does not have the scope "+string(c.Route.Scope), weak())
	}
	return nil
}

func weak() *Fault {
	return &Fault{Message: "missing, unknown or too weak", Location: "header.Authorization"}
}

func unauthorized(w http.ResponseWriter, detail string) error {
	w.Header().Set("WWW-Authenticate", `Bearer realm="fubini"`)
	return NewProblem(http.StatusUnauthorized, detail, weak())
}

package gate

import (
	"context"
	"crypto/rand"
	"log/slog"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/store"
)

// Call is the record of one request, which the layers fill in.
type Call struct {
	ID      string    // request id
	Pattern string    // pattern of the mux, or "none": labels of metrics come from a fixed set
	Route   Route     // route of that pattern
	Client  string    // key or address whose rate is limited
	Key     store.Key // zero without a key
	// Good reports whether the key is still valid, for requests that last; nil without a key.
	Good   func(context.Context) bool
	Failed error  // error for the log, which the client does not see
	body   []byte // of the request, once it is read
}

type callKey struct{}

// CallOf returns the call in the context of a request; an empty one outside of requests.
func CallOf(ctx context.Context) *Call {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return c
	}
	return &Call{}
}

// requestID takes the client's id if it is a plain word, so that a request can be followed through several
// services, and makes one otherwise.
func requestID(given string) string {
	if len(given) >= 8 && len(given) <= 64 && strings.Trim(given, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == "" {
		return given
	}
	return strings.ToLower(rand.Text()[:16])
}

// Log returns a logger that adds the id of the request to each line.
func Log(ctx context.Context, log *slog.Logger) *slog.Logger {
	return log.With("request_id", CallOf(ctx).ID)
}

// Route describes a route of the server to the gate: the scope that it needs and the limits that apply.
type Route struct {
	Scope  store.Scope  // scope that a key must have; empty if no key is needed
	Link   bool         // no key is needed, because the id in the path cannot be guessed
	API    bool         // a route of the API: limited in rate, in requests at once and in time
	Stored bool         // its requests need the store, and have their own limit of requests at once
	Stream bool         // its answer lasts as long as a job, outside of these limits
	Body   *huma.Schema // schema of the body; nil for none
	File   int64        // bytes of a body that is a file of any kind, where that may be more than others; 0 for JSON
}

// Open reports whether the route needs no key if the anonymous scopes need none.
func (r Route) Open(anonymous []store.Scope) bool {
	return r.Scope == "" || r.Link || slices.Contains(anonymous, r.Scope)
}

package gate

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"

	"fubini/app/store"
)

// Call is what is known of a request: its id, its route, its client and its key. The layers fill it in.
type Call struct {
	ID      string    // of the request
	Pattern string    // of the mux, or "none": a label of what clients send must come from a fixed set
	Route   Route     // of that pattern
	Client  string    // whose rate counts: a key or an address
	Key     store.Key // zero without one
	// Good reports whether the key of a request that lasts is still good; nil without a key.
	Good   func(context.Context) bool
	Failed error  // what went wrong inside, for the log
	body   []byte // of the request, once it is read
}

type callKey struct{}

// CallOf is the call of a request's context; outside of a request it is an empty one.
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

// Failure is the answer to an error. One that is not the client's is kept for the log.
func Failure(ctx context.Context, err error) *Problem {
	p := ProblemOf(err)
	if p.Status >= http.StatusInternalServerError && p.Status != http.StatusInsufficientStorage {
		CallOf(ctx).Failed = err
	}
	return p
}

// Log is a logger with the request's id in it.
func Log(ctx context.Context, log *slog.Logger) *slog.Logger {
	return log.With("request_id", CallOf(ctx).ID)
}

package gate

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"strings"

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

// Failure returns the problem document of an error. An error of the server that is none yet is kept for the log.
func Failure(ctx context.Context, err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	if p = problemOf(err); p.Status >= http.StatusInternalServerError && p.Status != http.StatusInsufficientStorage {
		CallOf(ctx).Failed = err
	}
	return p
}

// Log returns a logger that adds the id of the request to each line.
func Log(ctx context.Context, log *slog.Logger) *slog.Logger {
	return log.With("request_id", CallOf(ctx).ID)
}

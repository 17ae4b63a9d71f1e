package server

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"log/slog"
	"strings"
)

// call is what the gates learn of a request on its way.
type call struct {
	id     string // of the request
	route  string // pattern of the mux; empty where there is none
	client string // whose rate counts: a key or an address
	key    string // id of the API key, if there is one
	admin  bool   // the key has the scope admin
	// good asks whether the key still is, of a request that lasts; nil without a key.
	good   func(context.Context) bool
	body   []byte // of the request, once it is read
	failed error  // what went wrong inside, for the log
}

// api says whether the request is for the API, which is limited, and not for a page
// or the state of the server.
func (c *call) api() bool { return strings.Contains(c.route, " /v1/") }

type callKey struct{}

// callOf is the call of a context; outside of a request an empty one.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

func requestID(ctx context.Context) string { return callOf(ctx).id }

// newRequestID takes the client's id if it is a plain word, so that a request can be
// followed through several services, and makes one otherwise.
func newRequestID(given string) string {
	if len(given) >= 8 && len(given) <= 64 && strings.Trim(given, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == "" {
		return given
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(randomBytes(10)))
}

// randomBytes are from the system, which never fails.
func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // documented never to return an error
	return b
}

// failure is the answer to an error that is not the client's; the error itself is
// for the log.
func (s *Server) failure(ctx context.Context, err error) *Problem {
	callOf(ctx).failed = err
	return problemOf(err)
}

// log is the logger with the request's id in it.
func (s *Server) log(ctx context.Context) *slog.Logger {
	return s.options.Log.With("request_id", requestID(ctx))
}

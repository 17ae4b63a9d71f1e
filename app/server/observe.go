package server

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path"
	"runtime/debug"
	"strconv"
	"time"
)

// answer notes what was answered.
type answer struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	if (status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable) && a.Header().Get("Retry-After") == "" {
		a.Header().Set("Retry-After", "1") // whoever is turned away is told when to come back
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(text []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(text)
	a.bytes += int64(n)
	return n, err
}

// Unwrap lets [http.ResponseController] through.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// Hijack implements [http.Hijacker] by refusing: nobody takes a connection over.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, http.ErrNotSupported }

// observe gives a request its id and its route, keeps a panic to itself, and tells
// the log, the metrics and the traces how it went. Bodies, queries, headers and ids
// of lists are in none of them.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		c := &call{id: newRequestID(r.Header.Get("X-Request-Id"))}
		var missing http.Handler
		if missing, c.route = s.mux.Handler(r); c.route != "" && !clean(r.URL.EscapedPath()) {
			c.route = ""
		}
		ctx, span := s.tracer.start(context.WithValue(r.Context(), callKey{}, c), r, c)
		r = r.WithContext(ctx)
		to := &answer{ResponseWriter: w}
		harden(w.Header())
		w.Header().Set("X-Request-Id", c.id)
		s.inFlight.Inc()
		defer func() {
			s.inFlight.Dec()
			fault := recover()
			aborted := fault == http.ErrAbortHandler //nolint:errorlint // net/http compares it so
			switch {
			case aborted && to.status == 0:
				to.status = statusClientGone // for the log: the connection is cut
			case fault != nil && !aborted:
				s.panicked(to, r, fault)
			}
			took := time.Since(start)
			s.latency.WithLabelValues(routeName(c.route), strconv.Itoa(to.status)).Observe(took.Seconds())
			s.tracer.end(span, to.status, c.failed)
			s.note(r, c, to, took)
			if aborted {
				panic(fault) // net/http cuts the connection, and keeps it to itself
			}
		}()
		if c.route == "" {
			s.astray(to, r, missing)
			return
		}
		next.ServeHTTP(to, r)
	})
}

// clean says that a path is in its plain form: no empty segments, no dots. The mux
// would redirect to the plain form, which helps nobody but those who try paths.
func clean(escaped string) bool { return path.Clean(escaped) == escaped }

// astray answers requests that no route takes: 405 where another method would do.
func (s *Server) astray(w http.ResponseWriter, r *http.Request, missing http.Handler) {
	trial := &unheard{header: http.Header{}} // only the mux knows which methods a path takes
	missing.ServeHTTP(trial, r)
	if allow := trial.header.Get("Allow"); trial.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", allow)
		writeProblem(w, r, problem(http.StatusMethodNotAllowed, "this path takes "+allow))
		return
	}
	writeProblem(w, r, problem(http.StatusNotFound, "there is nothing here; /docs lists what there is"))
}

// unheard takes an answer that nobody gets.
type unheard struct {
	header http.Header
	status int
}

func (u *unheard) Header() http.Header                  { return u.header }
func (u *unheard) WriteHeader(status int)               { u.status = status }
func (u *unheard) Write(text []byte) (n int, err error) { return len(text), nil }

// panicked answers 500 if nothing was answered yet. The stack goes to the log.
func (s *Server) panicked(to *answer, r *http.Request, fault any) {
	s.panics.Inc()
	level := slog.LevelDebug
	if s.repeats.first("panic in " + routeName(callOf(r.Context()).route)) {
		level = slog.LevelError
	}
	s.log(r.Context()).Log(r.Context(), level, "a mistake of the server", "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
	if to.status == 0 {
		writeProblem(to, r, problem(http.StatusInternalServerError, "a mistake of the server; its log has more under the request id"))
	}
}

// note writes the line of a request. What comes in great numbers is for the metrics:
// lines of requests that go well, and of those that meet a known trouble, are at the
// level of debug.
func (s *Server) note(r *http.Request, c *call, to *answer, took time.Duration) {
	level := slog.LevelDebug
	switch {
	case c.failed != nil || to.status >= http.StatusInternalServerError && to.status != http.StatusServiceUnavailable && to.status != http.StatusInsufficientStorage:
		if s.repeats.first(causeOf(c, to.status)) {
			level = slog.LevelError
		}
	case s.scopes[c.route] == adminScope && c.key != "": // others are many, and did nothing
		level = slog.LevelInfo
	}
	if !s.options.Log.Enabled(r.Context(), level) {
		return
	}
	facts := []any{"route", routeName(c.route), "status", to.status, "bytes", to.bytes, "took_ms", float64(took.Microseconds()) / 1000, "client", c.client}
	if c.key != "" {
		facts = append(facts, "key", c.key)
	}
	if c.failed != nil {
		facts = append(facts, "error", c.failed.Error())
	}
	s.log(r.Context()).Log(r.Context(), level, "request", facts...)
}

// routeName is the label of a route: of what clients send, only what is known
// becomes one.
func routeName(route string) string {
	if route == "" {
		return "none"
	}
	return route
}

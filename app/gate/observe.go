package gate

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"fubini/app/store"
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
		a.Header().Set("Retry-After", "1") // whoever is turned away learns when to come back
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

// observe gives a request its id and its route, keeps a panic to itself, and writes the log, the metrics and the
// traces. Bodies, queries, headers and ids of lists are in none of them.
func (g *Gate) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		missing, pattern := g.options.Mux.Handler(r)
		// The mux would redirect a path with empty segments or dots, which helps nobody but those who try paths.
		astray := pattern == "" || !clean(r.URL.EscapedPath(), strings.HasSuffix(pattern, "/"))
		if astray {
			pattern = "none"
		}
		c := &Call{ID: requestID(r.Header.Get("X-Request-Id")), Pattern: pattern, Route: g.options.Routes[pattern]}
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header)) // under the client's span if it has one
		ctx, span := g.options.Tracer.Start(context.WithValue(ctx, callKey{}, c), pattern, trace.WithSpanKind(trace.SpanKindServer))
		r = r.WithContext(ctx)
		to := &answer{ResponseWriter: w}
		harden(w.Header())
		w.Header().Set("X-Request-Id", c.ID)
		g.inFlight.Inc()
		defer func() {
			g.inFlight.Dec()
			fault := recover()
			aborted := fault == http.ErrAbortHandler //nolint:errorlint // net/http compares it so
			switch {
			case aborted && to.status == 0:
				to.status = statusClientGone // for the log: the connection is cut
			case fault != nil && !aborted:
				g.panicked(to, r, fault)
			}
			g.note(r, c, to, span, time.Since(start))
			if aborted {
				panic(fault) // net/http cuts the connection, and keeps it to itself
			}
		}()
		if astray {
			notFound(to, r, missing)
			return
		}
		next.ServeHTTP(to, r)
	})
}

// clean reports whether a path has no empty segments and no dots. That of a folder may end with a slash.
func clean(name string, folder bool) bool {
	if folder && len(name) > 1 {
		name = strings.TrimSuffix(name, "/")
	}
	return path.Clean(name) == name
}

// notFound answers requests that no route takes: 405 where another method would do, which only the mux knows.
func notFound(w http.ResponseWriter, r *http.Request, missing http.Handler) {
	trial := &held{of: &memory{}, header: http.Header{}, text: &bytes.Buffer{}}
	missing.ServeHTTP(trial, r)
	if allow := trial.header.Get("Allow"); trial.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", allow)
		writeProblem(w, r, NewProblem(http.StatusMethodNotAllowed, "this path takes "+allow))
		return
	}
	writeProblem(w, r, NewProblem(http.StatusNotFound, "there is nothing here; /docs/api lists what there is"))
}

// panicked answers 500 if nothing was answered yet. The stack goes to the log.
func (g *Gate) panicked(to *answer, r *http.Request, fault any) {
	g.Panics.Inc()
	level := slog.LevelDebug
	if g.repeats.first("panic in " + CallOf(r.Context()).Pattern) {
		level = slog.LevelError
	}
	Log(r.Context(), g.options.Log).Log(r.Context(), level, "a mistake of the server", "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
	if to.status == 0 {
		writeProblem(to, r, problemOf(fmt.Errorf("panic: %v", fault)))
	}
}

// note ends the span of a request and writes its line. What comes in great numbers is for the metrics: lines of
// requests that go well, and of those that meet a known failure, are at the level of debug.
func (g *Gate) note(r *http.Request, c *Call, to *answer, span trace.Span, took time.Duration) {
	g.latency.WithLabelValues(c.Pattern, strconv.Itoa(to.status)).Observe(took.Seconds())
	if span.IsRecording() {
		span.SetAttributes(attribute.String("http.request.method", r.Method), attribute.String("http.route", c.Pattern),
			attribute.String("fubini.request_id", c.ID), attribute.Int("http.response.status_code", to.status))
		if c.Failed != nil || to.status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(to.status))
		}
		span.End()
	}
	level := slog.LevelDebug
	switch {
	case c.Failed != nil || to.status >= http.StatusInternalServerError && to.status != http.StatusServiceUnavailable && to.status != http.StatusInsufficientStorage:
		if g.repeats.first(causeOf(c, to.status)) {
			level = slog.LevelError
		}
	case c.Route.Scope == store.Admin && c.Key.ID != "": // others are many, and did nothing
		level = slog.LevelInfo
	}
	if !g.options.Log.Enabled(r.Context(), level) {
		return
	}
	facts := []any{"route", c.Pattern, "status", to.status, "bytes", to.bytes, "took_ms", float64(took.Microseconds()) / 1000, "client", c.Client}
	if c.Key.ID != "" {
		facts = append(facts, "key", c.Key.ID)
	}
	if c.Failed != nil {
		facts = append(facts, "error", c.Failed.Error())
	}
	Log(r.Context(), g.options.Log).Log(r.Context(), level, "request", facts...)
}

package server

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// tracer makes a span of each request; nil makes none.
type tracer struct{ trace.Tracer }

func newTracer(t trace.Tracer) *tracer {
	if t == nil {
		return nil
	}
	return &tracer{t}
}

// start begins a span, under the client's if it has one.
func (t *tracer) start(ctx context.Context, r *http.Request, c *call) (context.Context, trace.Span) {
	if t == nil {
		return ctx, nil
	}
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	return t.Start(ctx, routeName(c.route), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", r.Method), attribute.String("http.route", routeName(c.route)), attribute.String("fubini.request_id", c.id),
	))
}

func (t *tracer) end(span trace.Span, status int, failed error) {
	if t == nil {
		return
	}
	span.SetAttributes(attribute.Int("http.response.status_code", status))
	if failed != nil || status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, http.StatusText(status))
	}
	span.End()
}

package otlp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
)

// Exporter implements [trace.SpanExporter].
type Exporter struct {
	URL     string            // of the collector's traces, as in http://localhost:4318/v1/traces
	Headers map[string]string // sent with each request
	Client  *http.Client      // nil means one that waits for 10 s
}

// The shapes of OTLP's JSON, as far as we fill them. Numbers of 64 bits are texts.
type (
	request struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resource struct {
		Attributes []keyValue `json:"attributes"`
	}
	resourceSpans struct {
		Resource   resource     `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	scopeSpans struct {
		Scope struct {
			Name string `json:"name"`
		} `json:"scope"`
		Spans []span `json:"spans"`
	}
	span struct {
		TraceID    string     `json:"traceId"`
		SpanID     string     `json:"spanId"`
		Parent     string     `json:"parentSpanId,omitempty"`
		Name       string     `json:"name"`
		Kind       int        `json:"kind"`
		Start      string     `json:"startTimeUnixNano"`
		End        string     `json:"endTimeUnixNano"`
		Attributes []keyValue `json:"attributes"`
		Status     status     `json:"status"`
	}
	status struct {
		Code    int    `json:"code"`
		Message string `json:"message,omitempty"`
	}
	keyValue struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// ExportSpans implements [trace.SpanExporter].
func (e *Exporter) ExportSpans(ctx context.Context, spans []trace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	text, err := json.Marshal(encode(spans))
	if err != nil {
		return fmt.Errorf("otlp: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("otlp: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range e.Headers {
		r.Header.Set(name, value)
	}
	client := e.Client
	if client == nil {
		client = &http.Client{Timeout: 10 * time.Second}
	}
	answer, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("otlp: %w", err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // so that the connection can be used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("otlp: the collector answers %s", answer.Status)
	}
	return nil
}

// Shutdown implements [trace.SpanExporter]; nothing is held back.
func (e *Exporter) Shutdown(context.Context) error { return nil }

func encode(spans []trace.ReadOnlySpan) request {
	group := scopeSpans{}
	group.Scope.Name = spans[0].InstrumentationScope().Name
	for _, s := range spans {
		each := span{
			TraceID: s.SpanContext().TraceID().String(), SpanID: s.SpanContext().SpanID().String(), Name: s.Name(), Kind: int(s.SpanKind()),
			Start: nanoseconds(s.StartTime()), End: nanoseconds(s.EndTime()), Attributes: values(s.Attributes()),
		}
		if s.Parent().SpanID().IsValid() {
			each.Parent = s.Parent().SpanID().String()
		}
		switch s.Status().Code { // numbered otherwise than in the protocol
		case codes.Ok:
			each.Status.Code = 1
		case codes.Error:
			each.Status = status{2, s.Status().Description}
		case codes.Unset:
		}
		group.Spans = append(group.Spans, each)
	}
	var about resource
	if r := spans[0].Resource(); r != nil {
		about.Attributes = values(r.Attributes())
	}
	return request{[]resourceSpans{{about, []scopeSpans{group}}}}
}

func nanoseconds(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func values(attributes []attribute.KeyValue) []keyValue {
	list := make([]keyValue, 0, len(attributes))
	for _, a := range attributes {
		value := map[string]any{"stringValue": a.Value.String()}
		switch a.Value.Type() {
		case attribute.BOOL:
			value = map[string]any{"boolValue": a.Value.AsBool()}
		case attribute.INT64:
			value = map[string]any{"intValue": strconv.FormatInt(a.Value.AsInt64(), 10)}
		case attribute.FLOAT64:
			value = map[string]any{"doubleValue": a.Value.AsFloat64()}
		default: // texts, and lists as texts
		}
		list = append(list, keyValue{string(a.Key), value})
	}
	return list
}

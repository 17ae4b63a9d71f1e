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

// Exporter sends spans to a collector; it is a [trace.SpanExporter].
type Exporter struct {
	URL     string            // address for traces at the collector, such as http://localhost:4318/v1/traces
	Headers map[string]string // sent with each request
}

// object is an object of OTLP's JSON.
type object map[string]any

// ExportSpans sends spans in one request.
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
	answer, err := (&http.Client{Timeout: 10 * time.Second}).Do(r)
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

// Shutdown does nothing: no span is held back.
func (e *Exporter) Shutdown(context.Context) error { return nil }

// encode is a request with some spans. Numbers of 64 bits are texts.
func encode(spans []trace.ReadOnlySpan) object {
	var list []object
	for _, s := range spans {
		status := object{}
		switch s.Status().Code { // numbered otherwise than in the protocol
		case codes.Ok:
			status["code"] = 1
		case codes.Error:
			status["code"], status["message"] = 2, s.Status().Description
		case codes.Unset:
		}
		each := object{
			"traceId": s.SpanContext().TraceID().String(), "spanId": s.SpanContext().SpanID().String(), "name": s.Name(), "kind": int(s.SpanKind()), "status": status,
			"startTimeUnixNano": strconv.FormatInt(s.StartTime().UnixNano(), 10), "endTimeUnixNano": strconv.FormatInt(s.EndTime().UnixNano(), 10), "attributes": values(s.Attributes()),
		}
		if s.Parent().SpanID().IsValid() {
			each["parentSpanId"] = s.Parent().SpanID().String()
		}
		list = append(list, each)
	}
	scope := object{"scope": object{"name": spans[0].InstrumentationScope().Name}, "spans": list}
	about := object{"attributes": []object{}}
	if r := spans[0].Resource(); r != nil {
		about["attributes"] = values(r.Attributes())
	}
	return object{"resourceSpans": []object{{"resource": about, "scopeSpans": []object{scope}}}}
}

func values(attributes []attribute.KeyValue) []object {
	list := make([]object, 0, len(attributes))
	for _, a := range attributes {
		value := object{"stringValue": a.Value.String()}
		switch a.Value.Type() {
		case attribute.BOOL:
			value = object{"boolValue": a.Value.AsBool()}
		case attribute.INT64:
			value = object{"intValue": strconv.FormatInt(a.Value.AsInt64(), 10)}
		case attribute.FLOAT64:
			value = object{"doubleValue": a.Value.AsFloat64()}
		default: // texts, and lists as texts
		}
		list = append(list, object{"key": string(a.Key), "value": value})
	}
	return list
}

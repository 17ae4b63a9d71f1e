package otlp_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"fubini/app/otlp"
)

// A collector gets what was traced, in the protocol's form; one that refuses is told of.
func TestSpansArrive(t *testing.T) {
	var got string
	status := http.StatusOK
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		got = r.URL.Path + " " + r.Header.Get("Content-Type") + " " + r.Header.Get("X-Token") + " " + string(text)
		w.WriteHeader(status)
	}))
	defer collector.Close()
	exporter := &otlp.Exporter{URL: collector.URL + "/v1/traces", Headers: map[string]string{"X-Token": "t"}}
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter), sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "fubini"))))
	ctx, outer := provider.Tracer("test").Start(t.Context(), "outer", trace.WithSpanKind(trace.SpanKindServer))
	_, inner := provider.Tracer("test").Start(ctx, "inner", trace.WithAttributes(attribute.Int("n", 7), attribute.Bool("b", true), attribute.Float64("f", 0.5)))
	inner.SetStatus(codes.Error, "broken")
	inner.End()
	if !strings.HasPrefix(got, "/v1/traces application/json t {") || !json.Valid([]byte(got[strings.Index(got, "{"):])) {
		t.Fatalf("the collector got %s", got)
	}
	for _, want := range []string{
		`"name":"inner"`, `"parentSpanId":"` + outer.SpanContext().SpanID().String() + `"`, `"traceId":"` + outer.SpanContext().TraceID().String() + `"`,
		`"intValue":"7"`, `"boolValue":true`, `"doubleValue":0.5`, `"status":{"code":2,"message":"broken"}`, `{"key":"service.name","value":{"stringValue":"fubini"}}`, `"kind":1`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	outer.SetStatus(codes.Ok, "")
	outer.End()
	if !strings.Contains(got, `"name":"outer"`) || !strings.Contains(got, `"kind":2`) || strings.Contains(got, "parentSpanId") || !strings.Contains(got, `"status":{"code":1}`) {
		t.Errorf("the outer span: %s", got)
	}
	status = http.StatusBadRequest
	span := sdk.NewTracerProvider().Tracer("test")
	_, s := span.Start(t.Context(), "x")
	s.End()
	if err := exporter.ExportSpans(t.Context(), []sdk.ReadOnlySpan{s.(sdk.ReadOnlySpan)}); err == nil || !strings.Contains(err.Error(), "400") {
		t.Errorf("a refusal gives %v", err)
	}
}

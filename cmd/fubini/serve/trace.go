package serve

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"fubini/app/exit"
	"fubini/app/otlp"
	"fubini/cmd/fubini/cli"
)

// traces makes a tracer if the standard variables of OpenTelemetry ask for one. The library reads the variables of the
// service's name, sampling and batches.
func traces() (tracer trace.Tracer, end func(), err error) {
	nothing := func() {}
	target := os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	if base := os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); target == "" && base != "" {
		target = strings.TrimSuffix(base, "/") + "/v1/traces"
	}
	if target == "" || os.Getenv("OTEL_SDK_DISABLED") == "true" || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return nil, nothing, nil
	}
	if at, err := url.Parse(target); err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, nothing, exit.Usagef("OTEL_EXPORTER_OTLP_ENDPOINT: %s is not an address; write one such as http://localhost:4318", cli.Quote(target))
	}
	protocol := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"))
	if protocol == "grpc" {
		return nil, nothing, exit.Usagef("OTEL_EXPORTER_OTLP_PROTOCOL: fubini speaks http/json, not grpc; collectors take it on port 4318")
	}
	exporter := &otlp.Exporter{URL: target, Headers: map[string]string{}}
	for each := range strings.SplitSeq(cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS"), os.Getenv("OTEL_EXPORTER_OTLP_HEADERS")), ",") {
		if name, value, found := strings.Cut(each, "="); found {
			if plain, err := url.QueryUnescape(value); err == nil {
				value = plain
			}
			exporter.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	about := resource.Default()
	if os.Getenv("OTEL_SERVICE_NAME") == "" && !strings.Contains(os.Getenv("OTEL_RESOURCE_ATTRIBUTES"), "service.name") {
		about, err = resource.Merge(about, resource.NewSchemaless(attribute.String("service.name", "fubini")))
		if err != nil {
			return nil, nothing, err
		}
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return provider.Tracer("fubini"), func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = provider.Shutdown(ctx) // what could not be sent is lost, and only that
	}, nil
}

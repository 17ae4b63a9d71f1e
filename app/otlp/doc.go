// Package otlp sends spans to an OpenTelemetry collector by OTLP over HTTP, in its JSON form. The usual exporter
// would bring protocol buffers and gRPC along for the one request that is made here.
package otlp

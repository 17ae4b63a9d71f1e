package gate

import (
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"fubini/app/store"
)

// Options are the parts of a [Gate]: the routes behind it, access, limits and logs.
type Options struct {
	Mux         *http.ServeMux                  // finds the route of a request
	Routes      map[string]Route                // by pattern of the mux; patterns that are not here are zero Routes
	Resolve     func(*huma.Schema) *huma.Schema // follows a reference in a schema
	Keys        Authenticator                   // looks up keys; nil if there are none
	Anonymous   []store.Scope                   // scopes that need no key
	Loopback    bool                            // the server listens on this machine alone
	Hosts       []string                        // host names of the server, in lower case; for none see knownHost
	BehindProxy bool                            // the last address in X-Forwarded-For is the client's
	Limits      Limits
	Log         *slog.Logger
	Tracer      trace.Tracer // nil means none
	Metrics     prometheus.Registerer
}

// Gate is an [http.Handler] that checks requests before it passes them to a mux. [New] makes one.
type Gate struct {
	options Options
	limits  Limits // resolved
	metrics
	handler          http.Handler
	cross            http.CrossOriginProtection
	main, wide, kept *semaphore // for requests in general, for those that take long, for those that need the store
	bodies, answers  memory
	rates            rates
	keys             keyring
	repeats          repeats
}

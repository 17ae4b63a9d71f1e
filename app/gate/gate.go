package gate

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"fubini/app/store"
)

// Route describes a route of the server to the gate: the scope that it needs and the limits that apply.
type Route struct {
	Scope  store.Scope  // scope that a key must have; empty if no key is needed
	Link   bool         // no key is needed, because the id in the path cannot be guessed
	API    bool         // a route of the API: limited in rate, in requests at once and in time
	Stored bool         // its requests need the store, and have their own limit of requests at once
	Stream bool         // its answer lasts as long as a job, outside of these limits
	Body   *huma.Schema // schema of the body; nil for none
	File   int64        // bytes of a body that is a file of any kind, where that may be more than others; 0 for JSON
}

// Open reports whether the route needs no key if the anonymous scopes need none.
func (r Route) Open(anonymous []store.Scope) bool {
	return r.Scope == "" || r.Link || slices.Contains(anonymous, r.Scope)
}

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

// New returns a gate before the mux of the options.
func New(o Options) *Gate {
	l := o.Limits.Resolved()
	if o.Tracer == nil {
		o.Tracer = noop.NewTracerProvider().Tracer("")
	}
	g := &Gate{options: o, limits: l,
		main: newSemaphore(l.Working, l.Waiting, l.Patience),
		wide: newSemaphore(l.Wide, l.Wide, l.Patience), // few wait: they hold a place meanwhile
		kept: newSemaphore(l.Stored, l.Waiting, l.Patience),

		bodies: memory{most: l.Memory}, answers: memory{most: l.Memory}, rates: rates{limit: l.Rate, burst: l.Burst},
		keys:    keyring{store: o.Keys, patience: l.Time, known: map[[32]byte]*knownKey{}},
		repeats: repeats{every: l.Quiet, log: o.Log, more: map[string]int{}},
	}
	g.metrics = newMetrics(g)
	g.handler = o.Mux
	layers := g.Layers()
	for k := len(layers) - 1; k >= 0; k-- {
		if wrap := layers[k].Wrap; wrap != nil {
			g.handler = wrap(g.handler)
		}
	}
	return g
}

// Layer is one middleware between the connection and the handler, with the limit that it enforces.
type Layer struct {
	Name  string
	Limit string
	// Wrap puts the layer around the next one. It is nil where net/http or huma holds the limit: [Gate.HTTP]
	// before the first of our handlers, [Configure] behind the last.
	Wrap func(next http.Handler) http.Handler
}

// check is a layer that refuses a request with an error, or lets it pass.
func check(refuse func(w http.ResponseWriter, r *http.Request, c *Call) error) func(http.Handler) http.Handler {
	return around(func(w http.ResponseWriter, r *http.Request, c *Call, next http.Handler) {
		if err := refuse(w, r, c); err != nil {
			writeProblem(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// around is a layer that does something before and after the next one.
func around(serve func(w http.ResponseWriter, r *http.Request, c *Call, next http.Handler)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serve(w, r, CallOf(r.Context()), next) })
	}
}

// Layers returns all layers in the order in which a request passes them; an answer passes them in reverse.
func (g *Gate) Layers() []Layer {
	l := g.limits
	return []Layer{
		{"connections", fmt.Sprintf("%d open, %d of them from one address (IPv6: network, /64); one more is closed", mostConnections, l.PerAddress), nil},
		{"arrival", fmt.Sprintf("%v for the header, %v for the whole request, %d KiB of header", l.Read/2, l.Read, netHeader>>10), nil},
		{"observe", "every request gets an id, a line in the log, a place in the metrics and a span; a panic answers 500; a path of no route 404 or 405", g.observe},
		{"header", fmt.Sprintf("%d KiB of header (431), half of it for path and query (414)", mostHeader>>10), check(header)},
		{"origin", "the server's own names in Host (421), no page of another site (403)", check(g.origin)},
		{"rate", fmt.Sprintf("requests per second of one address (429), the last %d remembered; guesses of keys count too", mostClients), check(g.rate)},
		{"key", "a good key where one is shown or needed (401), with the scope of the route (403), at its own rate (429)", check(g.key)},
		{"full", "a free place, or one to wait in (503), before the body is read", check(g.full)},
		{"query", "each parameter once (422)", check(query)},
		{"hold", fmt.Sprintf("%d MiB of answers that wait to be sent (503); %v and a second per %d KiB to take one", l.Memory>>20, sendTime, sendRate>>10), around(g.hold)},
		{"body", fmt.Sprintf("%d MiB of one body (413), %d MiB of all (503), not compressed (415)", l.Body>>20, l.Memory>>20), around(g.body)},
		{"place", fmt.Sprintf("requests at work, and beside them those that need the store; %v for a place (503), %v for the answer (503)", l.Patience, l.Time), around(g.place)},
		{"bound", fmt.Sprintf("%d values, %d brackets within brackets and %d KiB of one text in JSON, %d faults, each field once (400, 422)", mostValues, mostDepth, mostText>>10, mostFaults), check(g.bound)},
		{"pack", fmt.Sprintf("compresses answers of %d bytes and more for clients that take gzip", worthPacking), pack},
		{"validate", fmt.Sprintf("the schema of the route: types, ranges, lengths, patterns, no null, no unknown field or parameter; %d faults are named (422)", mostFaults), nil},
	}
}

// ServeHTTP implements [http.Handler].
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.handler.ServeHTTP(w, r) }

// Try serves a request, discards the answer and returns its status.
func (g *Gate) Try(r *http.Request) int {
	answer := &held{of: &memory{}, header: http.Header{}, text: &bytes.Buffer{}}
	g.ServeHTTP(answer, r)
	return answer.status
}

// Close logs the counts of failures that have not been logged yet.
func (g *Gate) Close() { g.repeats.close() }

// Wide waits for one of the places for requests that take long; the caller gives it back by leave.
func (g *Gate) Wide(ctx context.Context) (leave func(), err error) {
	leave, err = g.wide.enter(ctx)
	if err != nil {
		g.shed.Inc()
	}
	return leave, err
}

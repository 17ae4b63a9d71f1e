package gate

import (
	"bytes"
	"fmt"
	"net/http"

	"go.opentelemetry.io/otel/trace/noop"
)

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
	g.metrics = newMetrics(o.Metrics, g.main, g.kept, &g.bodies, &g.answers)
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

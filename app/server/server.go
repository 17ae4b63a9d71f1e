package server

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"fubini/app/gate"
	"fubini/app/jobs"
	"fubini/app/store"
	"fubini/data/modelfile"
)

// Options describe what is served, and to whom.
type Options struct {
	// Load reads the model file; New and every reload call it.
	Load func(ctx context.Context) (*modelfile.File, error)
	// Store keeps lists, keys and jobs; nil leaves those routes out.
	Store store.Store
	// Train, if not nil, trains a model, which is tried before it takes the place of the one that is served. HasData
	// is an error where there is no data under a name.
	Train   func(ctx context.Context, order TrainOrder, observe func(Progress)) (Candidate, error)
	HasData func(name string) error
	// Page has the files that stand at /; nil means a short page that links to /docs.
	Page fs.FS
	// Training is how long the model that New loads took to train, where that is known: files do not hold it, for
	// they are the same whoever makes them again.
	Training time.Duration

	Anonymous   []store.Scope // what may be done without a key
	Loopback    bool          // the server listens on this machine alone
	Hosts       []string      // names it goes by, in lower case; where there are none, the gate decides
	BehindProxy bool          // the last address in X-Forwarded-For is the client's

	Limits  Limits
	Log     *slog.Logger // nil means none
	Tracer  trace.Tracer // nil means none
	Version string       // of the program
}

// Server answers requests. It is made by [New] and ended by [Server.Close].
type Server struct {
	options Options
	limits  Limits // resolved
	mux     *http.ServeMux
	api     huma.API
	routes  map[string]gate.Route // by pattern of the mux
	gate    *gate.Gate

	model     atomic.Pointer[served]
	loaded    atomic.Int64  // when, in Unix seconds
	reloading chan struct{} // holds one while a reload is under way
	signalled atomic.Bool   // a reload by signal waits
	closing   atomic.Bool
	store     *store.Watched // nil without a store
	runner    *jobs.Runner   // nil without a store
	streams   chan struct{}  // holds one for each stream of events
	registry  *prometheus.Registry
	reloads   *prometheus.CounterVec
}

// New reads the model and makes a server of it.
func New(ctx context.Context, o Options) (*Server, error) {
	if o.Load == nil {
		return nil, errors.New("server: Options.Load is needed: it reads the model")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	model, err := prepare(ctx, o.Load, o.Log)
	if err != nil {
		return nil, err
	}
	if o.Training > 0 {
		seconds := o.Training.Seconds()
		model.about.Facts.Training = &seconds
	}
	s := assemble(o, model)
	if s.store != nil {
		s.runner = s.newRunner()
	}
	return s, nil
}

// assemble puts the routes around a model, and the gate before them.
func assemble(o Options, model *served) *Server {
	s := &Server{options: o, limits: o.Limits.resolved(), mux: http.NewServeMux(), routes: map[string]gate.Route{},
		streams: make(chan struct{}, mostStreams), reloading: make(chan struct{}, 1)}
	s.model.Store(model)
	s.loaded.Store(time.Now().Unix())
	var keys gate.Authenticator
	if o.Store != nil {
		s.store = store.Watch(o.Store, s.limits.StoreTime)
		keys = s.store
	}
	s.measure()
	s.route()
	s.gate = gate.New(gate.Options{
		Mux: s.mux, Routes: s.routes, Resolve: s.resolve, Keys: keys,
		Anonymous: o.Anonymous, Loopback: o.Loopback, Hosts: o.Hosts, BehindProxy: o.BehindProxy,
		Limits: s.limits.Limits, Log: o.Log, Tracer: o.Tracer, Metrics: s.registry,
	})
	return s
}

// route adds all routes.
func (s *Server) route() {
	config := huma.DefaultConfig("fubini", s.options.Version)
	config.Info.Description = "Rankings with ties: recommendations, explanations and maps from a person's tier list."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", "" // ours are in docs.go
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"key": {Type: "http", Scheme: "bearer", Description: "An API key, made by fubini key add"}}
	gate.Configure(&config)
	s.api = humago.New(s.mux, config)
	s.routeRecommend(s.api)
	s.routeExplain(s.api)
	s.routeEmbed(s.api)
	s.routeReconstruct(s.api)
	s.routeItems(s.api)
	s.routeModel(s.api)
	s.routeReload(s.api)
	if s.store != nil {
		s.routeLists(s.api)
		s.routeJobs(s.api)
		s.routeAudit(s.api)
	}
	for pattern, op := range s.operations() {
		if op.RequestBody != nil {
			route := s.routes[pattern]
			route.Body = op.RequestBody.Content["application/json"].Schema
			s.routes[pattern] = route
		}
	}
	s.addExamples()
	s.routeHealth()
	s.routeDocs()
	s.routePage()
}

// operations are all operations of the API, by the pattern of their route.
func (s *Server) operations() map[string]*huma.Operation {
	all := map[string]*huma.Operation{}
	for path, item := range s.api.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "DELETE": item.Delete} {
			if op != nil {
				all[method+" "+path] = op
			}
		}
	}
	return all
}

// operation completes the description of a route: its scope, the errors that it may answer with, and no second limit
// on bodies beside that of the gate.
func (s *Server) operation(op huma.Operation, scope store.Scope, errs ...int) huma.Operation {
	route := s.routes[op.Method+" "+op.Path]
	route.Scope, route.API, route.Stored = scope, true, op.Tags[0] == "lists" || op.Tags[0] == "admin"
	s.routes[op.Method+" "+op.Path] = route
	op.Security = []map[string][]string{{"key": {string(scope)}}}
	if route.Open(s.options.Anonymous) {
		op.Security = append(op.Security, map[string][]string{}) // or nothing at all
	}
	op.MaxBodyBytes = -1
	op.BodyReadTimeout = s.limits.Read
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	common := []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusMisdirectedRequest, http.StatusUnprocessableEntity,
		http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge, http.StatusInternalServerError}
	for _, status := range slices.Concat(common, errs) {
		if status == http.StatusNotModified {
			op.Responses["304"] = &huma.Response{Description: "The client has the current version"}
			continue
		}
		schema := s.api.OpenAPI().Components.Schemas.Schema(problemType, true, "Problem")
		op.Responses[strconv.Itoa(status)] = &huma.Response{Description: http.StatusText(status), Content: map[string]*huma.MediaType{"application/problem+json": {Schema: schema}}}
	}
	return op
}

// Handler answers requests.
func (s *Server) Handler() http.Handler { return s.gate }

// HTTP is a server of the handler with limits on slow clients.
func (s *Server) HTTP() *http.Server { return s.gate.HTTP() }

// Listen limits how many connections of a listener are open, in all and from one network.
func (s *Server) Listen(l net.Listener) net.Listener { return s.gate.Listen(l) }

// Close ends jobs and waits for them. Requests are the business of [http.Server]: tell it to shut down first, after
// Closing.
func (s *Server) Close() {
	s.closing.Store(true)
	if s.runner != nil {
		s.runner.Close()
	}
	s.gate.Close()
}

// Closing makes /readyz say that no more requests should come.
func (s *Server) Closing() { s.closing.Store(true) }

// ModelID is the id of the model that is served.
func (s *Server) ModelID() string { return s.model.Load().id }

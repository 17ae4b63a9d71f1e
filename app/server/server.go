package server

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.opentelemetry.io/otel/trace"

	"fubini/app/store"
	"fubini/data/modelfile"
)

// Options say what is served, and to whom.
type Options struct {
	// Load reads the model file; called by New and by every reload.
	Load func(ctx context.Context) (*modelfile.File, error)
	// Store keeps lists, keys and jobs; nil leaves those routes out.
	Store store.Store
	// Train, if not nil, trains a model, which is tried before it takes the place of the
	// one that is served; HasData says whether there is data under a name.
	Train   func(ctx context.Context, order TrainOrder, observe func(Progress)) (Candidate, error)
	HasData func(name string) error
	// Page is what stands at /; nil means a short page that links to /docs.
	Page fs.FS
	// Training is how long the model that New loads took to train, where that is
	// known: files do not say, for they are the same whoever makes them again.
	Training time.Duration

	Anonymous   []store.Scope // what may be done without a key
	Loopback    bool          // the server listens on this machine alone
	Hosts       []string      // names it goes by, in lower case; for none see knownHost
	BehindProxy bool          // the last address in X-Forwarded-For is the client's

	Limits  Limits
	Log     *slog.Logger // nil means none
	Tracer  trace.Tracer // nil means none
	Version string       // of the program
}

// Server answers requests. It is made by [New] and ended by [Server.Close].
type Server struct {
	options Options
	limits  Limits
	mux     *http.ServeMux
	api     huma.API
	scopes  map[string]store.Scope  // by route; routes that are not here are open
	byLink  map[string]bool         // routes to which an id that cannot be guessed is key enough
	schemas map[string]*huma.Schema // of bodies, by route
	handler http.Handler

	model     atomic.Pointer[served]
	loaded    atomic.Int64  // when, in Unix seconds
	reloading chan struct{} // holds one while a reload is under way
	signalled atomic.Bool   // a reload by signal waits
	closing   atomic.Bool
	store     *watched // nil without a store

	gate, wide *gate
	stored     *gate // for what needs the store
	streams    chan struct{}
	rates      *rates
	tokens     tokens
	bodies     bodies
	answers    answers
	runner     *runner
	tracer     *tracer
	repeats    *repeats
	metrics
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
	if o.Store != nil {
		s.runner = newRunner(s)
	}
	return s, nil
}

// assemble puts the routes and the gates around a model.
func assemble(o Options, model *served) *Server {
	s := &Server{options: o, limits: o.Limits.resolved(), mux: http.NewServeMux(), scopes: map[string]store.Scope{}, byLink: map[string]bool{}, schemas: map[string]*huma.Schema{}, streams: make(chan struct{}, mostStreams), reloading: make(chan struct{}, 1)}
	s.model.Store(model)
	s.loaded.Store(time.Now().Unix())
	s.gate = newGate(s.limits.Working, s.limits.Waiting, s.limits.Patience)
	s.wide = newGate(s.limits.Wide, s.limits.Wide, s.limits.Patience) // few: they hold a place while they wait
	s.stored = newGate(s.limits.Stored, s.limits.Waiting, s.limits.Patience)
	s.rates = newRates(s.limits)
	s.tokens.known = map[[32]byte]knownKey{}
	s.bodies.most, s.answers.most = s.limits.Bodies, s.limits.Answers
	s.tracer = newTracer(o.Tracer)
	s.repeats = newRepeats(s.limits.Quiet, func(cause string, more int) {
		o.Log.Error("requests went wrong as before", "cause", cause, "more", more)
	})
	s.metrics = newMetrics(s)
	if o.Store != nil {
		s.store = watch(o.Store, s.limits.StoreTime)
	}
	s.route()
	s.handler = s.observe(s.slim(s.fromHere(s.slow(s.allow(s.turn(once(s.hold(s.receive(s.admit(s.bound(pack(s.mux))))))))))))
	return s
}

// route adds all routes.
func (s *Server) route() {
	config := huma.DefaultConfig("fubini", s.options.Version)
	config.Info.Description = "Rankings with ties: recommendations, explanations and maps from a person's tier list."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", "" // ours are in docs.go
	config.CreateHooks = nil                                             // no $schema in answers
	config.RejectUnknownQueryParameters = true
	config.Formats = map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat}
	config.Transformers = []huma.Transformer{signed}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"key": {Type: "http", Scheme: "bearer", Description: "An API key, made by fubini key add"}}
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
	s.keepSchemas()
	s.addExamples()
	s.routeHealth()
	s.routeDocs()
	s.routePage()
}

// operation completes what a route says of itself: its scope, the errors that it may
// answer with, and no second limit on bodies beside that of body.go.
func (s *Server) operation(op huma.Operation, scope store.Scope, errs ...int) huma.Operation {
	s.scopes[op.Method+" "+op.Path] = scope
	op.Security = []map[string][]string{{"key": {string(scope)}}}
	if s.open(op.Method + " " + op.Path) {
		op.Security = append(op.Security, map[string][]string{}) // or nothing at all
	}
	op.MaxBodyBytes = -1
	op.BodyReadTimeout = s.limits.Read
	common := []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusMisdirectedRequest, http.StatusUnprocessableEntity,
		http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge}
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	for _, status := range append(common, errs...) {
		if status == http.StatusNotModified {
			op.Responses["304"] = &huma.Response{Description: "The client has the current version"}
			continue
		}
		op.Responses[strconv.Itoa(status)] = s.problemResponse(status)
	}
	op.Responses["500"] = s.problemResponse(http.StatusInternalServerError)
	return op
}

func (s *Server) problemResponse(status int) *huma.Response {
	schema := s.api.OpenAPI().Components.Schemas.Schema(problemType, true, "Problem")
	return &huma.Response{Description: http.StatusText(status), Content: map[string]*huma.MediaType{"application/problem+json": {Schema: schema}}}
}

// Handler answers requests.
func (s *Server) Handler() http.Handler { return s.handler }

// Close ends jobs and waits for them. Requests are the business of [http.Server]:
// tell it to shut down first, after Closing.
func (s *Server) Close() {
	s.closing.Store(true)
	if s.runner != nil {
		s.runner.close()
	}
	s.repeats.close()
}

// Closing makes /readyz say that no more requests should come.
func (s *Server) Closing() { s.closing.Store(true) }

// ModelID is the id of the model that is served.
func (s *Server) ModelID() string { return s.model.Load().id }

package server

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"fubini/app/gate"
	"fubini/app/jobs"
	"fubini/app/store"
	"fubini/data/modelfile"
)

// Options are the parts of a server: the model, the store, training, access and limits.
type Options struct {
	// Load reads the model file; New and every reload call it.
	Load func(ctx context.Context) (*modelfile.File, error)
	// Store keeps lists, keys and jobs; nil leaves those routes out.
	Store store.Store
	// Train, if not nil, trains a model, which is tried before it replaces the served one. HasData returns an error if
	// there are no ratings under a name.
	Train   func(ctx context.Context, order TrainOrder, observe func(Progress)) (Candidate, error)
	HasData func(name string) error
	// Page has the files that stand at /; nil means a short page that links to /docs/api.
	Page fs.FS
	// Pictures has the pictures that the catalogue of the model names, served below /pictures/; nil means none.
	Pictures fs.FS
	// Worlds are the catalogues that the page offers beside its own; nil means none.
	Worlds Worlds
	// Manual has the documents that stand at /docs/, as Markdown; nil leaves them out.
	Manual fs.FS
	// Training is the training time of the model that New loads; 0 if unknown. Model files do not hold it, so that the
	// same training gives the same bytes.
	Training time.Duration

	Anonymous   []store.Scope // scopes that need no key
	Loopback    bool          // the server listens on this machine alone
	Hosts       []string      // host names of the server, in lower case; without any, the gate decides
	BehindProxy bool          // the last address in X-Forwarded-For is the client's

	Limits  Limits
	Log     *slog.Logger // nil means none
	Tracer  trace.Tracer // nil means none
	Version string       // of the program
}

// Limits bound the requests of a client, and what the server stores for all. Zero means no limit.
type Limits struct {
	Rate     float64     // requests per second from one client, in the long run
	Lists    store.Quota // quota of all saved lists together, of lists and of bytes
	KeyLists store.Quota // quota of the lists saved with one API key
	bounds
}

// bounds are the limits that only tests change. Zero means the default.
type bounds struct {
	gate.Limits
	StoreTime time.Duration // for an answer of the store; 0 means three quarters of Time
	Silence   time.Duration // time without a heartbeat of a server after which others end its jobs; 0 means 30 s
}

func (l Limits) resolved() Limits {
	l.Limits.Rate = l.Rate
	l.Limits = l.Limits.Resolved()
	l.StoreTime, l.Silence = cmp.Or(l.StoreTime, l.Time/4*3), cmp.Or(l.Silence, 30*time.Second)
	return l
}

// Limits on what a request may hold. They stand in the OpenAPI document too, as tags of the types: keep them in step.
const (
	mostTiers  = 1_000   // tiers of a list
	mostPlaced = 5_000   // items in them together
	mostID     = 200     // characters of an item's id
	mostItems  = 10_000  // items in an answer
	mostOdds   = 500_000 // numbers in the odds of an answer: its size in memory
	wideFrom   = 400_000 // effort from which an answer counts as wide; see effort
)

// Server is the HTTP API as an [http.Handler], made by [New] and ended by [Server.Close]. Its method HTTP returns an
// [http.Server] with limits on connections and slow clients.
type Server struct {
	*gate.Gate
	options Options
	limits  Limits // resolved
	mux     *http.ServeMux
	api     huma.API
	routes  map[string]gate.Route // by pattern of the mux

	operations map[string]*huma.Operation // of the API, by pattern

	model     atomic.Pointer[served]
	loaded    atomic.Int64 // when, in Unix seconds
	reloading sync.Mutex   // is held while a reload is under way
	signalled atomic.Bool  // a reload by signal waits
	closing   atomic.Bool
	store     *store.Watched // nil without a store
	runner    *jobs.Runner   // nil without a store
	streams   chan struct{}  // holds one for each stream of events
	registry  *prometheus.Registry
	reloads   *prometheus.CounterVec
}

// New reads and tries the model, and returns a server of it.
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
	s := &Server{options: o, limits: o.Limits.resolved(), mux: http.NewServeMux(), routes: map[string]gate.Route{}, operations: map[string]*huma.Operation{},
		streams: make(chan struct{}, mostStreams)}
	s.model.Store(model)
	s.loaded.Store(time.Now().Unix())
	var keys gate.Authenticator
	if o.Store != nil {
		s.store = store.Watch(o.Store, s.limits.StoreTime)
		keys = s.store
	}
	s.measure()
	s.route()
	s.Gate = gate.New(gate.Options{
		Mux: s.mux, Routes: s.routes, Resolve: s.resolve, Keys: keys,
		Anonymous: o.Anonymous, Loopback: o.Loopback, Hosts: o.Hosts, BehindProxy: o.BehindProxy,
		Limits: s.limits.Limits, Log: o.Log, Tracer: o.Tracer, Metrics: s.registry,
	})
	return s
}

// Close ends the jobs and waits for them. Call Closing first, then Shutdown of the [http.Server], which ends requests.
func (s *Server) Close() {
	s.closing.Store(true)
	if s.runner != nil {
		s.runner.Close()
	}
	s.Gate.Close()
}

// Closing makes /readyz answer 503, so that load balancers send no more requests.
func (s *Server) Closing() { s.closing.Store(true) }

// ModelID returns the checksum of the served model, its id in all answers.
func (s *Server) ModelID() string { return s.model.Load().id }

// log is the logger with the request's id in it.
func (s *Server) log(ctx context.Context) *slog.Logger { return gate.Log(ctx, s.options.Log) }

package server

import (
	"cmp"
	"context"
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

// Worlds are the catalogues between which people may choose on the first screen of the page. Each is a server of its own,
// on a port of this machine, so that lists of one never meet those of another.
type Worlds interface {
	// All are the worlds as they are now, always in the same order.
	All() []World
	// Start makes a world ready, in the background; of one that is ready or on its way nothing changes. It reports whether
	// there is such a world.
	Start(name string) bool
}

// World is a catalogue that people may choose: its state, and the port of its server.
type World struct {
	Name  string `json:"name" enum:"foods,films"`
	Title string `json:"title"`
	State string `json:"state" enum:"off,training,ready,failed" doc:"off until somebody asks for it"`
	Port  int    `json:"port" doc:"Where its page is, on this machine; 0 until it is ready"`
	Here  bool   `json:"here" doc:"Whether it is the one of the server that answers"`
}

// TrainOrder is a request to train a model and serve it.
type TrainOrder struct {
	Kind      string  `json:"kind" enum:"train" doc:"What is to be done"`
	Data      string  `json:"data" minLength:"1" maxLength:"200" pattern:"^[A-Za-z0-9_][A-Za-z0-9._-]*$" patternDescription:"a plain file name" doc:"Name of a file or folder of ratings in the server's data folder"`
	Model     string  `json:"model,omitempty" enum:"latent-osm,latent-osm-paper,osm" default:"latent-osm" doc:"Which model"`
	Hidden    int     `json:"hidden,omitempty" minimum:"1" maximum:"500" doc:"Hidden units; the model's own number if not given"`
	Epochs    int     `json:"epochs,omitempty" minimum:"1" maximum:"10000" doc:"Passes over all users; the model's own number if not given"`
	Calibrate float64 `json:"calibrate,omitempty" minimum:"0" maximum:"0.5" doc:"Share of the ratings to calibrate the odds by, about 20,000 at most of them, at the cost of up to a second training; 0 for none"`
	Seed      uint64  `json:"seed,omitempty" maximum:"9007199254740991" default:"1" doc:"Of all random numbers; up to 2^53-1, which every JSON parser keeps"`
}

// Progress is the state of a training job after an epoch.
type Progress struct {
	Epoch      int     `json:"epoch"`
	Epochs     int     `json:"epochs"`
	Distance   float64 `json:"distance" doc:"Of imagined from observed lists; 0 where it is not measured"`
	Validation float64 `json:"validation" doc:"NDCG@10 on held-back ratings; 0 where none are"`
	Likelihood float64 `json:"log_likelihood" doc:"0 where it is not measured"`
	Left       float64 `json:"left_s" doc:"Seconds to go"`
}

// Candidate is a trained model that is not served yet. The served model stays where [Options].Load finds it until the
// candidate has been tried.
type Candidate interface {
	// Load reads the candidate.
	Load(ctx context.Context) (*modelfile.File, error)
	// Keep moves the candidate to where Options.Load finds it, atomically even if the process is killed.
	Keep() error
	// Drop removes the candidate.
	Drop() error
}

// audit writes down what an admin is about to do. What cannot be written down is not done.
func (s *Server) audit(ctx context.Context, action, detail string) error {
	c := gate.CallOf(ctx)
	s.log(ctx).Info("admin", "action", action, "detail", detail, "key", c.Key.ID)
	if s.store == nil {
		return nil
	}
	_, err := s.store.AppendAudit(ctx, store.Entry{KeyID: c.Key.ID, Action: action, Detail: detail, RequestID: c.ID})
	return err
}

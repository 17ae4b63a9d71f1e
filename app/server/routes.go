package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"fubini/app/gate"
	"fubini/app/store"
)

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

// route adds all routes: those of the API, and those for people and machines around it.
func (s *Server) route() {
	config := huma.DefaultConfig("fubini", s.options.Version)
	config.Info.Description = "Rankings with ties: recommendations, explanations and maps from a person's tier list."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", "" // ours are in examples.go
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"key": {Type: "http", Scheme: "bearer", Description: "An API key, made by fubini key add"}}
	gate.Configure(&config)
	config.OnAddOperation = append(config.OnAddOperation, func(_ *huma.OpenAPI, op *huma.Operation) {
		pattern := op.Method + " " + op.Path
		s.operations[pattern] = op
		if op.RequestBody != nil {
			route := s.routes[pattern]
			if media := op.RequestBody.Content["application/json"]; media != nil {
				route.Body = media.Schema
			}
			s.routes[pattern] = route
		}
	})
	s.api = humago.New(s.mux, config)
	s.routeModel()
	if s.store != nil {
		s.routeStore()
	}
	s.addExamples()
	s.routeHealth()
	s.routeDocs()
	s.routePage()
}

// routeModel adds the routes that the model answers.
func (s *Server) routeModel() {
	read, admin := gate.Route{Scope: store.Read}, gate.Route{Scope: store.Admin}
	answer(s, read, operation("POST /v1/recommend", "recommend", "people", "Rank the items that a person has not placed",
		"Reads the tiers into the model and ranks all other items, with the odds of every place. Nothing is stored."), s.recommend)
	answer(s, read, operation("POST /v1/explain", "explain", "people", "Tell which placements moved an item up or down",
		"Takes the score of an item apart: a base, and a part for each of the person's own placements. They sum to the score."), s.explain, http.StatusConflict)
	answer(s, read, operation("POST /v1/embed", "embed", "people", "Put a person on the map of tastes",
		"The person's place, how sure it is, and the places of items, in the two directions in which items differ most. 409 for a model without hidden units."), s.embed, http.StatusConflict)
	answer(s, read, operation("POST /v1/reconstruct", "reconstruct", "people", "Rebuild a tier list from its posterior vector alone",
		"Folds the tiers into the model and orders their items by the posterior vector alone: what the hidden units kept of the list."), s.reconstruct, http.StatusConflict)
	answer(s, read, operation("POST /v1/deal", "deal", "people", "Choose what to ask a person about",
		"Of the best-known items that the person has not placed, those whose place is least sure, the better known the sooner; and whether the newest answers still move guesses. 409 for a model without hidden units."), s.deal, http.StatusConflict)
	answer(s, read, operation("POST /v1/together", "together", "people", "Put the lists of several people together",
		"One list of all, fitted to theirs, with intervals; and items that nobody placed, by the probability that they would please all. Nothing is stored. 409 where the lists have no common order."), s.together, http.StatusConflict)
	answer(s, gate.Route{Scope: store.Read, File: mostImported}, operation("POST /v1/import", "import", "people", "Read a person's export, tier list or list of names",
		"The body is a file as it is, or text: an export from Letterboxd, IMDb, Goodreads, StoryGraph, MyAnimeList, AniList, BoardGameGeek, Trakt or MovieLens, tiers like S: a, b, a list of names, or ratings; columns names those of a table that are not understood. "+
			"The answer has the tiers with ids of the model, and what became of every name. Nothing is stored."), s.imports)
	register(s, read, operation("GET /v1/items", "items", "catalogue", "Search the catalogue",
		"Items whose name or id has the text of q in it, page by page."), s.items, http.StatusNotModified)
	register(s, read, operation("GET /v1/items/{id}", "item", "catalogue", "Tell of one item", ""),
		s.item, http.StatusNotModified, http.StatusNotFound)
	register(s, read, operation("GET /v1/items/{id}/similar", "similar", "catalogue", "Find the nearest items in latent space", ""),
		s.similar, http.StatusNotModified, http.StatusNotFound)
	register(s, read, operation("GET /v1/model", "model", "catalogue", "Tell what is served",
		"Facts, training curves, calibration with counts, and for each hidden unit its extreme items."), s.about, http.StatusNotModified)
	register(s, read, operation("GET /v1/board", "board", "board", "Read the leaderboard of a fit to votes",
		"Worths with intervals, ranks and tiers, tie weights, and how well the fit agrees with the votes. 404 where the served model is no such fit."),
		s.board, http.StatusNotModified, http.StatusNotFound)
	register(s, read, operation("GET /v1/board/pair", "board-pair", "board", "Compare two items of a board",
		"Probabilities of win, tie and loss, the difference of worths, and the votes counted where the two met."),
		s.boardPair, http.StatusNotModified, http.StatusNotFound)
	register(s, read, operation("GET /v1/board/pairs", "board-pairs", "board", "Read all pairs of a board",
		"Probabilities of win and tie of every item against every other, for boards of at most 500 items."),
		s.boardPairs, http.StatusNotModified, http.StatusNotFound)
	if s.options.Worlds != nil {
		answer(s, read, operation("GET /v1/worlds", "worlds", "catalogue", "List the worlds of the demonstration", "Catalogues that the page lets people choose from, each on a port of its own."), s.worlds)
		answer(s, read, operation("POST /v1/worlds/{name}", "start-world", "catalogue", "Make a world ready", "Trains its model in the background, and serves it on a port of its own."), s.startWorld, http.StatusNotFound)
	}
	answer(s, admin, operation("POST /v1/model/reload", "reload", "admin", "Read the model file anew",
		"The old model serves until the new one has been read, checked and tried. A file that cannot be served changes nothing; the answer says why (409)."),
		s.reload, http.StatusConflict)
	answer(s, admin, operation("GET /v1/status", "status", "admin", "Tell how the server is",
		"The model that is served, health, and load: requests since the start by route, with times, those that wait and those turned away."), s.status)
}

// routeStore adds the routes that need the store.
func (s *Server) routeStore() {
	write, admin := gate.Route{Scope: store.Write}, gate.Route{Scope: store.Admin}
	register(s, write, operation("PUT /v1/lists/{id}", "put-list", "lists", "Save a tier list",
		"Makes a list (If-None-Match: *) or replaces a version of it (If-Match) with the secret that it was made with. Whoever knows the id can read it."),
		s.putList, http.StatusNotFound, http.StatusPreconditionFailed, http.StatusPreconditionRequired, http.StatusInsufficientStorage)
	answers := s.operations["PUT /v1/lists/{id}"].Responses
	created := *answers["200"]
	created.Description = http.StatusText(http.StatusCreated)
	answers["201"] = &created
	register(s, gate.Route{Scope: store.Read, Link: true}, operation("GET /v1/lists/{id}", "get-list", "lists", "Read a saved tier list",
		"Whoever has the id can read it: no key is needed."), s.getList, http.StatusNotModified, http.StatusNotFound)
	register(s, write, operation("DELETE /v1/lists/{id}", "delete-list", "lists", "Remove a saved tier list",
		"The owner's secret removes a list; so does, without it, a key with the scope admin."),
		s.deleteList, http.StatusNotFound, http.StatusPreconditionFailed)
	start := operation("POST /v1/jobs", "start-job", "admin", "Train a model and serve it",
		"Trains on a file of the server's data folder, tries the model, and serves it in place of the one before, whose file is kept. Jobs run one after the other; GET /v1/jobs/{id}/events tells how it goes.")
	start.DefaultStatus = http.StatusAccepted
	answer(s, admin, start, s.startJob, http.StatusNotFound, http.StatusConflict)
	answer(s, admin, operation("GET /v1/jobs", "jobs", "admin", "List jobs", ""), s.listJobs)
	answer(s, admin, operation("GET /v1/jobs/{id}", "job", "admin", "Tell of one job", ""), s.job, http.StatusNotFound)
	answer(s, admin, operation("POST /v1/jobs/{id}/cancel", "cancel-job", "admin", "End a job before its time",
		"A job that waits ends at once, one that runs soon: within the next beat, if another server on the same store runs it."),
		s.cancelJob, http.StatusNotFound, http.StatusConflict)
	watch := operation("GET /v1/jobs/{id}/events", "job-events", "admin", "Watch a job",
		"Server-sent events: progress with each epoch, and at last end with the job itself.")
	watch.Responses["200"] = &huma.Response{Description: "A stream of events", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}}
	register(s, gate.Route{Scope: store.Admin, Stream: true}, watch, s.jobEvents, http.StatusNotFound)
	answer(s, admin, operation("GET /v1/calibration", "calibration", "admin", "Hold the odds against what people placed",
		"Takes every placement out of the newest saved lists, and compares the odds that the rest of its list gives with where it stood: by day, week or month. No list is named. 409 for a model without odds."),
		s.heldUp, http.StatusConflict)
	answer(s, admin, operation("GET /v1/audit", "audit", "admin", "Read what admins did", ""), s.auditLog)
}

// operation is what the document has of a route: its pattern and id, the group it stands in, and what it does.
func operation(pattern, id, tag, summary, description string) huma.Operation {
	method, path, _ := strings.Cut(pattern, " ")
	return huma.Operation{Method: method, Path: path, OperationID: id, Tags: []string{tag}, Summary: summary, Description: description, Responses: map[string]*huma.Response{}}
}

// bodyOnly is an answer of a body, without headers of its own.
type bodyOnly[B any] struct{ Body B }

// answer registers a handler whose answer is a body; errs are the statuses that it may answer with beside the common ones.
func answer[I, B any](s *Server, route gate.Route, op huma.Operation, handle func(context.Context, *I) (*B, error), errs ...int) {
	register(s, route, op, func(ctx context.Context, in *I) (*bodyOnly[B], error) {
		body, err := handle(ctx, in)
		if err != nil {
			return nil, err
		}
		return &bodyOnly[B]{*body}, nil
	}, errs...)
}

// common are the statuses that every route may answer with.
var common = []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
	http.StatusUnsupportedMediaType, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusMisdirectedRequest, http.StatusUnprocessableEntity,
	http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge, http.StatusInternalServerError}

// register registers a handler. It completes the description of its route: the scope, the errors, and no second limit
// on bodies beside that of the gate. An error that is no problem document yet becomes one, and is kept for the log.
func register[I, O any](s *Server, route gate.Route, op huma.Operation, handle func(context.Context, *I) (*O, error), errs ...int) {
	route.API, route.Stored = true, op.Tags[0] == "lists" || op.Tags[0] == "admin"
	s.routes[op.Method+" "+op.Path] = route
	op.Security = []map[string][]string{{"key": {string(route.Scope)}}}
	if route.Open(s.options.Anonymous) {
		op.Security = append(op.Security, map[string][]string{}) // or nothing at all
	}
	op.MaxBodyBytes, op.BodyReadTimeout = -1, s.limits.Read
	op.Errors = slices.Concat(common, errs)
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if answered := huma.StatusError(nil); err == nil || errors.As(err, &answered) {
			return out, err
		}
		return nil, gate.Failure(ctx, err)
	})
	if fresh := op.Responses["304"]; fresh != nil {
		*fresh = huma.Response{Description: "The client has the current version"}
	}
}

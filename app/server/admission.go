package server

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// gate lets few requests work at once and few more wait, for a short while. What
// comes beyond is turned away at once: a full server must say so quickly, and be
// itself again as soon as the rush is over.
type gate struct {
	places   chan struct{}
	waiting  atomic.Int64
	most     int64
	patience time.Duration
}

func newGate(working, waiting int, patience time.Duration) *gate {
	return &gate{places: make(chan struct{}, working), most: int64(waiting), patience: patience}
}

// enter takes a place; the caller gives it back.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.places <- struct{}{}:
		return g.leave, nil
	default:
	}
	if g.waiting.Add(1) > g.most {
		g.waiting.Add(-1)
		return nil, tooBusy()
	}
	defer g.waiting.Add(-1)
	timer := time.NewTimer(g.patience)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return g.leave, nil
	case <-timer.C:
		return nil, tooBusy()
	case <-ctx.Done():
		return nil, problem(statusClientGone, "the client went away")
	}
}

func (g *gate) leave() { <-g.places }

// full says that whoever enters now is turned away.
func (g *gate) full() bool { return len(g.places) == cap(g.places) && g.waiting.Load() >= g.most }

// places is the gate that a request has to pass. What needs the store waits for it, and
// has places of its own: a store that hangs must not take those of recommendations.
func (s *Server) places(c *call) *gate {
	_, path, _ := strings.Cut(c.route, " ")
	for _, kept := range []string{"/v1/lists/", "/v1/jobs", "/v1/audit", "/v1/model/reload"} {
		if strings.HasPrefix(path, kept) {
			return s.stored
		}
	}
	return s.gate
}

func tooBusy() *Problem {
	return problem(http.StatusServiceUnavailable, "the server is busy; try again in a moment")
}

// turn sends requests away for which there is no place, before their bodies are read
// and anything is made ready for their answers: a server with ten times as much to do as
// it can must not spend its time on the nine tenths.
func (s *Server) turn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := callOf(r.Context()); c.api() && c.route != eventsRoute && s.places(c).full() {
			s.shed.Inc()
			writeProblem(w, r, tooBusy())
			return
		}
		next.ServeHTTP(w, r)
	})
}

// admit holds the API to its places and to its time. Streams of events wait most of
// their life and have places of their own.
func (s *Server) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r.Context())
		if !c.api() || c.route == eventsRoute {
			next.ServeHTTP(w, r)
			return
		}
		leave, err := s.places(c).enter(r.Context())
		if err != nil {
			s.shed.Inc()
			writeProblem(w, r, problemOf(err))
			return
		}
		defer leave()
		ctx, cancel := context.WithTimeout(r.Context(), s.limits.Time)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

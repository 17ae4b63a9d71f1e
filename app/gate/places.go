package gate

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"
)

// semaphore lets a few requests work at once and a few more wait, for a short time. Requests beyond that are refused
// at once: a full server must say so quickly, and be itself again as soon as the rush is over.
type semaphore struct {
	inside   chan struct{}
	waiting  atomic.Int64
	most     int64
	patience time.Duration
}

func newSemaphore(working, waiting int, patience time.Duration) *semaphore {
	return &semaphore{inside: make(chan struct{}, working), most: int64(waiting), patience: patience}
}

// enter takes a place; the caller gives it back by leave.
func (p *semaphore) enter(ctx context.Context) (leave func(), err error) {
	leave = func() { <-p.inside }
	select {
	case p.inside <- struct{}{}:
		return leave, nil
	default:
	}
	defer p.waiting.Add(-1)
	if p.waiting.Add(1) > p.most {
		return nil, tooBusy()
	}
	timer := time.NewTimer(p.patience)
	defer timer.Stop()
	select {
	case p.inside <- struct{}{}:
		return leave, nil
	case <-timer.C:
		return nil, tooBusy()
	case <-ctx.Done():
		return nil, context.Canceled
	}
}

// full reports whether whoever enters now is turned away.
func (p *semaphore) full() bool { return len(p.inside) == cap(p.inside) && p.waiting.Load() >= p.most }

func tooBusy() *Problem {
	return NewProblem(http.StatusServiceUnavailable, "the server is busy; try again in a moment")
}

// places are those that a request has to pass, nil for none. What needs the store has places of its own: a store
// that hangs must not take those of recommendations. Streams of events wait most of their life.
func (g *Gate) places(r Route) *semaphore {
	switch {
	case !r.API || r.Stream:
		return nil
	case r.Stored:
		return g.kept
	}
	return g.main
}

// full turns requests away for which there is no place, before their bodies are read: a server with ten times as
// much to do as it can must not spend its time on the nine tenths.
func (g *Gate) full(_ http.ResponseWriter, _ *http.Request, c *Call) error {
	if places := g.places(c.Route); places == nil || !places.full() {
		return nil
	}
	g.shed.Inc()
	return tooBusy()
}

// place holds the API to its places and to its time.
func (g *Gate) place(w http.ResponseWriter, r *http.Request, c *Call, next http.Handler) {
	places := g.places(c.Route)
	if places == nil {
		next.ServeHTTP(w, r)
		return
	}
	leave, err := places.enter(r.Context())
	if err != nil {
		g.shed.Inc()
		writeProblem(w, r, err)
		return
	}
	defer leave()
	ctx, cancel := context.WithTimeout(r.Context(), g.limits.Time)
	defer cancel()
	next.ServeHTTP(w, r.WithContext(ctx))
}

package gate

import (
	"context"
	"net/http"
)

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

// Wide waits for one of the places for requests that take long; the caller gives it back by leave.
func (g *Gate) Wide(ctx context.Context) (leave func(), err error) {
	leave, err = g.wide.enter(ctx)
	if err != nil {
		g.shed.Inc()
	}
	return leave, err
}

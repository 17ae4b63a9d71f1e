package gate

import (
	"sync"

	"golang.org/x/time/rate"
)

// rates remembers how much each client has asked lately, in two generations: when the younger one is full it takes
// the place of the older one, which is forgotten. A client that comes again is young again. So the memory is
// bounded, and whoever asked among the last mostClients clients is known.
type rates struct {
	limit float64 // requests per second; 0 means no limit
	burst int

	mutex        sync.Mutex
	young, older map[string]*rate.Limiter
}

// allow counts a request of a client, and reports whether it may pass.
func (r *rates) allow(name string) bool {
	if r.limit <= 0 {
		return true
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	limiter := r.young[name]
	if limiter == nil {
		if limiter = r.older[name]; limiter == nil {
			limiter = rate.NewLimiter(rate.Limit(r.limit), r.burst)
		}
		if r.young == nil || len(r.young) >= mostClients {
			r.young, r.older = map[string]*rate.Limiter{}, r.young
		}
		r.young[name] = limiter
	}
	return limiter.Allow()
}

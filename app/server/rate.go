package server

import (
	"container/list"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/time/rate"
)

// rates remembers how much each client has asked lately. The oldest clients are
// forgotten when there are too many, which forgives them; it cannot be used to grow
// the server's memory.
type rates struct {
	limit rate.Limit
	burst int
	most  int

	mutex   sync.Mutex
	clients map[string]*list.Element
	recent  *list.List // of *client, the latest first
}

type client struct {
	name    string
	limiter *rate.Limiter
}

func newRates(l Limits) *rates {
	return &rates{limit: rate.Limit(l.Rate), burst: l.Burst, most: l.Clients, clients: map[string]*list.Element{}, recent: list.New()}
}

// allow counts a request, and says after how many seconds to come back if it is one
// too many.
func (r *rates) allow(name string) (ok bool, after int) {
	if r.limit <= 0 {
		return true, 0
	}
	limiter := r.of(name)
	if limiter.Allow() {
		return true, 0
	}
	return false, max(1, int(math.Ceil(1/float64(r.limit))))
}

func (r *rates) of(name string) *rate.Limiter {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if at, known := r.clients[name]; known {
		r.recent.MoveToFront(at)
		return at.Value.(*client).limiter
	}
	if r.recent.Len() >= r.most {
		oldest := r.recent.Back()
		delete(r.clients, r.recent.Remove(oldest).(*client).name)
	}
	c := &client{name, rate.NewLimiter(r.limit, r.burst)}
	r.clients[name] = r.recent.PushFront(c)
	return c.limiter
}

// slow turns away clients that ask too often: by address here, and by key where one
// is shown, once it is known.
func (s *Server) slow(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r.Context())
		c.client = clientAddress(r, s.options.BehindProxy)
		if !c.api() || r.Header.Get("Authorization") != "" || s.within(w, r, c.client) {
			next.ServeHTTP(w, r)
		}
	})
}

// within counts a request of a client and answers 429 if it is one too many.
func (s *Server) within(w http.ResponseWriter, r *http.Request, name string) bool {
	ok, after := s.rates.allow(name)
	if !ok {
		s.limited.Inc()
		w.Header().Set("Retry-After", strconv.Itoa(after))
		writeProblem(w, r, problem(http.StatusTooManyRequests, "too many requests from this client; slow down"))
	}
	return ok
}

// clientAddress is the address of a client: its network, for IPv6, where one client
// has many addresses. Behind a proxy it is the last one that the proxy noted.
func clientAddress(r *http.Request, behindProxy bool) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if noted := r.Header.Values("X-Forwarded-For"); behindProxy && len(noted) > 0 {
		all := strings.Split(noted[len(noted)-1], ",")
		host = strings.TrimSpace(all[len(all)-1])
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return "unknown"
	}
	if address = address.Unmap(); address.Is6() {
		if network, err := address.WithZone("").Prefix(64); err == nil {
			return network.String()
		}
	}
	return address.String()
}

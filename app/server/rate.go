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

// clientAddress is the network of a client. Behind a proxy it is that of the last
// address that the proxy noted.
func clientAddress(r *http.Request, behindProxy bool) string {
	if noted := r.Header.Values("X-Forwarded-For"); behindProxy && len(noted) > 0 {
		all := strings.Split(noted[len(noted)-1], ",")
		return network(strings.TrimSpace(all[len(all)-1]))
	}
	return network(r.RemoteAddr)
}

// network is what clients are told apart by: the address, and of IPv6 the first 64 bits
// of it, for one client has all the rest. Some proxies note the port too, and some
// write brackets around IPv6 without one.
func network(text string) string {
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		return "unknown"
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		return netip.PrefixFrom(address, 64).Masked().String()
	}
	return address.String()
}

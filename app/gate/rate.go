package gate

import (
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// rate turns away clients that ask too often: by address here, and by key where one is shown, once it is known.
func (g *Gate) rate(w http.ResponseWriter, r *http.Request, c *Call) error {
	c.Client = clientAddress(r, g.options.BehindProxy)
	if !c.Route.API || r.Header.Get("Authorization") != "" {
		return nil
	}
	return g.count(w, c.Client)
}

// count counts a request of a client; it is a 429 if it is one too many.
func (g *Gate) count(w http.ResponseWriter, name string) error {
	if g.rates.allow(name) {
		return nil
	}
	g.limited.Inc()
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(1/g.limits.Rate)))))
	return NewProblem(http.StatusTooManyRequests, "too many requests from this client; slow down")
}

// clientAddress is the network of a client. Behind a proxy it is that of the last address that the proxy noted.
func clientAddress(r *http.Request, behindProxy bool) string {
	if noted := r.Header.Values("X-Forwarded-For"); behindProxy && len(noted) > 0 {
		all := strings.Split(noted[len(noted)-1], ",")
		return network(strings.TrimSpace(all[len(all)-1]))
	}
	return network(r.RemoteAddr)
}

// network is what clients are told apart by: the address, and of IPv6 the first 64 bits of it, for one client has
// all the rest. Some proxies note the port too, and some write brackets around IPv6 without one.
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

package gate

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// contentPolicy lets the page load what comes from this server, and nothing else.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// harden sets the headers that every answer has.
func harden(header http.Header) {
	header.Set("Content-Security-Policy", contentPolicy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
}

// origin refuses requests that a page of another site made a browser send, and requests under a name that is not
// ours: a page whose name was made to point at this machine (DNS rebinding) would pass for our own.
func (g *Gate) origin(_ http.ResponseWriter, r *http.Request, _ *Call) error {
	if !g.knownHost(r.Host) {
		return NewProblem(http.StatusMisdirectedRequest, "this server does not go by that name; --host adds one", &Fault{Message: "unknown host", Location: "header.Host"})
	}
	if err := g.cross.Check(r); err != nil {
		return NewProblem(http.StatusForbidden, "the request comes from a page of another site", &Fault{Message: "cross-origin request", Location: "header.Origin"})
	}
	return nil
}

// knownHost reports whether requests may come under the name of a host. Where no names are given, a server on
// loopback goes by loopback names. One that asks everybody for a key goes by all: a page that was made to point
// here has none. One that does not goes by numbers and by names without a dot, which nobody can register.
func (g *Gate) knownHost(host string) bool {
	name := host
	if short, _, err := net.SplitHostPort(host); err == nil {
		name = short
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	switch {
	case loopback(name):
		return true
	case len(g.options.Hosts) > 0:
		return slices.Contains(g.options.Hosts, strings.TrimSuffix(name, "."))
	case g.options.Loopback:
		return false
	case len(g.options.Anonymous) == 0:
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil || !strings.Contains(name, ".")
}

func loopback(name string) bool {
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && address.IsLoopback()
}

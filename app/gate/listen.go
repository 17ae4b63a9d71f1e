package gate

import (
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// netHeader is where net/http itself stops reading a header, and answers in words of its own. Below it header
// answers with a problem document.
const netHeader = 4 * mostHeader

// HTTP is a server of the gate with limits on slow clients.
func (g *Gate) HTTP() *http.Server {
	return &http.Server{
		Handler:           g,
		ReadHeaderTimeout: g.limits.Read / 2,
		ReadTimeout:       g.limits.Read,
		WriteTimeout:      g.limits.Read + 2*g.limits.Time, // hold and streams of events set their own
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    netHeader,
		ErrorLog:          slog.NewLogLogger(g.options.Log.Handler(), slog.LevelDebug),
	}
}

// header refuses requests whose path or header is too large.
func header(w http.ResponseWriter, r *http.Request, _ *Call) *Problem {
	size := 0
	for name, values := range r.Header {
		for _, value := range values {
			size += len(name) + len(value) + len(": \r\n")
		}
	}
	status, detail, place := http.StatusRequestHeaderFieldsTooLarge, "the header is too large", "header"
	if len(r.RequestURI) > mostHeader/2 {
		status, detail, place = http.StatusRequestURITooLong, "the path and query are too long", "path"
	} else if size <= mostHeader {
		return nil
	}
	w.Header().Set("Connection", "close")
	return NewProblem(status, detail, &Fault{Message: "too many bytes", Location: place})
}

// Listen limits how many connections are open, in all and from one network. One too many is closed at once: it
// costs the server nothing and the client a retry.
func (g *Gate) Listen(l net.Listener) net.Listener {
	return &listener{Listener: l, most: mostConnections, each: g.limits.PerAddress, open: map[string]int{}}
}

type listener struct {
	net.Listener
	most, each int

	mutex sync.Mutex
	all   int
	open  map[string]int // by network
}

// Accept implements [net.Listener].
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host := network(c.RemoteAddr().String())
		if l.take(host) {
			return &connection{Conn: c, closed: sync.OnceFunc(func() { l.give(host) })}, nil
		}
		_ = c.Close() // it is not served whatever happens
	}
}

func (l *listener) take(host string) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.all >= l.most || l.open[host] >= l.each {
		return false
	}
	l.all++
	l.open[host]++
	return true
}

func (l *listener) give(host string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.all--
	if l.open[host]--; l.open[host] == 0 {
		delete(l.open, host)
	}
}

type connection struct {
	net.Conn
	closed func()
}

// Close implements [net.Conn].
func (c *connection) Close() error {
	c.closed()
	return c.Conn.Close()
}

package server

import (
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// HTTP is the server with limits on slow and greedy clients.
func (s *Server) HTTP() *http.Server {
	return &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: s.limits.Read / 2,
		ReadTimeout:       s.limits.Read,
		WriteTimeout:      s.limits.Read + 2*s.limits.Time, // streams of events set their own
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    4 * s.limits.Header, // beyond that no problem document is written: see slim
		ErrorLog:          slog.NewLogLogger(s.options.Log.Handler(), slog.LevelDebug),
	}
}

// slim refuses requests whose path or header is too large, with a problem document; those
// that are far too large get no further than net/http, which answers in words of its own.
func (s *Server) slim(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size := 0
		for name, values := range r.Header {
			for _, value := range values {
				size += len(name) + len(value) + len(": \r\n")
			}
		}
		var fault *Problem
		switch {
		case len(r.RequestURI) > s.limits.Header/2:
			fault = problem(http.StatusRequestURITooLong, "the path and query are too long", &Fault{Message: "too many bytes", Location: "path"})
		case size > s.limits.Header:
			fault = problem(http.StatusRequestHeaderFieldsTooLarge, "the header is too large", &Fault{Message: "too many bytes", Location: "header"})
		default:
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Connection", "close")
		writeProblem(w, r, fault)
	})
}

// Listen limits how many connections are open, in all and from one network. One too
// many is closed at once: it costs the server nothing and the client a retry.
func (s *Server) Listen(l net.Listener) net.Listener {
	return &listener{Listener: l, most: s.limits.Connections, each: s.limits.PerAddress, open: map[string]int{}}
}

type listener struct {
	net.Listener
	most, each int

	mutex sync.Mutex
	all   int
	open  map[string]int
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

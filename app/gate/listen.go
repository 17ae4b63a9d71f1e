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

// HTTP returns a server of the gate, with limits on slow clients and on the number of connections.
func (g *Gate) HTTP() *http.Server {
	open := &connections{each: g.limits.PerAddress, client: map[net.Conn]string{}, open: map[string]int{}}
	return &http.Server{
		Handler:           g,
		ConnState:         open.note,
		ReadHeaderTimeout: g.limits.Read / 2,
		ReadTimeout:       g.limits.Read,
		WriteTimeout:      g.limits.Read + 2*g.limits.Time, // hold and streams of events set their own
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    netHeader,
		ErrorLog:          slog.NewLogLogger(g.options.Log.Handler(), slog.LevelDebug),
	}
}

// header refuses requests whose path or header is too large.
func header(w http.ResponseWriter, r *http.Request, _ *Call) error {
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

// connections are those that are open, by client. The hook of net/http keeps them in step.
type connections struct {
	each int // from one network

	mutex  sync.Mutex
	client map[net.Conn]string
	open   map[string]int // by client
}

// note is called with every new state of a connection. One too many is closed at once: it costs the server nothing and
// the client a retry.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	name, counted := c.client[conn]
	switch {
	case state == http.StateNew:
		if name = network(conn.RemoteAddr().String()); len(c.client) >= mostConnections || c.open[name] >= c.each {
			_ = conn.Close() // it is not served whatever happens
			return
		}
		c.client[conn] = name
		c.open[name]++
	case counted && (state == http.StateClosed || state == http.StateHijacked):
		delete(c.client, conn)
		if c.open[name]--; c.open[name] == 0 {
			delete(c.open, name)
		}
	}
}

package gate

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// memory is how much of all bodies, or of all answers, is held at once, and the buffers that hold it.
type memory struct {
	held atomic.Int64
	most int64
	pool sync.Pool // of *bytes.Buffer
}

func (m *memory) buffer() *bytes.Buffer {
	text, _ := m.pool.Get().(*bytes.Buffer)
	return cmp.Or(text, new(bytes.Buffer))
}

// take counts some bytes more, and reports whether there is room for them.
func (m *memory) take(bytes int64) bool {
	if m.held.Add(bytes) <= m.most {
		return true
	}
	m.held.Add(-bytes)
	return false
}

// free gives a buffer back, and the bytes that were counted for it; large buffers are left to the collector.
func (m *memory) free(text *bytes.Buffer, counted int64) {
	m.held.Add(-counted)
	if text.Cap() <= 64<<10 {
		text.Reset()
		m.pool.Put(text)
	}
}

// body reads the whole body before the request takes a place at work, so that a slow client holds up nobody but
// itself.
func (g *Gate) body(w http.ResponseWriter, r *http.Request, c *Call, next http.Handler) {
	if r.Body == nil || r.Body == http.NoBody {
		next.ServeHTTP(w, r)
		return
	}
	if r.Header.Get("Content-Encoding") != "" {
		writeProblem(w, r, NewProblem(http.StatusUnsupportedMediaType, "the body must not be compressed", &Fault{Message: "remove the header", Location: "header.Content-Encoding"}))
		return
	}
	text := g.bodies.buffer()
	defer func() { g.bodies.free(text, int64(text.Len())) }()
	if fault := g.readBody(text, w, r, max(g.limits.Body, c.Route.File)); fault != nil {
		w.Header().Set("Connection", "close") // rather than read the rest away before the answer
		writeProblem(w, r, fault)
		return
	}
	c.body = text.Bytes()
	r.Body = io.NopCloser(bytes.NewReader(c.body))
	next.ServeHTTP(w, r)
}

// readBody reads a body of at most so many bytes, within the limit on all bodies. What it has read is counted.
func (g *Gate) readBody(text *bytes.Buffer, w http.ResponseWriter, r *http.Request, most int64) error {
	large := NewProblem(http.StatusRequestEntityTooLarge, "the body is too large", &Fault{Message: "too many bytes", Location: "body"})
	if r.ContentLength > most {
		return large
	}
	from := http.MaxBytesReader(w, r.Body, most)
	for {
		const step = 16 << 10
		if !g.bodies.take(step) {
			return tooBusy()
		}
		read, err := io.CopyN(text, from, step)
		g.bodies.held.Add(read - step)
		var slow net.Error
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, new(*http.MaxBytesError)):
			return large
		case errors.As(err, &slow) && slow.Timeout():
			return NewProblem(http.StatusRequestTimeout, "the body took too long to arrive", &Fault{Message: "too slow", Location: "body"})
		default:
			return NewProblem(http.StatusBadRequest, "the body broke off", &Fault{Message: "incomplete", Location: "body"})
		}
	}
}

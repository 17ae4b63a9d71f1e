package gate

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
)

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

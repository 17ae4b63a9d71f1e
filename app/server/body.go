package server

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// bodies is how much of all bodies is held in memory.
type bodies struct {
	held atomic.Int64
	most int64
	pool sync.Pool // of *bytes.Buffer
}

// receive reads the whole body before the request takes a place at work, so that a
// slow client holds up nobody but itself.
func (s *Server) receive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		if r.Header.Get("Content-Encoding") != "" {
			writeProblem(w, r, problem(http.StatusUnsupportedMediaType, "the body must not be compressed", &Fault{Message: "remove the header", Location: "header.Content-Encoding"}))
			return
		}
		text, fault := s.readBody(w, r)
		defer s.bodies.free(text)
		if fault != nil {
			w.Header().Set("Connection", "close") // rather than read the rest away before the answer
			writeProblem(w, r, fault)
			return
		}
		callOf(r.Context()).body = text.Bytes()
		r.Body = io.NopCloser(bytes.NewReader(text.Bytes()))
		next.ServeHTTP(w, r)
	})
}

// readBody reads a body, within the limits on it and on all bodies.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (*bytes.Buffer, *Problem) {
	text, pooled := s.bodies.pool.Get().(*bytes.Buffer)
	if !pooled {
		text = &bytes.Buffer{}
	}
	if r.ContentLength > s.limits.Body {
		return text, tooLarge()
	}
	from := http.MaxBytesReader(w, r.Body, s.limits.Body)
	for {
		const step = 16 << 10
		if s.bodies.held.Add(step) > s.bodies.most {
			s.bodies.held.Add(-step)
			return text, tooBusy()
		}
		read, err := io.CopyN(text, from, step)
		s.bodies.held.Add(read - step)
		var large *http.MaxBytesError
		var slow net.Error
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return text, nil
		case errors.As(err, &large):
			return text, tooLarge()
		case errors.As(err, &slow) && slow.Timeout():
			return text, problem(http.StatusRequestTimeout, "the body took too long to arrive", &Fault{Message: "too slow", Location: "body"})
		default:
			return text, problem(http.StatusBadRequest, "the body broke off", &Fault{Message: "incomplete", Location: "body"})
		}
	}
}

func tooLarge() *Problem {
	return problem(http.StatusRequestEntityTooLarge, "the body is too large", &Fault{Message: "too many bytes", Location: "body"})
}

// free gives a body's memory back; large pieces are left to the collector.
func (b *bodies) free(text *bytes.Buffer) {
	b.held.Add(-int64(text.Len()))
	if text.Cap() <= 64<<10 {
		text.Reset()
		b.pool.Put(text)
	}
}

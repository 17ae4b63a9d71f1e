package server

import (
	"bytes"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// freeOfCharge is how much of an answer is not counted: the number of connections
// bounds small answers, and no crowd of large ones keeps them from being given.
const freeOfCharge = 16 << 10

// A client has sendTime to take its answer, and a second more for each sendRate bytes.
const (
	sendTime = 5 * time.Second
	sendRate = 128 << 10
)

// answers is how much of all answers waits in memory to be sent.
type answers struct {
	held atomic.Int64
	most int64
	pool sync.Pool // of *bytes.Buffer
}

// hold keeps an answer until it is complete, and sends it when the request has given
// back its place and the memory of its body: a client that does not read holds up
// nobody but itself.
func (s *Server) hold(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := callOf(r.Context()); !c.api() || c.route == eventsRoute {
			next.ServeHTTP(w, r)
			return
		}
		h := s.answers.take(w.Header())
		defer s.answers.free(h) // a panic inside sends nothing: what answers it finds w untouched
		next.ServeHTTP(h, r)
		long := time.Duration(h.text.Len()) * time.Second / sendRate
		// What is no connection, as in tests, has no deadline.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTime + long))
		if h.full {
			s.shed.Inc()
			writeProblem(w, r, tooBusy())
			return
		}
		h.send(w)
	})
}

// held is an answer on its way.
type held struct {
	of      *answers
	header  http.Header
	status  int
	text    *bytes.Buffer
	counted int64
	full    bool // there was no room for all of it
}

func (a *answers) take(header http.Header) *held {
	text, pooled := a.pool.Get().(*bytes.Buffer)
	if !pooled {
		text = &bytes.Buffer{}
	}
	return &held{of: a, header: header.Clone(), text: text}
}

// free gives an answer's memory back; large pieces are left to the collector.
func (a *answers) free(h *held) {
	a.held.Add(-h.counted)
	if h.text.Cap() <= 64<<10 {
		h.text.Reset()
		a.pool.Put(h.text)
	}
}

// Header implements [http.ResponseWriter].
func (h *held) Header() http.Header { return h.header }

// WriteHeader implements [http.ResponseWriter].
func (h *held) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

// Write implements [http.ResponseWriter]. It never fails: an answer for which there is
// no room is let go, and another one is sent instead.
func (h *held) Write(text []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	if h.full {
		return len(text), nil
	}
	if more := max(0, int64(h.text.Len()+len(text))-freeOfCharge) - h.counted; more > 0 {
		if h.of.held.Add(more) > h.of.most {
			h.of.held.Add(-more)
			h.full = true
			return len(text), nil
		}
		h.counted += more
	}
	return h.text.Write(text)
}

// send gives the answer to the client.
func (h *held) send(w http.ResponseWriter) {
	if h.status == 0 {
		return // nothing was answered
	}
	clear(w.Header())
	maps.Copy(w.Header(), h.header)
	if h.text.Len() > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(h.text.Len())) // it is known: no need of chunks
	}
	w.WriteHeader(h.status)
	if h.text.Len() > 0 {
		_, _ = w.Write(h.text.Bytes()) // the client may have gone
	}
}

package gate

import (
	"bytes"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"fubini/app/static"
)

// freeOfCharge is how much of an answer is not counted: the number of connections bounds small answers, and no
// number of large ones keeps them from being given.
const freeOfCharge = 16 << 10

// A client has sendTime to take its answer, and a second more for each sendRate bytes.
const (
	sendTime = 5 * time.Second
	sendRate = 128 << 10
)

// hold keeps an answer until it is complete, and sends it when the request has given back its place and the memory
// of its body: a client that does not read holds up nobody but itself.
func (g *Gate) hold(w http.ResponseWriter, r *http.Request, c *Call, next http.Handler) {
	if !c.Route.API || c.Route.Stream {
		next.ServeHTTP(w, r)
		return
	}
	h := &held{of: &g.answers, header: w.Header().Clone(), text: g.answers.buffer()}
	defer func() { h.of.free(h.text, h.counted) }() // a panic inside sends nothing: what answers it finds w untouched
	next.ServeHTTP(h, r)
	long := time.Duration(h.text.Len()) * time.Second / sendRate
	// What is no connection, as in tests, has no deadline.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTime + long))
	if h.full {
		g.shed.Inc()
		writeProblem(w, r, tooBusy())
		return
	}
	h.send(w)
}

// held is an answer on its way.
type held struct {
	of      *memory
	header  http.Header
	status  int
	text    *bytes.Buffer
	counted int64
	full    bool // there was no room for all of it
}

func (h *held) Header() http.Header { return h.header }

func (h *held) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

// Write never fails: an answer for which there is no room is let go, and another one is sent instead.
func (h *held) Write(text []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	more := max(0, int64(h.text.Len()+len(text))-freeOfCharge) - h.counted
	if h.full = h.full || more > 0 && !h.of.take(more); h.full {
		return len(text), nil
	}
	h.counted += max(0, more)
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
	_, _ = w.Write(h.text.Bytes()) // the client may have gone
}

// worthPacking is the size from which an answer is compressed: one that fits a packet gains nothing.
const worthPacking = 1400

// pack compresses answers for clients that take it, unless their maker has.
func pack(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(worthPacking), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.EnableZstd(false),
		gzhttp.ContentTypeFilter(func(kind string) bool { return kind != static.FontType }))
	if err != nil {
		panic(err) // the options are constants
	}
	packed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if CallOf(r.Context()).Route.Stream {
			next.ServeHTTP(w, r)
			return
		}
		packed(w, r)
	})
}

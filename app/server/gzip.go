package server

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// worthPacking is the size from which an answer is compressed: one that fits a
// packet gains nothing.
const worthPacking = 1400

// fontType is the media type of fonts that are compressed in themselves.
const fontType = "font/woff2"

var packers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// compressed is a text packed as small as it gets.
func compressed(text []byte) []byte {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	_, err = w.Write(text)
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err) // memory takes everything
	}
	return packed.Bytes()
}

// pack compresses answers for clients that take it.
func pack(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if !takesGzip(r.Header.Get("Accept-Encoding")) || callOf(r.Context()).route == eventsRoute {
			next.ServeHTTP(w, r)
			return
		}
		p := &packed{ResponseWriter: w}
		defer p.close()
		next.ServeHTTP(p, r)
	})
}

// takesGzip reads an Accept-Encoding: gzip by name, not refused by q=0.
func takesGzip(header string) bool {
	for each := range strings.SplitSeq(header, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(each), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q = strings.ReplaceAll(q, " ", "")
			return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
		}
	}
	return false
}

// packed holds the start of an answer back until it is clear whether it is large.
type packed struct {
	http.ResponseWriter
	status int
	start  []byte
	gzip   *gzip.Writer
	plain  bool // decided against
}

func (p *packed) WriteHeader(status int) {
	if p.status == 0 {
		p.status = status
	}
}

func (p *packed) Write(text []byte) (int, error) {
	if p.status == 0 {
		p.status = http.StatusOK
	}
	switch {
	case p.gzip != nil:
		return p.gzip.Write(text)
	case p.plain:
		return p.ResponseWriter.Write(text)
	}
	p.start = append(p.start, text...)
	small := p.Header().Get("Content-Encoding") != "" || p.Header().Get("Content-Type") == fontType // packed by whoever made it
	if len(p.start) < worthPacking && !small {
		return len(text), nil
	}
	if err := p.decide(len(p.start) >= worthPacking && !small); err != nil {
		return 0, err
	}
	return len(text), nil
}

// decide sends the header and what was held back.
func (p *packed) decide(large bool) error {
	if p.status == 0 {
		return nil // nothing was answered
	}
	if large {
		p.Header().Set("Content-Encoding", "gzip")
		p.Header().Del("Content-Length")
		p.gzip = packers.Get().(*gzip.Writer)
		p.gzip.Reset(p.ResponseWriter)
	} else {
		p.plain = true
	}
	p.ResponseWriter.WriteHeader(p.status)
	if len(p.start) == 0 {
		return nil
	}
	var err error
	if large {
		_, err = p.gzip.Write(p.start)
	} else {
		_, err = p.ResponseWriter.Write(p.start)
	}
	p.start = nil
	return err
}

func (p *packed) close() {
	if p.gzip == nil && !p.plain {
		_ = p.decide(false) // the client may have gone
	}
	if p.gzip != nil {
		_ = p.gzip.Close()
		packers.Put(p.gzip)
	}
}

// Unwrap lets [http.ResponseController] through.
func (p *packed) Unwrap() http.ResponseWriter { return p.ResponseWriter }

package load

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// wire is one connection to the server, with requests written beforehand and answers
// hardly looked at. A full client takes about as long to ask as the server to turn away,
// and so cannot offer a server on the same machine many times what it can do.
type wire struct {
	to   *target
	conn net.Conn // nil before the first request, and after a failure
	from *bufio.Reader
	used bool // answered before
}

// target is where the connections of a plan lead.
type target struct {
	address  string
	secure   bool
	requests [][]byte // whole, from the first line to the end of the body
}

// newTarget writes the requests of a plan.
func newTarget(p Plan) (*target, error) {
	at, err := url.Parse(p.URL + p.Path)
	if err != nil || at.Host == "" {
		return nil, fmt.Errorf("load: %q is not the URL of a server", p.URL+p.Path)
	}
	t := &target{address: at.Host, secure: at.Scheme == "https"}
	if at.Port() == "" {
		t.address = net.JoinHostPort(at.Hostname(), map[bool]string{false: "80", true: "443"}[t.secure])
	}
	for _, body := range p.Bodies {
		r, err := http.NewRequest(p.Method, at.String(), bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("load: %w", err)
		}
		if p.Headers != nil {
			r.Header = p.Headers.Clone()
		}
		r.Header.Set("User-Agent", "fubini-load")
		if len(body) > 0 {
			r.Header.Set("Content-Type", "application/json")
		}
		var text bytes.Buffer
		if err := r.Write(&text); err != nil {
			return nil, fmt.Errorf("load: %w", err)
		}
		t.requests = append(t.requests, text.Bytes())
	}
	return t, nil
}

// patience is how long an answer may take.
const patience = 20 * time.Second

// ask sends a request and reads its answer to the end. A connection that the server has
// closed since it was last used is opened anew, once.
func (w *wire) ask(ctx context.Context, request []byte) (status int, text string) {
	again := w.used
	status, text, err := w.exchange(ctx, request)
	if err != nil && again && errors.Is(err, errSilent) {
		status, text, err = w.exchange(ctx, request)
	}
	if err != nil {
		return 0, err.Error()
	}
	return status, text
}

// errSilent means that the connection ended before the first byte of an answer.
var errSilent = errors.New("the connection was closed without an answer")

func (w *wire) exchange(ctx context.Context, request []byte) (status int, text string, err error) {
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	if w.conn == nil {
		if err := w.dial(ctx); err != nil {
			return 0, "", err
		}
	}
	if err := w.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return 0, "", err
	}
	if _, err := w.conn.Write(request); err != nil {
		return 0, "", fmt.Errorf("%w: %w", errSilent, err)
	}
	if _, err := w.from.Peek(1); err != nil {
		if late := net.Error(nil); errors.As(err, &late) && late.Timeout() {
			return 0, "", err
		}
		return 0, "", fmt.Errorf("%w: %w", errSilent, err)
	}
	head, err := w.head()
	if err != nil {
		return 0, "", err
	}
	text, err = w.body(head)
	if err != nil {
		return 0, "", err
	}
	w.used = true
	if head.last {
		w.close()
	}
	switch {
	case head.status == http.StatusOK:
		return head.status, "", nil
	case turned(head.status) && !head.retry: // turned away without being told when to come back
		return -head.status, "no Retry-After", nil
	}
	return head.status, fmt.Sprintf("%d %s", head.status, text), nil
}

func (w *wire) dial(ctx context.Context) (err error) {
	dialer := net.Dialer{Timeout: patience}
	if w.to.secure {
		w.conn, err = (&tls.Dialer{NetDialer: &dialer}).DialContext(ctx, "tcp", w.to.address)
	} else {
		w.conn, err = dialer.DialContext(ctx, "tcp", w.to.address)
	}
	if err != nil {
		w.conn = nil
		return err
	}
	w.from, w.used = bufio.NewReaderSize(w.conn, 16<<10), false
	return nil
}

func (w *wire) close() {
	if w.conn != nil {
		_ = w.conn.Close() // nothing is lost with it
	}
	w.conn, w.used = nil, false
}

// head is what counts of an answer's first lines.
type head struct {
	status  int
	length  int64 // of the body; -1 if it comes in chunks
	retry   bool  // there is a Retry-After
	last    bool  // the server closes the connection
	unknown bool  // the length is not told: the body ends with the connection
}

func (w *wire) head() (h head, err error) {
	line, err := w.line()
	if err != nil {
		return h, err
	}
	word, rest, _ := strings.Cut(string(line), " ")
	if h.status, err = strconv.Atoi(rest[:min(3, len(rest))]); err != nil || !strings.HasPrefix(word, "HTTP/1.") {
		return h, fmt.Errorf("%.40q is not the beginning of an answer", line)
	}
	h.unknown = true
	for {
		line, err := w.line()
		if err != nil || len(line) == 0 {
			h.unknown = h.unknown && h.status != http.StatusNoContent && h.status != http.StatusNotModified
			return h, err
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			h.unknown = false
			if h.length, err = strconv.ParseInt(string(value), 10, 64); err != nil {
				return h, fmt.Errorf("Content-Length %.40q", value)
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			h.unknown, h.length = false, -1
		case bytes.EqualFold(name, []byte("Retry-After")):
			h.retry = len(value) > 0
		case bytes.EqualFold(name, []byte("Connection")):
			h.last = bytes.EqualFold(value, []byte("close"))
		}
	}
}

// line reads one line, without its end; it is good until the next read.
func (w *wire) line() ([]byte, error) {
	line, err := w.from.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}

// body reads a body away. Of answers that are not good the beginning is kept.
func (w *wire) body(h head) (text string, err error) {
	switch {
	case h.unknown:
		return "", fmt.Errorf("%d without the length of its body", h.status)
	case h.length >= 0:
		return w.skip(h, h.length)
	}
	for { // chunks: a length in hex, so many bytes, an empty line; the last has none
		line, err := w.line()
		if err != nil {
			return text, err
		}
		size, err := strconv.ParseInt(string(line), 16, 64)
		if err != nil {
			return text, fmt.Errorf("%.40q is not the length of a chunk", line)
		}
		part, err := w.skip(h, size)
		if text += part; err != nil {
			return text, err
		}
		if _, err := w.line(); err != nil || size == 0 {
			return text, err
		}
	}
}

// skip reads so many bytes away.
func (w *wire) skip(h head, size int64) (text string, err error) {
	if h.status != http.StatusOK {
		start, err := w.from.Peek(int(min(size, 300)))
		if err != nil {
			return "", err
		}
		text = string(start)
	}
	_, err = io.CopyN(io.Discard, w.from, size)
	return text, err
}

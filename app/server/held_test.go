package server_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"testing"
	"testing/fstest"
	"time"

	"fubini/app/server"
)

// narrow is a listener whose connections take few bytes that nobody reads.
type narrow struct{ net.Listener }

func (n narrow) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(4 << 10)
	}
	return c, err
}

// wide makes a server whose /v1/embed answers with many kilobytes.
func wide(t *testing.T, change func(o *server.Options)) *setup {
	t.Helper()
	s := start(t, change)
	s.file.Store(world(t, 1, 2000, 3))
	if _, err := s.server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// Clients that ask for long answers and do not read them hold up nobody else, with
// a single place to work at.
func TestClientsThatDoNotReadHoldUpNobody(t *testing.T) {
	s := wide(t, func(o *server.Options) {
		o.Limits.Working, o.Limits.Waiting, o.Limits.Patience = 1, 4, time.Second
	})
	slow := httptest.NewUnstartedServer(nil)
	slow.Config = s.server.HTTP()
	slow.Listener = narrow{slow.Listener}
	slow.Start()
	t.Cleanup(slow.Close)
	const body = `{"tiers":[["item-1"]]}`
	whole := len(s.ask("POST", "/v1/embed", body, "Accept-Encoding", "identity").text)
	counted := float64(4 * (whole - 16<<10)) // small answers are not counted, nor so much of large ones
	var clients []net.Conn
	for range 4 {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", slow.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintf(c, "POST /v1/embed HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
		clients = append(clients, c)
	}
	for begun := time.Now(); s.metric("fubini_answers_bytes") != counted || s.metric("fubini_working") != 0; time.Sleep(5 * time.Millisecond) {
		if time.Since(begun) > 4*time.Second {
			t.Fatalf("%g bytes wait for four clients that do not read, want %g; %g places are taken",
				s.metric("fubini_answers_bytes"), counted, s.metric("fubini_working"))
		}
	}
	if got := s.ask("POST", "/v1/recommend", body); got.status != 200 {
		t.Errorf("status %d for a client that reads", got.status)
	}
	for _, c := range clients {
		c.Close()
	}
	for begun := time.Now(); s.metric("fubini_answers_bytes") != 0; time.Sleep(5 * time.Millisecond) {
		if time.Since(begun) > 4*time.Second {
			t.Fatal("answers to clients that went are still held")
		}
	}
}

// Answers in memory are bounded together; small ones find room even then.
func TestAnswersAreBoundedTogether(t *testing.T) {
	s := wide(t, func(o *server.Options) { o.Limits.Memory = 20 << 10 })
	got := s.ask("POST", "/v1/embed", `{"tiers":[["item-1"]]}`, "Accept-Encoding", "identity")
	expectProblem(t, got, 503, "")
	if got.header.Get("Retry-After") == "" || got.header.Get("Content-Encoding") != "" {
		t.Errorf("headers %v", got.header)
	}
	if got := s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"]]}`); got.status != 200 {
		t.Errorf("status %d for a small answer", got.status)
	}
	if held := s.metric("fubini_answers_bytes"); held != 0 {
		t.Errorf("%g bytes are still held", held)
	}
}

// An answer is the same with a body that is compressed.
func TestHeldAnswersAreWhole(t *testing.T) {
	s := wide(t, nil)
	plain := s.ask("POST", "/v1/embed", `{"tiers":[["item-1"]]}`, "Accept-Encoding", "identity")
	packed := s.ask("POST", "/v1/embed", `{"tiers":[["item-1"]]}`) // unpacked by the client
	if plain.status != 200 || len(plain.text) < 64<<10 || string(plain.text) != string(packed.text) {
		t.Errorf("status %d, %d bytes; packed %d bytes", plain.status, len(plain.text), len(packed.text))
	}
}

// Texts that do not change come packed or plain, as the client likes, and are the same.
func TestFixedTextsArePacked(t *testing.T) {
	s := start(t, nil)
	for _, path := range []string{"/openapi.json", "/docs/api"} {
		plain := s.ask("GET", path, "", "Accept-Encoding", "identity")
		packed := s.ask("GET", path, "", "Accept-Encoding", "gzip")
		r, err := gzip.NewReader(bytes.NewReader(packed.text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if text, err := io.ReadAll(r); err != nil || !bytes.Equal(text, plain.text) || len(packed.text) >= len(plain.text) {
			t.Errorf("%s: %d bytes, packed %d, unpacked %d, %v", path, len(plain.text), len(packed.text), len(text), err)
		}
		if plain.header.Get("Content-Encoding") != "" || packed.header.Get("Content-Encoding") != "gzip" || packed.header.Get("Vary") == "" {
			t.Errorf("%s: headers %v, %v", path, plain.header, packed.header)
		}
	}
}

// Fonts are compressed in themselves and named by their bytes: they are sent as they are, to be kept for good.
func TestFontsAreSentAsTheyAre(t *testing.T) {
	font := bytes.Repeat([]byte("wOF2 and much that repeats itself "), 200)
	s := start(t, func(o *server.Options) {
		o.Page = fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}, "inter-GUSPGDVB.woff2": {Data: font}, "licence.txt": {Data: []byte("SIL")}}
	})
	answer := s.ask("GET", "/inter-GUSPGDVB.woff2", "", "Accept-Encoding", "gzip")
	if answer.status != 200 || !bytes.Equal(answer.text, font) || answer.header.Get("Content-Encoding") != "" {
		t.Errorf("status %d, %d bytes of %d, headers %v", answer.status, len(answer.text), len(font), answer.header)
	}
	if kind, keep := answer.header.Get("Content-Type"), answer.header.Get("Cache-Control"); kind != "font/woff2" || keep != "public, max-age=31536000, immutable" {
		t.Errorf("type %q, cache %q", kind, keep)
	}
	if kind := s.ask("GET", "/licence.txt", "").header.Get("Content-Type"); kind != "text/plain; charset=utf-8" {
		t.Errorf("the licence is %q", kind)
	}
}

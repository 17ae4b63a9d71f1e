package server

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"fubini/app/gate"
)

// routePage serves the files of the page, each under its own name: no path that is not the name of a file leads
// anywhere. They need no key: they are the same for everybody, and the page asks for one where the API does. Without
// a page there is a short one. / is the page of lists, or that of votes while the model is a fit to votes.
func (s *Server) routePage() {
	if s.options.Page == nil {
		s.mux.HandleFunc("GET /{$}", serveText("text/html; charset=utf-8", page("short.html", s.model.Load().saved.Name)))
		return
	}
	lists, votes := http.HandlerFunc(http.NotFound), http.HandlerFunc(nil)
	// An error while walking an embedded file system is a file that is not there.
	_ = fs.WalkDir(s.options.Page, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(s.options.Page, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".woff2" {
			s.mux.HandleFunc("GET /"+name, serveFont(text))
			return nil
		}
		serve := serveText(cmp.Or(types[path.Ext(name)], mime.TypeByExtension(path.Ext(name)), "application/octet-stream"), text)
		switch name {
		case "index.html":
			lists = serve
			return nil
		case "votes.html":
			votes = serve
		}
		s.mux.HandleFunc("GET /"+name, serve)
		return nil
	})
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		if votes != nil && s.model.Load().saved.Board != nil {
			votes(w, r)
			return
		}
		lists(w, r)
	})
}

// types are the media types of the page's files, the same on every machine.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".txt": "text/plain; charset=utf-8",
	".json": "application/json", ".map": "application/json", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml",
}

// serveFont serves a font. Its name has a hash of its bytes, so a browser may keep it for good; and it is compressed already.
func serveFont(font []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", gate.FontType)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		_, _ = w.Write(font) // the client may have gone
	}
}

// serveText serves a text that does not change while the server runs, compressed once and not anew for each client.
func serveText(kind string, text []byte) http.HandlerFunc {
	sum := sha256.Sum256(text)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = zip.Write(text)
	}
	if err = errors.Join(err, zip.Close()); err != nil {
		panic(err) // the level is a constant, and memory takes everything
	}
	small := packed.Bytes()
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("ETag", tag)
		if header := r.Header.Get("If-None-Match"); header != "" && matches(header, tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if len(small) < len(text) && takesGzip(r.Header.Get("Accept-Encoding")) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(small) // the client may have gone
			return
		}
		_, _ = w.Write(text)
	}
}

// takesGzip reads an Accept-Encoding: gzip by name, not refused by q=0.
func takesGzip(header string) bool {
	for each := range strings.SplitSeq(header, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(each), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			weight, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(q), "q="), 64)
			return err != nil || weight > 0
		}
	}
	return false
}

//go:embed pages
var pages embed.FS

// page fills a template of ours.
func page(name string, data any) []byte {
	var text bytes.Buffer
	if err := template.Must(template.ParseFS(pages, "pages/"+name)).Execute(&text, data); err != nil {
		panic(err) // our template, our data
	}
	return text.Bytes()
}

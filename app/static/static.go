// Package static serves files that do not change while the server runs: compressed once, and revalidated by entity tags.
package static

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// File serves a file of a page, by the ending of its name as a font or a text.
func File(name string, content []byte) http.HandlerFunc {
	ending := path.Ext(name)
	if ending == ".woff2" {
		return font(content)
	}
	return Text(cmp.Or(types[ending], mime.TypeByExtension(ending), "application/octet-stream"), content)
}

// types are the media types of the page's files, the same on every machine.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".txt": "text/plain; charset=utf-8",
	".json": "application/json", ".map": "application/json", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml",
}

// FontType is the media type of fonts, which are compressed in themselves.
const FontType = "font/woff2"

// font serves a font. Its name has a hash of its bytes, so a browser may keep it for good.
func font(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", FontType)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		_, _ = w.Write(content) // the client may have gone
	}
}

// Text serves a text that does not change while the server runs, compressed once and not anew for each client.
func Text(kind string, text []byte) http.HandlerFunc {
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
		if header := r.Header.Get("If-None-Match"); header != "" && Matches(header, tag) {
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

// Matches reports whether an entity tag is in the list of a header, or the list is *. Weak and strong tags are compared alike.
func Matches(header, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for each := range strings.SplitSeq(header, ",") {
		each = strings.TrimSpace(each)
		if each == "*" || strings.TrimPrefix(each, "W/") == tag {
			return true
		}
	}
	return false
}

// Package thumb serves the pictures of a catalogue: files of one folder, no larger than they are shown.
//
// A picture is a JPEG, PNG, GIF, WebP or AVIF file that an item of the served model names. With ?w= a JPEG or PNG comes
// scaled down to the next of a few widths; other kinds, and those that are small, come as they are. Nothing else of the
// folder is served.
package thumb

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	_ "image/png" // to be read
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/draw"

	"fubini/app/static"
)

// kinds are the pictures that browsers show, by the ending of their names. SVG is not among them: it may hold scripts.
var kinds = map[string]string{".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif"}

// widths are those that pictures are scaled to: a tile and a card, on screens of one and of two dots a pixel.
var widths = []int{70, 140, 280, 560}

// Limits on what is read and kept.
const (
	mostBytes  = 10 << 20   // of a file
	mostPixels = 40_000_000 // of a picture that is scaled
	mostKept   = 32 << 20   // bytes of scaled pictures in memory
)

// Pictures serves the files of a folder. One picture is scaled at a time.
type Pictures struct {
	files fs.FS
	known func(name string) bool

	scaling sync.Mutex
	kept    map[string][]byte // scaled pictures by name, version and width
	size    int
}

// New serves those files that known names.
func New(files fs.FS, known func(name string) bool) *Pictures {
	return &Pictures{files: files, known: known, kept: map[string][]byte{}}
}

// ServeHTTP answers a request whose path value name is that of a file.
func (p *Pictures) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	kind := kinds[strings.ToLower(path.Ext(name))]
	if !fs.ValidPath(name) || kind == "" || !p.known(name) {
		http.Error(w, "no item has such a picture", http.StatusNotFound)
		return
	}
	width, err := widthOf(r.URL.Query().Get("w"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	text, version, err := p.read(name)
	if err != nil {
		http.Error(w, "the server has no such picture", http.StatusNotFound)
		return
	}
	tag := fmt.Sprintf(`"%s-%d"`, version, width)
	w.Header().Set("Cache-Control", "private, max-age=86400")
	w.Header().Set("ETag", tag)
	if header := r.Header.Get("If-None-Match"); header != "" && static.Matches(header, tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if small, ok := p.scaled(name+" "+tag, text, kind, width); ok {
		text, kind = small, "image/jpeg"
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(text) // the client may have gone
}

// widthOf reads ?w=: 0 for none, otherwise the next of the widths.
func widthOf(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 10_000 {
		return 0, errors.New("w must be a width in pixels, from 1 to 10000")
	}
	at, _ := slices.BinarySearch(widths, n)
	return widths[min(at, len(widths)-1)], nil
}

// read is a file, and what tells its versions apart.
func (p *Pictures) read(name string) (text []byte, version string, err error) {
	file, err := p.files.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return nil, "", err
	}
	if !about.Mode().IsRegular() || about.Size() > mostBytes {
		return nil, "", fmt.Errorf("%s is no file of at most %d bytes", name, mostBytes)
	}
	text, err = io.ReadAll(io.LimitReader(file, mostBytes))
	return text, fmt.Sprintf("%x-%x", about.ModTime().UnixNano(), about.Size()), err
}

// scaled is a JPEG or PNG no wider than asked for; false where it may be sent as it is.
func (p *Pictures) scaled(key string, text []byte, kind string, width int) ([]byte, bool) {
	if width == 0 || kind != "image/jpeg" && kind != "image/png" {
		return nil, false
	}
	about, _, err := image.DecodeConfig(bytes.NewReader(text))
	if err != nil || about.Width <= width || about.Width*about.Height > mostPixels {
		return nil, false
	}
	p.scaling.Lock()
	defer p.scaling.Unlock()
	if small, there := p.kept[key]; there {
		return small, true
	}
	picture, _, err := image.Decode(bytes.NewReader(text))
	if err != nil {
		return nil, false
	}
	to := image.NewRGBA(image.Rect(0, 0, width, max(1, about.Height*width/about.Width)))
	draw.Draw(to, to.Bounds(), image.White, image.Point{}, draw.Src) // below what is transparent
	draw.CatmullRom.Scale(to, to.Bounds(), picture, picture.Bounds(), draw.Over, nil)
	var small bytes.Buffer
	if err := jpeg.Encode(&small, to, &jpeg.Options{Quality: 82}); err != nil {
		return nil, false
	}
	if p.size += small.Len(); p.size > mostKept {
		clear(p.kept)
		p.size = small.Len()
	}
	p.kept[key] = small.Bytes()
	return small.Bytes(), true
}

package web_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"testing"

	"fubini/app/web"
)

// fonts are the two that layouts are tested in: the page's own, and one a fifth wider where that is blocked. No font of a
// desktop is wider: the bold of DejaVu Sans takes 17 % more room than ours (tools/pagefont measures it).
var fonts = []string{"carried", "wide"}

// eachFont runs a test of a layout in both fonts.
func eachFont(t *testing.T, test func(t *testing.T, font string)) {
	t.Helper()
	for _, font := range fonts {
		t.Run(font, func(t *testing.T) {
			t.Parallel()
			test(t, font)
		})
	}
}

// in chooses the font that the page is shown in.
func (f *fake) in(font string) *fake {
	f.font = font
	return f
}

// wideStyle puts a font into the place of the page's own, the same for every machine: ours, a fifth larger in its widths.
const wideStyle = `@font-face { font-family: "Wide"; font-weight: 400 700; src: url("wide.woff2") format("woff2"); size-adjust: 120%; } :root { --font: "Inter", "Wide", sans-serif; }`

// file sends a file of the page. Where the font is "wide", the page's own are not to be had.
func (f *fake) file(w http.ResponseWriter, r *http.Request) {
	if path.Ext(r.URL.Path) == ".woff2" && f.fontHold != nil {
		<-f.fontHold
	}
	if f.font != "wide" {
		http.FileServerFS(web.Files()).ServeHTTP(w, r)
		return
	}
	switch {
	case r.URL.Path == "/wide.woff2":
		latin, err := latinFont()
		if err != nil {
			problem(w, http.StatusInternalServerError, err.Error())
			return
		}
		http.ServeFileFS(w, r, web.Files(), latin)
	case path.Ext(r.URL.Path) == ".woff2":
		http.NotFound(w, r)
	case r.URL.Path == "/app.css":
		text, err := fs.ReadFile(web.Files(), "app.css")
		if err != nil {
			problem(w, http.StatusInternalServerError, err.Error())
			return
		}
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write(append(text, wideStyle...))
	default:
		http.FileServerFS(web.Files()).ServeHTTP(w, r)
	}
}

// latinFont is the name of the file that every visitor loads: the one that index.html names.
func latinFont() (string, error) {
	html, err := fs.ReadFile(web.Files(), "index.html")
	if err != nil {
		return "", err
	}
	_, after, found := bytes.Cut(html, []byte(`<link rel="preload" href="`))
	name, _, closed := bytes.Cut(after, []byte(`"`))
	if !found || !closed {
		return "", fmt.Errorf("index.html preloads no font: %s", html)
	}
	return string(name), nil
}

// lettered waits until the font that the test asked for is the one that letters are drawn in.
func (b *tab) lettered() {
	b.t.Helper()
	family := "Inter"
	if b.font == "wide" {
		family = "Wide"
	}
	b.wait(`document.fonts.status === "loaded" && [...document.fonts].some((face) => face.family.replaceAll('"', "") === %q && face.status === "loaded")`, family)
}

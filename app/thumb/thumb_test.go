package thumb_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"fubini/app/thumb"
)

// drawn is a PNG of one colour.
func drawn(t *testing.T, width, height int) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		picture.Set(i%width, i/width, color.RGBA{200, 30, 60, 255})
	}
	var text bytes.Buffer
	if err := png.Encode(&text, picture); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// Pictures come in the next of a few widths, in their colours; small ones as they are; and of the folder nothing is
// served that no item names, or that is no picture.
func TestPictures(t *testing.T) {
	files := fstest.MapFS{
		"a.png": {Data: drawn(t, 600, 900)}, "small.png": {Data: drawn(t, 60, 90)}, "bad.png": {Data: []byte("no picture")}, "secret.png": {Data: drawn(t, 4, 4)},
		"keys.txt": {Data: []byte("secret")}, "deep/b.png": {Data: drawn(t, 300, 300)}, "x.svg": {Data: []byte("<svg/>")}, "big.gif": {Data: make([]byte, 11<<20)},
	}
	named := map[string]bool{"a.png": true, "small.png": true, "bad.png": true, "keys.txt": true, "deep/b.png": true, "x.svg": true, "gone.png": true, "big.gif": true, "../a.png": true}
	mux := http.NewServeMux()
	mux.Handle("GET /pictures/{name...}", thumb.New(files, func(name string) bool { return named[name] }))
	ask := func(path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w
	}
	for path, want := range map[string]struct{ status, width, height int }{
		"a.png": {200, 600, 900}, "a.png?w=100": {200, 140, 210}, "a.png?w=70": {200, 70, 105}, "a.png?w=5000": {200, 560, 840}, "small.png?w=70": {200, 60, 90}, "deep/b.png?w=140": {200, 140, 140},
		"a.png?w=0": {400, 0, 0}, "a.png?w=x": {400, 0, 0}, "a.png?w=-5": {400, 0, 0}, "gone.png": {404, 0, 0}, "secret.png": {404, 0, 0}, "keys.txt": {404, 0, 0}, "x.svg": {404, 0, 0}, "deep": {404, 0, 0}, "big.gif": {404, 0, 0}, "..%2fa.png": {404, 0, 0},
	} {
		for range 2 { // the second time it is kept
			got := ask("/pictures/" + path)
			if got.Code != want.status {
				t.Errorf("%s: status %d, want %d", path, got.Code, want.status)
				continue
			}
			if want.status != 200 {
				continue
			}
			picture, _, err := image.Decode(bytes.NewReader(got.Body.Bytes()))
			if err != nil || picture.Bounds().Dx() != want.width || picture.Bounds().Dy() != want.height {
				t.Errorf("%s: %v, %v; want %d by %d", path, picture.Bounds(), err, want.width, want.height)
				continue
			}
			if r, g, _, _ := picture.At(want.width/2, want.height/2).RGBA(); r>>8 < 190 || g>>8 > 60 {
				t.Errorf("%s: its middle is red %d, green %d", path, r>>8, g>>8)
			}
			if again := ask("/pictures/"+path, "If-None-Match", got.Header().Get("ETag")); again.Code != http.StatusNotModified {
				t.Errorf("%s: asked again it answers %d", path, again.Code)
			}
		}
	}
	if got := ask("/pictures/bad.png?w=70"); got.Code != 200 || got.Header().Get("Content-Type") != "image/png" || got.Body.String() != "no picture" {
		t.Errorf("a broken picture: %d", got.Code) // as it is: the page draws its own in its place
	}
}

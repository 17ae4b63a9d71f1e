package preview

import (
	"bytes"
	"errors"
	"image"
	_ "image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fubini/app/picture"
)

const document = `<!doctype html><title>fubini</title><script src="app.js"></script><link href="app.css"><a href="https://example.org/a.html">`

var list = List{Title: `Ann's <list> & more`, Note: "synthetic people", Tiers: []picture.Tier{
	{Letter: "S", Colour: "beet", Names: []string{"Ramen", "Sushi"}}, {Letter: "A", Colour: "tomato"}, {Letter: "B", Colour: "apricot", Names: []string{"Olives"}},
}}

func serve(t *testing.T, secure bool) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	Route(mux, []byte(document), secure, func(r *http.Request) (*List, error) {
		if r.PathValue("id") != "known" {
			return nil, errors.New("no such list")
		}
		return &list, nil
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func get(t *testing.T, address string) (status int, kind string, body []byte) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err = io.ReadAll(answer.Body); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("Content-Type"), body
}

// The link of a list is the page, with the tags of the list. Names are escaped, and the files of the page are found from there.
func TestLink(t *testing.T) {
	for _, secure := range []bool{false, true} {
		s := serve(t, secure)
		status, kind, body := get(t, s.URL+"/list/known")
		if status != 200 || kind != "text/html; charset=utf-8" {
			t.Fatalf("%d, %s", status, kind)
		}
		address := s.URL + "/list/known"
		if secure { // the proxy speaks https, and this server does not know it
			address = strings.Replace(address, "http:", "https:", 1)
		}
		for _, want := range []string{
			`<title>Ann&#39;s &lt;list&gt; &amp; more · fubini</title>`,
			`property="og:title" content="Ann&#39;s &lt;list&gt; &amp; more"`,
			`A tier list: 3 placed, in 2 tiers`,
			`property="og:url" content="` + address + `"`,
			`property="og:image" content="` + address + `/picture.png"`,
			`src="/app.js"`, `href="/app.css"`, `href="https://example.org/a.html"`,
		} {
			if !strings.Contains(string(body), want) {
				t.Errorf("secure %v: no %s in %s", secure, want, body)
			}
		}
		if strings.Contains(string(body), "<list>") {
			t.Errorf("a name is not escaped: %s", body)
		}
	}
}

// A link to nothing is the page without tags, which says so itself; its picture is not there.
func TestLinkToNothing(t *testing.T) {
	s := serve(t, false)
	if status, _, body := get(t, s.URL+"/list/none"); status != 200 || strings.Contains(string(body), "og:") || !strings.Contains(string(body), `src="/app.js"`) {
		t.Errorf("%d, %s", status, body)
	}
	if status, _, _ := get(t, s.URL+"/list/none/picture.png"); status != 404 {
		t.Errorf("the picture of nothing: %d", status)
	}
}

// The picture is one that other sites can show: PNG, wide, and different for another list.
func TestPicture(t *testing.T) {
	s := serve(t, false)
	status, kind, body := get(t, s.URL+"/list/known/picture.png")
	drawn, format, err := image.Decode(bytes.NewReader(body))
	if status != 200 || kind != "image/png" || err != nil || format != "png" {
		t.Fatalf("%d, %s, %s, %v", status, kind, format, err)
	}
	if size := drawn.Bounds(); size.Dx() != 1200 || size.Dy() < 200 {
		t.Errorf("%v", size)
	}
	before := list.Tiers[2].Names
	t.Cleanup(func() { list.Tiers[2].Names = before })
	list.Tiers[2].Names = []string{"Olives", "Mango"}
	if _, _, other := get(t, s.URL+"/list/known/picture.png"); bytes.Equal(body, other) {
		t.Error("one item more changes nothing in the picture")
	}
}

func TestDescribed(t *testing.T) {
	one := List{Tiers: []picture.Tier{{Names: []string{"Ramen"}}, {}}}
	if got := one.described(); got != "A tier list: 1 placed, in 1 tier" {
		t.Error(got)
	}
}

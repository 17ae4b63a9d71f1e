// Package preview serves the link to a saved list: the page, with the tags by which other sites show a link, and the picture
// that they show.
package preview

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"

	"fubini/app/picture"
	"fubini/data/text"
)

// List is what is shown of a list.
type List struct {
	Title string
	Note  string // stands in the picture too: that its people are made up, say
	Tiers []picture.Tier
}

// relative are the files of the page as its document names them: from /list/ they would be elsewhere.
var relative = regexp.MustCompile(`(src|href)="([\w.-]+\.\w+)"`)

// Route adds GET /list/{id} and its picture. As the list itself neither needs a key. secure is whether people reach the
// server by https though it does not speak it itself.
func Route(mux *http.ServeMux, document []byte, secure bool, find func(r *http.Request) (*List, error)) {
	document = relative.ReplaceAll(document, []byte(`$1="/$2"`))
	mux.HandleFunc("GET /list/{id}", func(w http.ResponseWriter, r *http.Request) {
		page := document
		if list, err := find(r); err == nil {
			scheme := "http"
			if r.TLS != nil || secure {
				scheme = "https"
			}
			address := scheme + "://" + r.Host + "/list/" + r.PathValue("id")
			tags := picture.Tags(list.Title, list.described(), address, address+"/picture.png")
			page = bytes.Replace(document, []byte("</title>"), []byte("</title>\n  "+strings.TrimRight(tags, " \n")), 1)
			page = bytes.Replace(page, []byte("<title>fubini"), []byte("<title>"+html.EscapeString(list.Title)+" · fubini"), 1)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(page) // the page says that there is no such list
	})
	mux.HandleFunc("GET /list/{id}/picture.png", func(w http.ResponseWriter, r *http.Request) {
		list, err := find(r)
		var image bytes.Buffer
		if err == nil {
			err = picture.List(&image, list.Title, strings.TrimSuffix(list.described()+" · "+list.Note, " · "), list.Tiers)
		}
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		w.Header().Set("Cache-Control", "public, max-age=300")
		_, _ = w.Write(image.Bytes())
	})
}

// described says what a list holds.
func (l *List) described() string {
	placed, used := 0, 0
	for _, each := range l.Tiers {
		placed += len(each.Names)
		if len(each.Names) > 0 {
			used++
		}
	}
	return fmt.Sprintf("A tier list: %d placed, in %s", placed, text.Count(used, "tier", "tiers"))
}

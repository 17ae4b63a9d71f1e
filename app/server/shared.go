package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"

	"fubini/app/picture"
	"fubini/data/titles"
)

// relative are the files of the page as its document names them: from /list/ they would be elsewhere.
var relative = regexp.MustCompile(`(src|href)="([\w.-]+\.\w+)"`)

// routeShared serves the link to a saved list: the page, with what other sites show of a link, and the picture that they show.
// As the list itself neither needs a key.
func (s *Server) routeShared(document []byte) {
	document = relative.ReplaceAll(document, []byte(`$1="/$2"`))
	s.mux.HandleFunc("GET /list/{id}", func(w http.ResponseWriter, r *http.Request) {
		page := document
		if list, err := s.sharedList(r); err == nil {
			scheme := "http"
			if r.TLS != nil || s.options.BehindProxy {
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
	s.mux.HandleFunc("GET /list/{id}/picture.png", func(w http.ResponseWriter, r *http.Request) {
		list, err := s.sharedList(r)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		var image bytes.Buffer
		if err := picture.List(&image, list.Title, list.described(), s.drawn(list)); err != nil {
			s.log(r.Context()).Error("no picture of a list", "error", err)
			http.Error(w, "no picture", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		w.Header().Set("Cache-Control", "public, max-age=300")
		_, _ = w.Write(image.Bytes())
	})
}

func (s *Server) sharedList(r *http.Request) (*ListBody, error) {
	saved, err := s.store.GetList(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	list := &ListBody{}
	return list, json.Unmarshal(saved.Body, list)
}

// described says what a list holds.
func (b *ListBody) described() string {
	placed, used := 0, 0
	for _, each := range b.Tiers {
		placed += len(each.Items)
		if len(each.Items) > 0 {
			used++
		}
	}
	return fmt.Sprintf("A tier list: %d placed, in %d tiers", placed, used)
}

// drawn are the tiers of a list with names, as the picture shows them.
func (s *Server) drawn(b *ListBody) (tiers []picture.Tier) {
	m := s.model.Load()
	for _, each := range b.Tiers {
		letter, _, _ := strings.Cut(strings.TrimSpace(each.Name), " ")
		row := picture.Tier{Letter: letter, Colour: each.Colour}
		for _, id := range each.Items[:min(len(each.Items), 40)] {
			name := strings.TrimPrefix(id, "own:")
			if i, known := m.saved.Find(id); known {
				name = titles.Plain(m.saved.ItemNames[i])
			}
			row.Names = append(row.Names, strings.ReplaceAll(name, "\u00ad", ""))
		}
		tiers = append(tiers, row)
	}
	return tiers
}

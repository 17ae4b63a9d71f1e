package server

import (
	_ "embed"
	"html"
	"io/fs"
	"net/http"

	"fubini/app/fill"
	"fubini/app/preview"
	"fubini/app/static"
	"fubini/app/thumb"
)

// routePage serves the files of the page, each under its own name: no path that is not the name of a file leads
// anywhere. They need no key: they are the same for everybody, and the page asks for one where the API does. Without
// a page there is a short one. / is the page of lists, or that of votes while the model is a fit to votes.
func (s *Server) routePage() {
	if s.options.Pictures != nil { // without a key, as the page: an <img> has none
		s.mux.Handle("GET /pictures/{name...}", thumb.New(s.options.Pictures, func(name string) bool { return s.model.Load().pictures[name] }))
	}
	if s.options.Page == nil {
		s.mux.HandleFunc("GET /{$}", static.Text("text/html; charset=utf-8", shortPage(s.model.Load().saved.Name)))
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
		serve := static.File(name, text)
		switch name {
		case "index.html":
			lists = serve
			if s.store != nil {
				preview.Route(s.mux, text, s.options.BehindProxy, s.shown)
			}
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

//go:embed short.html
var short string

// shortPage is what stands at / without a page: the name of the model, and where the API is described.
func shortPage(model string) []byte {
	text, err := fill.In(short, fill.Functions{"model": fill.Text(html.EscapeString(model))})
	if err != nil {
		panic(err) // our text
	}
	return []byte(text)
}

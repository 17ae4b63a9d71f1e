package manual

import (
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"fubini/app/static"
)

// Handler serves the site of a folder of documents by paths without a slash in front. The site is made when somebody first asks
// for a page of it, and a page compressed when somebody first asks for that one.
func Handler(files fs.FS) http.Handler {
	site := sync.OnceValues(func() (Site, error) { return New(files) })
	var pages sync.Map
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all, err := site()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		text, there := all[name]
		if !there {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`<!doctype html><title>fubini</title><p>There is no such page. <a href="/docs/">All documents</a>`)) // the client may have gone
			return
		}
		serve, there := pages.Load(name)
		if !there {
			serve, _ = pages.LoadOrStore(name, static.File(name, text))
		}
		serve.(http.HandlerFunc)(w, r)
	})
}

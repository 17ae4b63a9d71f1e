package web_test

import (
	"encoding/json"
	"net/http"

	"fubini/app/lookup"
	"fubini/data/personal"
	"fubini/learn/modelstore"
)

// imports reads a file as the real server does, with the same importer.
func (f *fake) imports(w http.ResponseWriter, r *http.Request) {
	saved := &modelstore.Saved{}
	for _, each := range f.foods {
		saved.ItemIDs, saved.ItemNames, saved.Seen = append(saved.ItemIDs, each.Item), append(saved.ItemNames, each.Name), append(saved.Seen, uint32(each.Count))
	}
	finder := lookup.New(saved)
	x, err := personal.ReadStream(r.Body, r.URL.Query().Get("name"), personal.Options{Known: finder.Known, Most: 64 << 20})
	if err != nil {
		problem(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(finder.Import(x))
}

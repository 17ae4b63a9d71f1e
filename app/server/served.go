package server

import (
	"errors"
	"fmt"

	"fubini"
	"fubini/app/lookup"
	"fubini/app/recommend"
	"fubini/data/modelfile"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/maps"
)

// defaultSupport is the least number of ratings of an item that is recommended, unless a request has another: the same
// as in the command.
const defaultSupport = recommend.DefaultSupport

// served is a model that is ready to answer. It does not change, so that any number of requests share it.
type served struct {
	saved     *fubini.Model     // the library answers for people
	catalogue *latent.Catalogue // nil for a model that is no Ordered Set Model: it has scores and no odds
	id        string            // checksum of the file: names the model in every answer
	tag       string            // weak entity tag of what depends on the model alone

	index    *lookup.Index   // for the catalogue
	finder   *lookup.Finder  // for ids and titles
	about    modelBody       // for GET /v1/model
	places   *maps.ItemMap   // for the map; nil without units
	regions  []region        // of the map
	pictures map[string]bool // names of files that items have as pictures
}

// newServed makes a model ready. It has not answered anybody yet: see try.
func newServed(file *modelfile.File) (*served, error) {
	saved, err := fubini.Open(file)
	if err != nil {
		return nil, err
	}
	catalogue, err := saved.Catalogue()
	if err != nil {
		catalogue = nil
	} else if !catalogue.Finite() {
		return nil, errors.New("the model has a parameter that is not a finite number")
	}
	if saved.Board != nil {
		if err := saved.Board.Prepare(); err != nil {
			return nil, err
		}
	}
	for i, id := range saved.ItemIDs {
		if id == "" || len(id) > mostID {
			return nil, fmt.Errorf("item %d has an id of %d bytes; the API takes 1 to %d", i, len(id), mostID)
		}
	}
	m := &served{saved: saved, catalogue: catalogue, id: file.Checksum(), pictures: map[string]bool{}}
	for _, facts := range saved.ItemFacts {
		m.pictures[facts.Picture] = facts.Picture != ""
	}
	m.tag = `W/"` + m.id[:16] + `"`
	if saved.TakesTiers() { // the first question makes the index by which items are ranked: not at the cost of the first request
		if _, err := saved.Folded(model.Person{Index: -1}, nil).Recommender(recommend.Defaults()); err != nil {
			return nil, err
		}
	}
	m.index, m.about, m.finder = lookup.NewIndex(saved.Saved), aboutModel(m), lookup.New(saved.Saved)
	if catalogue != nil && catalogue.K > 0 {
		if m.places, err = maps.NewItemMap(catalogue); err != nil {
			return nil, err
		}
		if m.regions, err = regionsOf(m); err != nil {
			return nil, err
		}
	}
	return m, nil
}

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

// mostID is how many characters an item's id may have; it stands in the OpenAPI document too.
const mostID = 200

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
	m.index, m.about, m.finder = lookup.NewIndex(saved.Saved), aboutModel(saved, catalogue, m.id), lookup.New(saved.Saved)
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

// The map has the mostOnMap best known items, beside those that the person placed, and mapParts regions.
const (
	mostOnMap = 2000
	mapParts  = 8
)

type region struct {
	Item  string  `json:"item" doc:"The best known of the items near its middle"`
	Name  string  `json:"name"`
	X     float64 `json:"x" doc:"Its middle"`
	Y     float64 `json:"y"`
	Items int     `json:"items" doc:"How many of the most rated items it has"`
}

// regionsOf divides the places of the most rated items.
func regionsOf(m *served) ([]region, error) {
	found, err := m.places.Regions(m.index.Order[:min(mostOnMap, len(m.index.Order))], mapParts, 1)
	regions := make([]region, len(found))
	for k, r := range found {
		regions[k] = region{m.saved.ItemIDs[r.Item], m.saved.ItemNames[r.Item], r.Middle.X, r.Middle.Y, r.Items}
	}
	return regions, err
}

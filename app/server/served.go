package server

import (
	"errors"
	"fmt"

	"fubini/app/lookup"
	"fubini/app/recommend"
	"fubini/data/modelfile"
	"fubini/learn/modelstore"
	"fubini/model/latent"
	"fubini/use/maps"
)

// defaultSupport is the least number of ratings of an item that is recommended, unless a request has another: the same
// as in the command.
const defaultSupport = recommend.DefaultSupport

// served is a model that is ready to answer. It does not change, so that any number of requests share it.
type served struct {
	saved     *modelstore.Saved
	catalogue *latent.Catalogue // nil for a model that is no Ordered Set Model: it has scores and no odds
	id        string            // checksum of the file: names the model in every answer
	tag       string            // weak entity tag of what depends on the model alone

	recommender *recommend.Recommender // nil for a board without tier lists
	index       *lookup.Index          // for the catalogue
	finder      *lookup.Finder         // for imports
	about       modelBody              // for GET /v1/model
	places      *maps.ItemMap          // for the map; nil without units
}

// newServed makes a model ready. It has not answered anybody yet: see try.
func newServed(file *modelfile.File) (*served, error) {
	saved, err := modelstore.Open(file)
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
	m := &served{saved: saved, catalogue: catalogue, id: file.Checksum()}
	m.tag = `W/"` + m.id[:16] + `"`
	if m.recommender, err = recommend.New(saved, recommend.Rules{Support: defaultSupport}); err != nil && !errors.Is(err, recommend.ErrSpace) {
		return nil, err
	}
	m.index, m.about, m.finder = lookup.NewIndex(saved), aboutModel(m), lookup.New(saved)
	if catalogue != nil && catalogue.K > 0 {
		if m.places, err = maps.NewItemMap(catalogue); err != nil {
			return nil, err
		}
	}
	return m, nil
}

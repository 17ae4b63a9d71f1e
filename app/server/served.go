package server

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"fubini/data/modelfile"
	"fubini/learn/zoo"
	"fubini/model/latent"
	"fubini/use/maps"
	"fubini/use/rank"
)

// defaultSupport is how many ratings an item must have had to be recommended, if a
// request does not say otherwise: the same as in the command.
const defaultSupport = 5

// served is a model made ready to answer. Nothing in it changes once it is made,
// so that any number of requests share it.
type served struct {
	saved     *zoo.Saved
	catalogue *latent.Catalogue
	id        string // checksum of the file: names the model in every answer
	tag       string // weak entity tag of what depends on the model alone

	shelf   *rank.Shelf   // items with the default support
	shelved int           // how many there are
	rooms   sync.Pool     // of *room
	index   *index        // for the catalogue
	about   modelBody     // for GET /v1/model
	places  *maps.ItemMap // for the map; nil without units
}

// room is the memory for one ranking.
type room struct {
	rank    rank.Room
	answers [][]rank.Scored
	scores  []float64
	items   []int
}

// newServed makes a model ready. It has not answered anybody yet: see try.
func newServed(file *modelfile.File) (*served, error) {
	saved, err := zoo.Open(file)
	if err != nil {
		return nil, err
	}
	catalogue, err := saved.Catalogue()
	if err != nil {
		return nil, err
	}
	if !catalogue.Finite() {
		return nil, errors.New("the model has a parameter that is not a finite number")
	}
	for i, id := range saved.ItemIDs {
		if id == "" || len(id) > mostID {
			return nil, fmt.Errorf("item %d has an id of %d bytes; the API takes 1 to %d", i, len(id), mostID)
		}
	}
	m := &served{saved: saved, catalogue: catalogue, id: file.Checksum()}
	m.tag = `W/"` + m.id[:16] + `"`
	m.rooms.New = func() any { return &room{answers: make([][]rank.Scored, 1)} }
	handicap := make([]float64, len(saved.ItemIDs))
	for i, seen := range saved.Seen {
		if seen < defaultSupport {
			handicap[i] = math.Inf(1)
		} else {
			m.shelved++
		}
	}
	if m.shelf, err = rank.NewShelf(catalogue, handicap); err != nil {
		return nil, err
	}
	m.index, m.about = newIndex(saved), aboutModel(m)
	if catalogue.K > 0 {
		if m.places, err = maps.NewItemMap(catalogue); err != nil {
			return nil, err
		}
	}
	return m, nil
}

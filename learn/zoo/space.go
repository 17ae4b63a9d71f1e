package zoo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fubini/data/ratings"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/model/rival"
	"fubini/use/rank"
)

// Space is a model seen as vectors of items and people, for maps and neighbours and to
// rebuild lists. The catalogue has them: worths are the offsets of items, W their
// vectors, and biases the vector of a stranger. Of a rival it has no units behind it:
// people are folded in as the rival does it.
type Space struct {
	*latent.Catalogue
	fold func(list osm.List, values []float64) ([]float64, error)
}

// Fold is the vector of somebody with these tiers, and the ratings these stand for,
// which may be nil.
func (s *Space) Fold(list osm.List, values []float64) ([]float64, error) { return s.fold(list, values) }

// ErrNoVectors comes from a model in which people and items are no vectors, where
// that is needed.
var ErrNoVectors = errors.New("has no vectors of people and items")

// flat are the models without: they give everybody the same order.
var flat = []string{"item-mean", "osm"}

// Space is the model as vectors.
func (s *Saved) Space() (*Space, error) {
	if m, ours := s.Model.(*Latent); ours && m.K > 0 {
		return &Space{m.Catalogue, func(list osm.List, _ []float64) ([]float64, error) { return rank.Fold(m.Catalogue, list) }}, nil
	}
	m, has := s.Model.(rival.VectorModel)
	if !has {
		var able []string
		for _, name := range Names() {
			if !slices.Contains(flat, name) {
				able = append(able, name)
			}
		}
		return nil, fmt.Errorf("zoo: a model %s %w; %s have them", s.Name, ErrNoVectors, strings.Join(able, ", "))
	}
	k := m.Dim()
	c := latent.NewCatalogue(len(s.ItemIDs), k, latent.Gaussian, latent.Options{})
	for i := range c.U {
		c.U[i] = m.ItemVector(uint32(i), c.W[i*k:(i+1)*k])
	}
	m.PersonVector(ratings.Row{}, c.B)
	if !c.Finite() {
		return nil, fmt.Errorf("zoo: the model has a vector that is not of finite numbers")
	}
	return &Space{c, func(list osm.List, values []float64) ([]float64, error) {
		person := make([]float64, k)
		m.PersonVector(s.Rated(list, values), person)
		return person, nil
	}}, nil
}

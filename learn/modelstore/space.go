package modelstore

import (
	"errors"
	"fmt"

	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/rank"
)

// VectorModel is a fitted model with vectors of people and items: it orders the items for a
// person by the offset of the item plus the inner product of the two vectors.
type VectorModel interface {
	// Dim is the length of a vector.
	Dim() int
	// ItemVector writes the vector of an item and returns its offset.
	ItemVector(item uint32, vector []float64) (offset float64)
	// PersonVector writes the vector of a person who is folded in; without ratings, that of an
	// average person.
	PersonVector(known ratings.Row, vector []float64)
}

// Space is a model as vectors of items and people, for maps, neighbours and the reconstruction
// of lists. The catalogue has the vectors of items: W, with worths as offsets and biases as the
// vector of an average person. Fold returns the vector of a person.
type Space struct {
	*latent.Catalogue
	Fold func(p model.Person) ([]float64, error)
}

// ErrNoVectors is the error for a model without vectors of people and items, where they are
// needed.
var ErrNoVectors = errors.New("has no vectors of people and items")

// Space returns the model as vectors; for a model without any the error wraps [ErrNoVectors].
func (s *Saved) Space() (*Space, error) {
	if c, err := s.Catalogue(); err == nil && c.K > 0 {
		return &Space{c, func(p model.Person) ([]float64, error) {
			folded, err := rank.Read(c, p)
			if err != nil {
				return nil, err
			}
			return folded.Embedding, nil
		}}, nil
	}
	m, has := s.Model.(VectorModel) // a model without gives everybody the same order
	if !has {
		return nil, fmt.Errorf("modelstore: a model %s %w; train latent-osm with hidden units, or pmf", s.Name, ErrNoVectors)
	}
	k := m.Dim()
	c := latent.NewCatalogue(len(s.ItemIDs), k, latent.Gaussian, latent.Options{})
	for i := range c.U {
		c.U[i] = m.ItemVector(uint32(i), c.W[i*k:(i+1)*k])
	}
	m.PersonVector(ratings.Row{}, c.B)
	if !c.Finite() {
		return nil, fmt.Errorf("modelstore: the model has a vector that is not of finite numbers")
	}
	return &Space{c, func(p model.Person) ([]float64, error) {
		person := make([]float64, k)
		m.PersonVector(s.Rated(p), person)
		return person, nil
	}}, nil
}

package modelstore

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fubini/data/ratings"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/rank"
)

// VectorModel is a model in which people and items are vectors. Its order of items for a person is that of the offset of
// an item plus the inner product of the two vectors.
type VectorModel interface {
	// Dim is the length of a vector.
	Dim() int
	// ItemVector writes the vector of an item and returns its offset.
	ItemVector(item uint32, vector []float64) (offset float64)
	// PersonVector writes the vector of somebody who is folded in; without ratings that of an average person.
	PersonVector(known ratings.Row, vector []float64)
}

// Space is a model as vectors of items and people, for maps and neighbours and to rebuild lists. The catalogue has those
// of items: worths are their offsets, W their vectors, and biases the vector of an average person. Fold is the vector
// of a person.
type Space struct {
	*latent.Catalogue
	Fold func(p model.Person) ([]float64, error)
}

// ErrNoVectors comes from a model without vectors of people and items, where they are needed.
var ErrNoVectors = errors.New("has no vectors of people and items")

// flat are the models without vectors: they give everybody the same order.
var flat = []string{"item-mean", "osm"}

// Space is the model as vectors.
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
	m, has := s.Model.(VectorModel)
	if !has {
		var able []string
		for _, name := range registry.Names() {
			if !slices.Contains(flat, name) {
				able = append(able, name)
			}
		}
		return nil, fmt.Errorf("modelstore: a model %s %w; %s have them", s.Name, ErrNoVectors, strings.Join(able, ", "))
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

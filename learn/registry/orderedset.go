package registry

import (
	"errors"
	"fmt"

	"fubini/data/modelfile"
	"fubini/learn/cooccurrence"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/rank"
)

// Latent is a fitted Ordered Set Model, with hidden units or without. The score of an item is
// its expected worth given the person's list, by the posterior means of the units: the paper's
// mean field.
type Latent struct {
	*latent.Catalogue
	// CoOccurrence has the loadings of items and the coefficients of co-occurrence features,
	// from which modelstore.Extend predicts the parameters of new items; nil for none.
	CoOccurrence *cooccurrence.Features
}

// OrderedSet is a fitted Ordered Set Model, which has worths and hidden units and scores from
// tiers without ratings.
type OrderedSet interface {
	model.Model
	Parameters() *latent.Catalogue
}

// Parameters implements [OrderedSet].
func (m *Latent) Parameters() *latent.Catalogue { return m.Catalogue }

// Score implements [model.Model]. Every person is folded in from their ratings, those of the
// training set too.
func (m *Latent) Score(p model.Person, items []uint32, scores []float64) {
	embedding := m.Unknown()
	if folded, err := rank.Read(m.Catalogue, p); err == nil {
		embedding = folded.Embedding
	}
	rank.Complete(m.Catalogue, embedding, p.Known.Len(), items, scores)
}

// keyLatent is where the shape of the model stands in a file, and keyFeatures what the names
// of arrays of co-occurrence features begin with.
const (
	keyLatent   = "latent"
	keyFeatures = "co-occurrence."
)

type shape struct {
	Units   string  `json:"units"`
	Hidden  int     `json:"hidden"`
	Size    float64 `json:"size"`
	Centred bool    `json:"centred"`
}

// Save implements [model.Model].
func (m *Latent) Save(f *modelfile.File) error {
	SetParameters(f, "", m.Catalogue)
	if m.CoOccurrence != nil {
		SetFeatures(f, keyFeatures, m.CoOccurrence)
	}
	return f.SetJSON(keyLatent, shape{Units: m.Units.String(), Hidden: m.K, Size: m.Size, Centred: m.Centred})
}

func loadLatent(f *modelfile.File, items int) (model.Model, error) {
	var s shape
	if err := f.JSON(keyLatent, &s); err != nil {
		return nil, err
	}
	if s.Hidden < 0 || !(s.Size >= 0) {
		return nil, fmt.Errorf("registry: the file has %d hidden units and size normalisation %g", s.Hidden, s.Size)
	}
	units, err := latent.ParseUnits(s.Units)
	if err != nil {
		return nil, err
	}
	c, err := Parameters(f, "", latent.Shape{Items: items, K: s.Hidden, Units: units, Options: latent.Options{Size: s.Size, Centred: s.Centred}})
	if err != nil {
		return nil, err
	}
	if !c.Finite() {
		return nil, fmt.Errorf("registry: the file has a parameter that is not a finite number")
	}
	features, err := Features(f, keyFeatures, c.K)
	if err == nil && features != nil && (len(features.V) != features.Dims*len(c.V)/items || len(features.Loadings) > items*features.Dims) {
		err = fmt.Errorf("registry: the file's co-occurrence features are of another model")
	}
	if err != nil {
		return nil, err
	}
	return &Latent{c, features}, nil
}

// ErrNoUnits is the error for a model without worths and hidden units, where an Ordered Set
// Model is needed.
var ErrNoUnits = errors.New("has no worths and hidden units")

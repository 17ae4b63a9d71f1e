package registry

import (
	"errors"
	"fmt"

	"fubini/data/modelfile"
	"fubini/learn/cooccurrence"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
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
	// Visible has the sample space and all tie weights of a fit to votes; nil for a model of
	// ratings, whose potentials are those of the catalogue.
	Visible *osm.Visible
	// Mixture has the hidden units of a fit to votes, whose one board is Visible; nil for a fit without units.
	Mixture *osm.Mixture
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
	embedding := m.PriorMeans()
	if folded, err := rank.Read(m.Catalogue, p); err == nil {
		embedding = folded.Embedding
	}
	rank.Complete(m.Catalogue, embedding, m.OwnPresence(p.Known.Len()), items, scores)
}

// keyLatent is where the shape of the model stands in a file; the names of arrays of co-occurrence features and of the moments of
// people's lists begin with the others.
const (
	keyLatent     = "latent"
	keyFeatures   = "co-occurrence."
	keyPopulation = "population."
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
	if p := m.Population; p != nil {
		modelfile.Set(f, keyPopulation+"length", []float64{p.Length}, 1)
		modelfile.Set(f, keyPopulation+"mean", p.Mean, m.K, latent.Terms)
		modelfile.Set(f, keyPopulation+"between", p.Between, m.K, latent.Terms, latent.Terms)
		modelfile.Set(f, keyPopulation+"within", p.Within, m.K, latent.Terms, latent.Terms)
		if t := p.Together; t != nil {
			modelfile.Set(f, keyPopulation+"ridge", t.Ridge, len(t.Ridge))
			modelfile.Set(f, keyPopulation+"scatter", t.Scatter, len(t.Ridge), len(t.Ridge))
		}
	}
	if m.Visible != nil {
		setTies(f, "", m.Visible)
		if err := f.SetJSON(keyVisible, visible{m.Visible.Space.String()}); err != nil {
			return err
		}
	}
	if m.Mixture != nil {
		setMixture(f, m.Mixture)
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
	if c.Population, err = populationOf(f, c); err != nil {
		return nil, err
	}
	visible, err := visibleOf(f, c)
	if err != nil {
		return nil, err
	}
	mixture, err := mixtureOf(f, visible)
	if err != nil {
		return nil, err
	}
	return &Latent{c, features, visible, mixture}, nil
}

// populationOf reads the moments of people's lists; nil where the file has none, as one of an older version.
func populationOf(f *modelfile.File, c *latent.Catalogue) (*latent.Population, error) {
	if _, has := f.Tensor(keyPopulation + "length"); !has {
		return nil, nil
	}
	if c.Units != latent.Gaussian {
		return nil, fmt.Errorf("registry: the file has moments of people's lists for units that are not Gaussian")
	}
	var length, mean, between, within []float64
	r := modelfile.Reader{File: f}
	modelfile.Into(&r, &length, keyPopulation+"length", 1)
	modelfile.Into(&r, &mean, keyPopulation+"mean", c.K, latent.Terms)
	modelfile.Into(&r, &between, keyPopulation+"between", c.K, latent.Terms, latent.Terms)
	if modelfile.Into(&r, &within, keyPopulation+"within", c.K, latent.Terms, latent.Terms); r.Err != nil {
		return nil, r.Err
	}
	p, err := latent.NewPopulation(c.K, length[0], mean, between, within)
	if err != nil {
		return nil, fmt.Errorf("registry: the file: %w", err)
	}
	var ridge, scatter []float64
	if modelfile.IntoSome(&r, &ridge, keyPopulation+"ridge", -1); ridge == nil {
		return p, r.Err
	}
	if modelfile.Into(&r, &scatter, keyPopulation+"scatter", len(ridge), len(ridge)); r.Err != nil {
		return nil, r.Err
	}
	if p.Together, err = latent.NewTogether(c.K, ridge, scatter); err != nil {
		return nil, fmt.Errorf("registry: the file: %w", err)
	}
	return p, nil
}

// ErrNoUnits is the error for a model without worths and hidden units, where an Ordered Set
// Model is needed.
var ErrNoUnits = errors.New("has no worths and hidden units")

// SetParameters writes the parameters of a catalogue to a file, under names with a prefix.
func SetParameters(f *modelfile.File, prefix string, c *latent.Catalogue) {
	for _, b := range c.Kinds() {
		modelfile.Set(f, prefix+b.Name, b.Values, b.Dims...)
	}
}

// Parameters reads a catalogue that [SetParameters] wrote. It has presence weights and weights
// by tier size if the file has them.
func Parameters(f *modelfile.File, prefix string, shape latent.Shape) (*latent.Catalogue, error) {
	_, shape.Presence = f.Tensor(prefix + "v")
	if _, sized := f.Tensor(prefix + "sizes"); sized {
		sizes, err := modelfile.Get[float64](f, prefix+"sizes", 2, -1)
		if err == nil {
			err = osm.SizeWeights(sizes).Check()
		}
		if err != nil {
			return nil, fmt.Errorf("registry: the file: %w", err)
		}
		shape.Largest = osm.SizeWeights(sizes).Most()
	}
	// No room is made before the largest array is known to have the size that the metadata has.
	if _, err := modelfile.Get[float64](f, prefix+"W", shape.Items, shape.K); err != nil {
		return nil, err
	}
	c := shape.New()
	for _, b := range c.Kinds() {
		part, err := modelfile.Get[float64](f, prefix+b.Name, b.Dims...)
		if err != nil {
			return nil, err
		}
		copy(b.Values, part)
	}
	return c, nil
}

// SetFeatures writes the loadings and coefficients of co-occurrence features to a file, under
// names with a prefix.
func SetFeatures(f *modelfile.File, prefix string, c *cooccurrence.Features) {
	if c.Loadings != nil { // in single precision: a prediction from them is rough anyway
		single := make([]float32, len(c.Loadings))
		for k, v := range c.Loadings {
			single[k] = float32(v)
		}
		modelfile.Set(f, prefix+"loadings", single, len(single)/c.Dims, c.Dims)
	}
	modelfile.Set(f, prefix+"u", c.U, c.Dims)
	modelfile.Set(f, prefix+"W", c.W, c.Dims, len(c.W)/c.Dims)
	modelfile.Set(f, prefix+"v", c.V, len(c.V))
}

// Features reads what [SetFeatures] wrote; nil if the file has none. Older checkpoints have no
// loadings.
func Features(f *modelfile.File, prefix string, hidden int) (*cooccurrence.Features, error) {
	u, err := modelfile.Optional[float64](f, prefix+"u", -1)
	if len(u) == 0 || err != nil {
		return nil, err
	}
	c, r := &cooccurrence.Features{Dims: len(u), U: u}, modelfile.Reader{File: f}
	modelfile.Into(&r, &c.W, prefix+"W", c.Dims, hidden)
	modelfile.Into(&r, &c.V, prefix+"v", -1)
	if r.Err != nil {
		return nil, r.Err
	}
	single, err := modelfile.Optional[float32](f, prefix+"loadings", -1, c.Dims)
	for _, v := range single {
		c.Loadings = append(c.Loadings, float64(v))
	}
	return c, err
}

// NewVisible is a fit to votes as a model: worths and one tie weight as a catalogue without
// units, and the rest of the form beside it.
func NewVisible(v *osm.Visible) *Latent {
	c := latent.Shape{Items: len(v.Worths), Units: latent.Binary}.New()
	copy(c.U, v.Worths)
	*c.Nu = v.Nu
	return &Latent{Catalogue: c, Visible: v}
}

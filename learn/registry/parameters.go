package registry

import (
	"fmt"

	"fubini/data/modelfile"
	"fubini/learn/cooccurrence"
	"fubini/model/latent"
	"fubini/model/osm"
)

// SetParameters writes the parameters of a catalogue to a file, under names with a prefix.
func SetParameters(f *modelfile.File, prefix string, c *latent.Catalogue) {
	for _, b := range c.Blocks() {
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
			err = osm.Sizes(sizes).Check()
		}
		if err != nil {
			return nil, fmt.Errorf("registry: the file: %w", err)
		}
		shape.Largest = osm.Sizes(sizes).Most()
	}
	// No room is made before the largest array is known to have the size that the metadata has.
	if _, err := modelfile.Get[float64](f, prefix+"W", shape.Items, shape.K); err != nil {
		return nil, err
	}
	c := shape.New()
	for _, b := range c.Blocks() {
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
	c := &cooccurrence.Features{Dims: len(u), U: u}
	if c.W, err = modelfile.Get[float64](f, prefix+"W", c.Dims, hidden); err != nil {
		return nil, err
	}
	if c.V, err = modelfile.Get[float64](f, prefix+"v", -1); err != nil {
		return nil, err
	}
	single, err := modelfile.Optional[float32](f, prefix+"loadings", -1, c.Dims)
	for _, v := range single {
		c.Loadings = append(c.Loadings, float64(v))
	}
	return c, err
}

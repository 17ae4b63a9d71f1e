package zoo

import (
	"fmt"

	"fubini/data/ratings"
	"fubini/learn/train"
	"fubini/model/latent"
)

// Options are the options of training that a recipe of the Ordered Set family stands for,
// for those who train more closely than Fit lets them.
func Options(r Recipe) (train.LatentOptions, error) {
	switch recipe := r.(type) {
	case *hidden:
		return recipe.LatentOptions, nil
	case *visible:
		return recipe.LatentOptions, nil
	}
	return train.LatentOptions{}, fmt.Errorf("zoo: the model %w; osm, latent-osm and latent-osm-paper have", ErrNoUnits)
}

// For is the model with its items numbered as a vocabulary has them, to rank for its
// users. Items that it does not know stand at the prior mean, as they do in a model that was
// trained without a rating of them.
func (s *Saved) For(items *ratings.Vocabulary) (*Latent, error) {
	from, err := s.Catalogue()
	if err != nil {
		return nil, err
	}
	c := latent.NewCatalogue(items.Len(), from.K, from.Units, from.Options)
	c.Nu, c.NuK, c.B, c.Sizes = from.Nu, from.NuK, from.B, from.Sizes
	if from.V != nil {
		c.V = make([]float64, len(c.W))
	}
	known := 0
	for i := range c.U {
		at, there := s.Find(items.ID(uint32(i)))
		if !there {
			continue
		}
		known++
		c.U[i] = from.U[at]
		copy(c.W[i*c.K:(i+1)*c.K], from.W[at*c.K:(at+1)*c.K])
		if c.V != nil {
			copy(c.V[i*c.K:(i+1)*c.K], from.V[at*c.K:(at+1)*c.K])
		}
	}
	if known == 0 {
		return nil, fmt.Errorf("zoo: the model knows none of the %d items; it must have been trained on other data", items.Len())
	}
	return &Latent{c}, nil
}

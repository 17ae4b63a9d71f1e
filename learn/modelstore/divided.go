package modelstore

import (
	"fmt"

	"fubini/data/ratings"
	"fubini/learn/registry"
)

// For returns the model with its items numbered as in a vocabulary. Items that the model has
// not are at the prior mean, as in a model that was trained without a rating of them.
func (s *Saved) For(items *ratings.Vocabulary) (*registry.Latent, error) {
	from, err := s.Catalogue()
	if err != nil {
		return nil, err
	}
	at, known := make([]int, items.Len()), 0
	for i := range at {
		place, there := s.Find(items.ID(uint32(i)))
		if at[i] = place; !there {
			at[i] = -1
			continue
		}
		known++
	}
	if known == 0 {
		return nil, fmt.Errorf("modelstore: the model knows none of the %d items; it must have been trained on other data", items.Len())
	}
	return &registry.Latent{Catalogue: from.Select(at)}, nil
}

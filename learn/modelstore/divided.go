package modelstore

import (
	"fmt"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/registry"
)

// For returns the model with its items numbered as in a vocabulary. Items that the model has
// not are at the prior mean, as in a model that was trained without a rating of them.
func (s *Saved) For(items *ratings.Vocabulary) (*registry.Latent, error) {
	from, err := s.Catalogue()
	if err != nil {
		return nil, err
	}
	at, err := s.numbers(items)
	if err != nil {
		return nil, err
	}
	return &registry.Latent{Catalogue: from.Select(at)}, nil
}

// Ranker returns what ranks by an aim ([Saved.Resolve]), with items numbered as in a vocabulary, like For.
func (s *Saved) Ranker(items *ratings.Vocabulary, aim Aim) (evaluate.Ranker, error) {
	aim, err := s.Resolve(aim)
	if err != nil {
		return nil, err
	}
	of := &Saved{Low: s.Low, High: s.High}
	if !aim.Picks() {
		taste, err := s.For(items)
		if err != nil {
			return nil, err
		}
		if of.Model = taste; aim == AimTaste {
			return taste, nil
		}
	}
	at, err := s.numbers(items)
	if err != nil {
		return nil, err
	}
	of.Interest = s.Interest.Select(at)
	return rankerByAim{of, aim}, nil
}

// numbers are those of the items of a vocabulary in the model, -1 for those that it has not.
func (s *Saved) numbers(items *ratings.Vocabulary) ([]int, error) {
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
	return at, nil
}

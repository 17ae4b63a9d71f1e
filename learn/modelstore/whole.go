package modelstore

import (
	"slices"

	"fubini/model"
	"fubini/use/rank"
)

// Whole is the explanation of an item's score by the aim balanced: of its interest, of its taste, and of how both make the
// score. One of the two is nil in a model that lacks it.
type Whole struct {
	Taste    *rank.Explanation // nil for a model of picks alone
	Interest *rank.Explanation // nil for a model of taste alone
	Chance   *float64          // probability of a pick; nil where it is not known
	Strength float64           // of taste in the score: log(interest) + Strength * taste
	Score    float64           // by the aim balanced, if the model has both; else that of the part it has
}

// ExplainWhole decomposes the score of an item that the person has not placed; see [Saved.Explain] for the part of taste.
func (s *Saved) ExplainWhole(p model.Person, item int) (w Whole, err error) {
	if s.HasTaste() {
		taste, err := s.Explain(p, item)
		if err != nil {
			return w, err
		}
		w.Taste, w.Score = &taste, taste.Score
	}
	return w, s.ExplainInterest(p, item, &w)
}

// ExplainInterest adds interest, if the model has it, to an explanation of taste, if there is one.
func (s *Saved) ExplainInterest(p model.Person, item int, w *Whole) error {
	if s.Interest == nil {
		return nil
	}
	known := s.Rated(p)
	e := rank.Explanation{Parts: make([]float64, known.Len())}
	parts := make([]float64, known.Len())
	var err error
	if e.Base, err = s.Interest.Explain(known, uint32(item), parts); err != nil {
		return err
	}
	e.Score = e.Base
	for _, part := range parts {
		e.Score += part
	}
	for k, i := range p.Known.Items { // the ratings are sorted by item
		at, _ := slices.BinarySearch(known.Items, i)
		e.Parts[k] = parts[at]
	}
	if chance, calibrated := s.Interest.Probability(e.Score, known.Len()); calibrated {
		w.Chance = &chance
	}
	w.Interest, w.Score = &e, e.Score
	if w.Taste != nil {
		w.Strength, w.Score = s.Interest.Taste, s.Interest.Balanced(e.Score, w.Taste.Score)
	}
	return nil
}

package modelstore

import (
	"slices"

	"fubini/model"
	"fubini/model/osm"
	"fubini/use/odds"
	"fubini/use/rank"
)

// BalancedExplanation is the explanation of an item's score by the aim balanced: of its interest, of its taste, and of how both make the
// score. One of the two is nil in a model that lacks it.
type BalancedExplanation struct {
	Taste    *rank.Explanation // nil for a model of picks alone
	Odds     *odds.Odds        // of every place among the person's tiers; nil for a model without odds
	Interest *rank.Explanation // nil for a model of taste alone
	Chance   *float64          // probability of a pick; nil where it is not known
	Strength float64           // of taste in the score: log(interest) + Strength * taste
	Score    float64           // by the aim balanced, if the model has both; else that of the part it has
}

// ExplainBalanced decomposes the score of an item that the person has not placed; see [Saved.Explain] for the part of taste.
func (s *Saved) ExplainBalanced(p model.Person, item int) (w BalancedExplanation, err error) {
	if s.HasTaste() {
		if err := s.explainTaste(p, item, &w); err != nil {
			return w, err
		}
	}
	return w, s.explainInterest(p, item, &w)
}

// TakesTiers reports whether tier lists are in the sample space of the model; they are not in that of orders without ties, for one.
func (s *Saved) TakesTiers() bool {
	v := s.Visible()
	return v == nil || v.Space == osm.AllOrders
}

// Placer returns what computes the odds of items for a person, of an Ordered Set Model that takes tiers.
func (s *Saved) Placer(p model.Person) (*odds.Placer, error) {
	c, err := s.Catalogue()
	if err != nil {
		return nil, err
	}
	placer, err := odds.NewPlacer(c, s.Odds, p)
	if err != nil {
		return nil, err
	}
	placer.Visible = s.Visible()
	return placer, nil
}

// explainTaste adds taste to an explanation, and odds if the model has any: both from the person folded in once.
func (s *Saved) explainTaste(p model.Person, item int, w *BalancedExplanation) error {
	var why rank.Explanation
	_, err := s.Catalogue()
	if err != nil || !s.TakesTiers() {
		why, err = s.Explain(p, item)
	} else {
		var placer *odds.Placer
		if placer, err = s.Placer(p); err != nil {
			return err
		}
		found := placer.Place(item)
		w.Odds = &found
		why, err = placer.Explain(item)
	}
	w.Taste, w.Score = &why, why.Score
	return err
}

// explainInterest adds interest, if the model has it, to an explanation of taste, if there is one.
func (s *Saved) explainInterest(p model.Person, item int, w *BalancedExplanation) error {
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

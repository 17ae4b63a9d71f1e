package modelstore

import (
	"slices"

	"fubini/core/rng"
	"fubini/model"
	"fubini/use/deal"
)

// Deal puts the best-known items that a person has not placed in the order in which asking about them is worth most:
// the probability that the person knows an item times the expected information of its place. The probability is that of
// a pick, where the model has interest and the person placed something, and otherwise the share of people who have the
// item. away are items that are not to be asked about. It is an error for a model without odds.
func (s *Saved) Deal(person model.Person, away []int, r *rng.Rand) ([]deal.Card, error) {
	placer, err := s.Placer(person)
	if err != nil {
		return nil, err
	}
	gone := map[int]bool{}
	for _, i := range away {
		gone[i] = true
	}
	for _, i := range person.Known.Items {
		gone[int(i)] = true
	}
	items := slices.DeleteFunc(s.MostRated(1), func(i int) bool { return gone[i] })
	items = items[:min(len(items), deal.Candidates)]
	known, err := s.familiar(person, items)
	if err != nil {
		return nil, err
	}
	return deal.Order(placer, items, known, r)
}

// familiar are the probabilities that a person knows items.
func (s *Saved) familiar(person model.Person, items []int) ([]float64, error) {
	known := make([]float64, len(items))
	for k, i := range items {
		known[k] = min(1, float64(s.Seen[i])/float64(max(s.Users, 1)))
	}
	if s.Interest == nil || person.Known.Len() == 0 {
		return known, nil
	}
	wide, scores := make([]uint32, len(items)), make([]float64, len(items))
	for k, i := range items {
		wide[k] = uint32(i)
	}
	if err := s.ScoreFor(AimInterest, person, wide, scores); err != nil {
		return nil, err
	}
	for k, score := range scores {
		if chance, calibrated := s.Interest.Probability(score, person.Known.Len()); calibrated {
			known[k] = chance
		}
	}
	return known, nil
}

package modelstore

import (
	"slices"

	"fubini/data/ratings"
	"fubini/model"
	"fubini/use/deal"
)

// Deal puts the best-known items that a person has not placed in the order in which asking about them is worth most, by
// the share of people who have an item and the expected information of its place. away are items that are not to be asked
// about. It is an error for a model without odds.
func (s *Saved) Deal(person model.Person, away []int) ([]deal.Card, error) {
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
	known := make([]float64, len(items))
	for k, i := range items {
		known[k] = min(1, float64(s.Seen[i])/float64(max(s.Users, 1)))
	}
	return deal.Order(placer, items, known), nil
}

// Moved is how far some of a person's answers moved the guesses for the best-known items that they have not placed: the mean
// over items of the total variation between the odds of the person's tiers with these answers and without them, from 0 to 1.
// levels are the values of the tiers, best first, of empty ones too. Without other answers it is 1.
func (s *Saved) Moved(person model.Person, levels []float32, answers []int) (float64, error) {
	rest := person
	rest.Known = ratings.Row{}
	for k, i := range person.Known.Items {
		if !slices.Contains(answers, int(i)) {
			rest.Known.Items, rest.Known.Values = append(rest.Known.Items, i), append(rest.Known.Values, person.Known.Values[k])
		}
	}
	if rest.Known.Len() == 0 {
		return 1, nil
	}
	now, err := s.Placer(person)
	if err != nil {
		return 0, err
	}
	before, err := s.Placer(rest)
	if err != nil {
		return 0, err
	}
	return deal.Moved(now, before, UsedTiers(person.Known, levels), UsedTiers(rest.Known, levels), len(levels), func(yield func(int) bool) {
		for _, i := range s.MostRated(1) {
			if !slices.Contains(person.Known.Items, uint32(i)) && !yield(i) {
				return
			}
		}
	}), nil
}

// UsedTiers returns the indices, from 0, of the tiers in which the person has an item; levels has the value of each tier.
func UsedTiers(known ratings.Row, levels []float32) (tiers []int) {
	for t, level := range levels {
		if slices.Contains(known.Values, level) {
			tiers = append(tiers, t)
		}
	}
	return tiers
}

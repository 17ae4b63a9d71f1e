// Package deal chooses the item to ask a new person about: one that they probably know, and whose place among their tiers
// tells most of their taste. See docs/maths.md#deal.
package deal

import (
	"cmp"
	"slices"

	"fubini/core/rng"
	"fubini/use/odds"
)

// Candidates is the number of best-known items among which one is chosen.
const Candidates = 150

// draws is the number of draws of the hidden units. The information of an item that has none is estimated as about half
// the number of slots over it: 0.01 nats for five tiers, where good questions have 0.2 and more.
const draws = 400

// A Card is an item that a person may be asked about.
type Card struct {
	Item        int
	Known       float64 // probability that the person knows it
	Information float64 // expected, in nats, of the answer of somebody who knows it
}

// Value is the expected information of asking: somebody who does not know the item tells nothing.
func (c Card) Value() float64 { return c.Known * c.Information }

// Order puts items in the order in which asking about them is worth most, for a person whose tiers are folded in. known
// has the probability that the person knows each item. Of equal items the first comes first.
func Order(person *odds.Placer, items []int, known []float64, r *rng.Rand) ([]Card, error) {
	information, err := person.Information(items, draws, r)
	if err != nil {
		return nil, err
	}
	cards := make([]Card, len(items))
	for k, item := range items {
		cards[k] = Card{item, known[k], information[k]}
	}
	slices.SortStableFunc(cards, func(a, b Card) int { return cmp.Compare(b.Value(), a.Value()) })
	return cards, nil
}

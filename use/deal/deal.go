// Package deal chooses the item to ask a new person about: one that they probably know, and whose place among their tiers
// is least sure. See docs/maths.md#deal.
package deal

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"fubini/use/odds"
)

// Candidates is the number of best-known items among which one is chosen.
const Candidates = 150

// The questions end once the newest answers have moved guesses by less than still on average, after the least number of
// answers and before the most. still was chosen so that it takes about ten answers in both demonstration worlds
// (docs/firstminute.md).
const (
	Newest = 3
	Most   = 15
	least  = 5
	still  = 0.12
)

// Enough reports whether the questions may end, by the number of answers and by how far the newest ones moved the guesses.
func Enough(answers int, moved float64) bool {
	return answers >= Most || answers >= least && moved < still
}

// A Card is an item that a person may be asked about.
type Card struct {
	Item        int
	Known       float64 // share of people who know it
	Information float64 // expected, in nats, of the answer of somebody who knows it
}

// Value is what cards are ordered by. The cube root of the share, rather than the share itself, was chosen by measurement
// (docs/maths.md#deal): better guesses after as many answers, for a few cards more that the person does not know.
func (c Card) Value() float64 { return math.Cbrt(c.Known) * c.Information }

// Order puts items in the order in which asking about them is worth most, for a person whose tiers are folded in. known
// has the share of people who know each item. Of equal items the first comes first.
func Order(person *odds.Placer, items []int, known []float64) []Card {
	information := person.Information(items)
	cards := make([]Card, len(items))
	for k, item := range items {
		cards[k] = Card{item, known[k], information[k]}
	}
	slices.SortStableFunc(cards, func(a, b Card) int { return cmp.Compare(b.Value(), a.Value()) })
	return cards
}

// compared is the number of best-known items whose guesses [Moved] compares.
const compared = 40

// Moved is the mean total variation, over the first of some items, between two guesses of their tier: by what is known of a
// person now and by what was known before. Each has the tiers that hold items, of all tiers of the person.
func Moved(now, before *odds.Placer, usedNow, usedBefore []int, tiers int, items iter.Seq[int]) float64 {
	var sum float64
	n := 0
	for i := range items {
		if n == compared {
			break
		}
		was := before.Place(i).Over(usedBefore, tiers)
		for t, p := range now.Place(i).Over(usedNow, tiers) {
			sum += math.Abs(p-was[t]) / 2
		}
		n++
	}
	if n == 0 {
		return 0 // nothing is left to guess
	}
	return sum / float64(n)
}

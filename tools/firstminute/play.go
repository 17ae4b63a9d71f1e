package main

import (
	"math"
	"slices"

	"fubini/core/rng"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/use/deal"
)

// A way of choosing puts items in the order in which a person is asked about them, until their next answer.
type way struct {
	name string
	ends bool // whether the end of the questions is measured
	next func(s *modelstore.Saved, p model.Person, away []int, r *rng.Rand) ([]deal.Card, error)
}

var ways = []way{
	{"dealt", true, func(s *modelstore.Saved, p model.Person, away []int, _ *rng.Rand) ([]deal.Card, error) {
		return s.Deal(p, away) // as the server does
	}},
	{"best known first", false, func(s *modelstore.Saved, p model.Person, away []int, _ *rng.Rand) ([]deal.Card, error) {
		return left(s, p, away), nil
	}},
	{"at random", false, func(s *modelstore.Saved, p model.Person, away []int, r *rng.Rand) ([]deal.Card, error) {
		cards := left(s, p, away)
		r.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
		return cards, nil
	}},
}

// left are the best-known items that were neither placed nor asked about, the same that a deal chooses from.
func left(s *modelstore.Saved, p model.Person, away []int) (cards []deal.Card) {
	gone := map[int]bool{}
	for _, i := range away {
		gone[i] = true
	}
	for _, i := range p.Known.Items {
		gone[int(i)] = true
	}
	for _, i := range s.MostRated(1) {
		if len(cards) < deal.Candidates && !gone[i] {
			cards = append(cards, deal.Card{Item: i})
		}
	}
	return cards
}

// outcome is what became of one person under one way. Its slices have an entry for each number of answers, from 1.
type outcome struct {
	Loss  []float64 // mean log loss of the guesses
	Cards []int     // that were dealt so far
	Moved []float64 // how far the newest answers moved guesses, where the end is measured
}

// play asks one person. Answers are tiers alone, as on the page; tiers are the person's own ratings. What does not come
// in an answer changes no guess, so that the order of the cards stays until the next answer.
func play(s *modelstore.Saved, w way, person model.Person, r *rng.Rand) (*outcome, error) {
	known := map[int]float32{}
	var levels []float32
	var test, away []int
	for k, at := range r.Perm(person.Known.Len()) {
		item, value := int(person.Known.Items[at]), person.Known.Values[at]
		levels = append(levels, value)
		if k < tested {
			test, away = append(test, at), append(away, item)
		} else {
			known[item] = value
		}
	}
	levels = tiersOf(levels)
	so := model.Person{Index: -1, TiersOnly: true}
	out := &outcome{}
	var answers []int
	for cards := 0; ; {
		next, err := w.next(s, so, away, r)
		if err != nil {
			return nil, err
		}
		if n := so.Known.Len(); n > 0 {
			loss, err := judge(s, so, person, test, levels)
			if err != nil {
				return nil, err
			}
			out.Loss, out.Cards = append(out.Loss, loss), append(out.Cards, cards)
			if w.ends {
				moved, err := s.Moved(so, levels, answers[max(0, n-deal.Newest):])
				if err != nil {
					return nil, err
				}
				out.Moved = append(out.Moved, moved)
			}
			if n == after[len(after)-1] {
				return out, nil
			}
		}
		at := slices.IndexFunc(next, func(c deal.Card) bool { _, tried := known[c.Item]; return tried })
		if at < 0 || cards+at+1 > perDeal {
			return out, nil // they know too few of the cards
		}
		cards += at + 1
		for _, c := range next[:at] {
			away = append(away, c.Item)
		}
		item := uint32(next[at].Item)
		answers = append(answers, int(item))
		k, _ := slices.BinarySearch(so.Known.Items, item)
		so.Known.Items, so.Known.Values = slices.Insert(so.Known.Items, k, item), slices.Insert(so.Known.Values, k, known[int(item)])
	}
}

// judge is the mean log loss, in nats, of the tiers of the tested items. A guess is a probability of each of the person's
// tiers, whether something stands in it already or not: the odds of a gap are shared by the tiers inside it, or by its two
// neighbours where there is none.
func judge(s *modelstore.Saved, so, person model.Person, test []int, levels []float32) (loss float64, err error) {
	placer, err := s.Placer(so)
	if err != nil {
		return 0, err
	}
	used := modelstore.UsedTiers(so.Known, levels)
	for _, at := range test {
		chances := placer.Place(int(person.Known.Items[at])).Over(used, len(levels))
		loss -= math.Log(chances[slices.Index(levels, person.Known.Values[at])]) / float64(len(test))
	}
	return loss, nil
}

// tiersOf are the distinct values, best first.
func tiersOf(values []float32) []float32 {
	used := slices.Clone(values)
	slices.Sort(used)
	used = slices.Compact(used)
	slices.Reverse(used)
	return used
}

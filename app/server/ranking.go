package server

import (
	"context"
	"math"
	"slices"

	"fubini/use/rank"
)

// wish is what somebody wants ranked.
type wish struct {
	n       int
	exclude []int
	only    []int // nil means all items
	support int
	novelty float64
}

// plain says whether the shelf, which is packed for the usual case, can answer.
func (w wish) plain() bool {
	return w.only == nil && w.novelty == 0 && w.support == defaultSupport && w.n <= mostShelf
}

// found is an item of an answer.
type found struct {
	item  int
	score float64
	odds  rank.Odds
}

// rankWithOdds orders items and tells where each of them would stand. It gives up
// when the context ends: odds of very many items take a while.
func (m *served) rankWithOdds(ctx context.Context, p placed, w wish) ([]found, error) {
	person, err := rank.Read(m.catalogue, p.list)
	if err != nil {
		return nil, err
	}
	all := m.best(person, p, w)
	for k := range all {
		if k%64 == 63 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		all[k].odds = person.Place(all[k].item)
	}
	return all, nil
}

// best are the best items in order. Scores are those of [rank.Complete]; the shelf
// only chooses, so that both ways tell the same numbers.
func (m *served) best(person *rank.Person, p placed, w wish) []found {
	space := m.rooms.Get().(*room)
	defer m.rooms.Put(space)
	var items []int
	if w.plain() {
		items = m.fromShelf(space, person, p, w)
	} else {
		items = m.fromAll(space, p, w)
	}
	if cap(space.scores) < len(items) {
		space.scores = make([]float64, len(items))
	}
	scores := space.scores[:len(items)]
	person.Score(items, scores)
	all := make([]found, len(items))
	for k, i := range items {
		all[k] = found{item: i, score: scores[k]}
		if w.novelty != 0 {
			all[k].score -= w.novelty * math.Log(1+float64(m.saved.Seen[i]))
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		return rank.Compare(rank.Scored{Item: a.item, Score: a.score}, rank.Scored{Item: b.item, Score: b.score})
	})
	return all[:min(w.n, len(all))]
}

// fromShelf chooses n items by the packed catalogue.
func (m *served) fromShelf(space *room, person *rank.Person, p placed, w wish) []int {
	query := rank.Query{Taste: person.Taste(), Listed: len(p.list.Items), Hide: p.list.Items}
	if len(w.exclude) > 0 {
		query.Hide = slices.Concat(p.list.Items, w.exclude)
	}
	space.answers[0] = space.answers[0][:0]
	m.shelf.Best([]rank.Query{query}, w.n, &space.rank, space.answers)
	space.items = space.items[:0]
	for _, each := range space.answers[0] {
		space.items = append(space.items, each.Item)
	}
	return space.items
}

// fromAll lists every item that may come.
func (m *served) fromAll(space *room, p placed, w wish) []int {
	hidden := make([]bool, len(m.saved.ItemIDs))
	for _, list := range [][]int{p.list.Items, w.exclude} {
		for _, i := range list {
			hidden[i] = true
		}
	}
	space.items = space.items[:0]
	add := func(i int) {
		if !hidden[i] && int(m.saved.Seen[i]) >= w.support {
			hidden[i] = true // an item may be named twice in only
			space.items = append(space.items, i)
		}
	}
	if w.only != nil {
		for _, i := range w.only {
			add(i)
		}
		return space.items
	}
	for i := range hidden {
		add(i)
	}
	return space.items
}

package main

import (
	"cmp"
	"math"
	"slices"

	"fubini/learn/zoo"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// recommender is a model under the rules of a command: what may come, how many, and
// whether with odds. It may be used by several goroutines, each with its own desk.
type recommender struct {
	saved     *zoo.Saved
	catalogue *latent.Catalogue // nil for a rival, which has scores alone
	shelf     *rank.Shelf
	handicap  []float64
	order     []int // all items by id, in which ties come
	place     []int // of each item in that order
	count     int
	odds      bool
}

// told is what a person said: their tiers, and where these came as ratings, the
// rating that each stands for, best first.
type told struct {
	osm.List
	values []float64
}

// toldBy is what the ratings of a list say.
func toldBy(list osm.List, values []float32) told {
	said := told{List: list}
	for t := range list.Order.Len() {
		said.values = append(said.values, float64(values[list.Order.Block(t)[0]]))
	}
	return said
}

// areRatings says whether values of a format are ratings, and not only an order.
func areRatings(format string) bool { return format != "tiers" && format != "preflib" }

// recommendation is one row of an answer.
type recommendation struct {
	rank, item int
	score      float64
	odds       *rank.Odds // nil where not asked for, or not known
}

func newRecommender(saved *zoo.Saved, handicap []float64, count int, odds bool) (*recommender, error) {
	r := &recommender{saved: saved, handicap: handicap, count: count, odds: odds}
	saved.Find("") // makes the index, before several goroutines look into it
	for i := range saved.ItemIDs {
		r.order = append(r.order, i)
	}
	// Items that were added to a model stand behind the others, whatever their ids.
	slices.SortFunc(r.order, func(a, b int) int { return cmp.Compare(saved.ItemIDs[a], saved.ItemIDs[b]) })
	r.place = make([]int, len(r.order))
	for at, i := range r.order {
		r.place[i] = at
	}
	catalogue, err := saved.Catalogue()
	if err != nil {
		return r, nil
	}
	r.catalogue = catalogue
	r.shelf, err = rank.NewOrderedShelf(catalogue, handicap, r.order)
	return r, err
}

// desk is what one goroutine needs to answer.
type desk struct {
	*recommender
	crowd  *rank.Crowd
	rests  []int
	items  []uint32
	scores []float64
}

func (r *recommender) desk() *desk {
	d := &desk{recommender: r}
	if r.shelf != nil {
		d.crowd = rank.NewCrowd(r.shelf)
	}
	return d
}

// answer returns the best items for each of some lists.
func (d *desk) answer(people []told) ([][]recommendation, error) {
	answers := make([][]recommendation, len(people))
	lists := make([]osm.List, len(people))
	for l, said := range people {
		lists[l] = said.List
		if d.shelf == nil {
			answers[l] = d.byScore(said)
		}
	}
	if d.shelf == nil {
		return answers, nil
	}
	found, err := d.crowd.Best(lists, d.count)
	if err != nil {
		return nil, err
	}
	for l, best := range found {
		rows := make([]recommendation, len(best))
		for k, each := range best {
			rows[k] = recommendation{rank: k + 1, item: each.Item, score: each.Score}
		}
		if answers[l] = rows; d.odds {
			if err := d.addOdds(people[l], rows); err != nil {
				return nil, err
			}
		}
	}
	return answers, nil
}

// addOdds places the items of rows among the tiers of a list.
func (r *recommender) addOdds(said told, rows []recommendation) error {
	person, err := r.read(said)
	if err != nil {
		return err
	}
	for k := range rows {
		odds := person.Place(rows[k].item)
		rows[k].odds = &odds
	}
	return nil
}

// read reads what a person said into the model.
func (r *recommender) read(said told) (*rank.Person, error) {
	person, err := rank.Read(r.catalogue, said.List)
	if err == nil && said.values != nil {
		err = person.Rated(said.values)
	}
	return person, err
}

// rest appends the items that may come and are not on a list, by id.
func (r *recommender) rest(list osm.List, items []int) []int {
	placed := make(map[int]bool, len(list.Items))
	for _, i := range list.Items {
		placed[i] = true
	}
	for _, i := range r.order {
		if !math.IsInf(r.handicap[i], 1) && !placed[i] {
			items = append(items, i)
		}
	}
	return items
}

// byScore answers for models that have scores alone.
func (d *desk) byScore(said told) []recommendation {
	d.rests = d.rest(said.List, d.rests[:0])
	d.items = d.items[:0]
	for _, i := range d.rests {
		d.items = append(d.items, uint32(i))
	}
	d.scores = slices.Grow(d.scores[:0], len(d.items))[:len(d.items)]
	d.saved.Model.Score(zoo.Person{Index: -1, Known: d.saved.Rated(said.List, said.values)}, d.items, d.scores)
	for k, i := range d.items {
		d.scores[k] -= d.handicap[i]
	}
	var rows []recommendation
	for n, k := range rank.Best(d.scores, d.count) {
		rows = append(rows, recommendation{rank: n + 1, item: int(d.items[k]), score: d.scores[k]})
	}
	return rows
}

// fields are those of a row, in the order of every format.
func (r *recommender) fields(row recommendation) []field {
	record := []field{{"rank", row.rank}, {"item", r.saved.ItemIDs[row.item]}, {"name", r.saved.ItemNames[row.item]}, {"score", row.score}}
	switch {
	case !r.odds:
		return record
	case row.odds == nil:
		return append(record, field{"tier", nil}, field{"tier_probs", nil}, field{"gap_probs", nil}, field{"expected_rank", nil}, field{"rank_interval", nil})
	}
	tier, rank, interval := any(nil), any(nil), any(nil)
	if t := row.odds.Tier(); t >= 0 { // otherwise there is nothing to rank among
		tier, rank, interval = t+1, row.odds.Rank, []float64{row.odds.Low, row.odds.High}
	}
	return append(record, field{"tier", tier}, field{"tier_probs", row.odds.Tiers}, field{"gap_probs", row.odds.Gaps},
		field{"expected_rank", rank}, field{"rank_interval", interval})
}

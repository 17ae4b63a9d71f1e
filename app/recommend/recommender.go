package recommend

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"fubini/learn/zoo"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// Recommender is a model under the rules of a command: what may come, how many, and
// whether with odds. It may be used by several goroutines, each with its own desk.
type Recommender struct {
	Saved     *zoo.Saved
	Catalogue *latent.Catalogue // nil for a baseline, which has scores alone
	Count     int
	Odds      bool

	shelf    *rank.Shelf
	handicap []float64
	place    []int // of each item in the order of ids
}

// Told is what a person said: their tiers, and where these came as ratings, the
// rating that each stands for, best first.
type Told struct {
	osm.List
	Values []float64
}

// ToldBy is what the ratings of a list say.
func ToldBy(list osm.List, values []float32) Told {
	said := Told{List: list}
	for t := range list.Order.Len() {
		said.Values = append(said.Values, float64(values[list.Order.Block(t)[0]]))
	}
	return said
}

// AreRatings says whether values of a format are ratings, and not only an order.
func AreRatings(format string) bool {
	return !strings.HasPrefix(format, "tiers") && format != "preflib"
}

// Row is one recommendation.
type Row struct {
	Rank, Item int
	Score      float64
	Odds       *rank.Odds // nil where not asked for, or not known
}

// New puts a model under rules: the handicaps of its items (see [Rules]), and how many
// are to come.
func New(saved *zoo.Saved, handicap []float64, count int, odds bool) (*Recommender, error) {
	r := &Recommender{Saved: saved, handicap: handicap, Count: count, Odds: odds}
	saved.Find("") // makes the index, before several goroutines look into it
	// Items that were added to a model stand behind the others, whatever their ids.
	order := make([]int, len(saved.ItemIDs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(saved.ItemIDs[a], saved.ItemIDs[b]) })
	r.place = make([]int, len(order))
	for at, i := range order {
		r.place[i] = at
	}
	catalogue, err := saved.Catalogue()
	if err != nil {
		return r, nil
	}
	r.Catalogue = catalogue
	r.shelf, err = rank.NewShelf(catalogue, handicap)
	return r, err
}

// Desk is what one goroutine needs to answer.
type Desk struct {
	*Recommender
	Crowd  *rank.Crowd // nil for a baseline
	rests  []int
	items  []uint32
	scores []float64
}

// Desk is a new one.
func (r *Recommender) Desk() *Desk {
	d := &Desk{Recommender: r}
	if r.shelf != nil {
		d.Crowd = rank.NewCrowd(r.shelf)
	}
	return d
}

// Answer returns the best items for each of some people.
func (d *Desk) Answer(people []Told) ([][]Row, error) {
	answers := make([][]Row, len(people))
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
	found, err := d.Crowd.Best(lists, d.Count)
	if err != nil {
		return nil, err
	}
	for l, best := range found {
		rows := make([]Row, len(best))
		for k, each := range best {
			rows[k] = Row{Rank: k + 1, Item: each.Item, Score: each.Score}
		}
		if answers[l] = rows; d.Odds {
			if err := d.addOdds(people[l], rows); err != nil {
				return nil, err
			}
		}
	}
	return answers, nil
}

// addOdds places the items of rows among the tiers of a list.
func (r *Recommender) addOdds(said Told, rows []Row) error {
	person, err := r.Read(said)
	if err != nil {
		return err
	}
	for k := range rows {
		odds := person.Place(rows[k].Item)
		rows[k].Odds = &odds
	}
	return nil
}

// Read reads what a person said into the model.
func (r *Recommender) Read(said Told) (*rank.Person, error) {
	person, err := rank.Read(r.Catalogue, said.List)
	if err == nil && said.Values != nil {
		err = person.Rated(said.Values)
	}
	return person, err
}

// Rest appends the items that may come and are not on a list, in the order of the
// catalogue.
func (r *Recommender) Rest(list osm.List, items []int) []int {
	placed := make(map[int]bool, len(list.Items))
	for _, i := range list.Items {
		placed[i] = true
	}
	for i := range r.handicap {
		if !math.IsInf(r.handicap[i], 1) && !placed[i] {
			items = append(items, i)
		}
	}
	return items
}

// byScore answers for models that have scores alone.
func (d *Desk) byScore(said Told) []Row {
	d.rests = d.Rest(said.List, d.rests[:0])
	d.items = d.items[:0]
	for _, i := range d.rests {
		d.items = append(d.items, uint32(i))
	}
	d.scores = slices.Grow(d.scores[:0], len(d.items))[:len(d.items)]
	d.Saved.Model.Score(zoo.Person{Index: -1, Known: d.Saved.Rated(said.List, said.Values)}, d.items, d.scores)
	for k, i := range d.items {
		d.scores[k] -= d.handicap[i]
	}
	var rows []Row
	for n, k := range rank.Best(d.scores, d.Count) {
		rows = append(rows, Row{Rank: n + 1, Item: int(d.items[k]), Score: d.scores[k]})
	}
	return rows
}

package recommend

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/interest"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/odds"
	"fubini/use/rank"
)

// Rules decide which items are recommended, how many, and whether with odds.
type Rules struct {
	Count   int     `json:"count"`       // items for a person
	Support int     `json:"min_support"` // least number of training ratings of an item
	Novelty float64 `json:"novelty"`     // this times log(1 + ratings of the item) is subtracted from its score
	Odds    bool    `json:"odds"`        // whether rows have the odds of a pick, and of every place among the person's tiers

	Aim modelstore.Aim `json:"aim"` // what items are ordered by

	Only    []int `json:"-"` // if not nil, only these items
	Exclude []int `json:"-"` // not these items
}

// DefaultSupport is the least number of training ratings of an item, unless a rule sets another.
const DefaultSupport = 5

// Defaults are the rules of the library, the commands and the server: ten items with [DefaultSupport], with odds.
func Defaults() Rules { return Rules{Count: 10, Support: DefaultSupport, Odds: true} }

// handicaps are subtracted from the scores of items; +Inf for those that are not recommended.
func (r Rules) handicaps(saved *modelstore.Saved) []float64 {
	handicap := make([]float64, len(saved.ItemIDs))
	for i, seen := range saved.Seen {
		handicap[i] = r.Novelty * math.Log(1+float64(seen))
		if int(seen) < r.Support || r.Only != nil {
			handicap[i] = math.Inf(1)
		}
	}
	for _, i := range r.Only {
		if seen := saved.Seen[i]; int(seen) >= r.Support {
			handicap[i] = r.Novelty * math.Log(1+float64(seen))
		}
	}
	for _, i := range r.Exclude {
		handicap[i] = math.Inf(1)
	}
	return handicap
}

// Recommender ranks items by a model, under rules. Several goroutines may use it, each with its own [Scratch].
type Recommender struct {
	Rules
	Saved     *modelstore.Saved
	Catalogue *latent.Catalogue // nil for a baseline, which has scores and no odds

	index    *rank.Index          // by taste; nil where all items are scored
	whole    *rank.CatalogueIndex // by the other aims; nil where all items are scored
	indexes  *indexes             // of all aims, with the handicaps of the first rules
	hide     []int                // items that are not recommended though they are in the index
	handicap []float64
	place    []int // of each item in the order of ids
}

// Row is one recommendation.
type Row struct {
	Rank, Item int
	Score      float64
	Interest   *float64   // probability that the person would pick the item; nil where not asked for, or not known
	Odds       *odds.Odds // nil where not asked for, or not known
}

// ErrSpace is the error for a fit to votes whose sample space has no tier lists: a person's tiers would be outside it.
var ErrSpace = errors.New("tier lists are outside the sample space of the model: fit the votes with --space all for that")

// New returns a recommender for a model and rules.
func New(saved *modelstore.Saved, rules Rules) (*Recommender, error) {
	if !saved.TakesTiers() {
		return nil, ErrSpace
	}
	aim, err := saved.Resolve(rules.Aim)
	if err != nil {
		return nil, err
	}
	rules.Aim = aim
	r := &Recommender{Saved: saved, Rules: rules, handicap: rules.handicaps(saved)}
	saved.Find("") // makes the lookup by id, before several goroutines use it
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
	if catalogue, err := saved.Catalogue(); err == nil {
		r.Catalogue = catalogue
	}
	r.indexes = newIndexes(saved, r.Catalogue, r.handicap)
	r.index, r.whole, err = r.indexes.of(aim)
	return r, err
}

// indexes are those by each aim, made when they are first needed.
type indexes struct {
	taste              func() (*rank.Index, error)
	balanced, interest func() (*rank.CatalogueIndex, error)
}

func newIndexes(saved *modelstore.Saved, catalogue *latent.Catalogue, handicap []float64) *indexes {
	x := &indexes{interest: sync.OnceValues(func() (*rank.CatalogueIndex, error) { return rank.NewCatalogueIndex(saved.Interest, nil, handicap) })}
	if _, ours := saved.Model.(*registry.Latent); ours { // another model may have scores of its own
		x.taste = sync.OnceValues(func() (*rank.Index, error) { return rank.NewIndex(catalogue, handicap) })
		x.balanced = sync.OnceValues(func() (*rank.CatalogueIndex, error) {
			return rank.NewCatalogueIndex(saved.Interest, catalogue, handicap)
		})
	}
	return x
}

// of returns the index by an aim that the model can serve; none where all items are scored.
func (x *indexes) of(aim modelstore.Aim) (index *rank.Index, whole *rank.CatalogueIndex, err error) {
	switch {
	case aim == modelstore.AimInterest:
		whole, err = x.interest()
	case aim == modelstore.AimBalanced && x.balanced != nil:
		whole, err = x.balanced()
	case aim == modelstore.AimTaste && x.taste != nil:
		index, err = x.taste()
	}
	return index, whole, err
}

// HasOdds reports whether rows have the odds of every place among a person's tiers, and HasInterest whether they have
// the probability of a pick.
func (r *Recommender) HasOdds() bool { return r.Odds && r.Catalogue != nil }

// HasInterest reports whether rows have the probability of a pick.
func (r *Recommender) HasInterest() bool { return r.Odds && r.Saved.Interest != nil }

// Under returns the recommender with other rules. It uses the index of their aim if the rules of r have the same items
// and handicaps, and scores all items otherwise; the numbers are the same. It is an error if the model cannot serve the aim.
func (r *Recommender) Under(rules Rules) (*Recommender, error) {
	aim, err := r.Saved.Resolve(rules.Aim)
	if err != nil {
		return nil, err
	}
	rules.Aim = aim
	other := *r
	other.Rules = rules
	if rules.Support == r.Support && rules.Novelty == r.Novelty && rules.Only == nil && r.Only == nil && len(r.Exclude) == 0 {
		other.hide = rules.Exclude
		other.index, other.whole, err = r.indexes.of(aim)
	} else {
		other.index, other.whole, other.hide, other.handicap = nil, nil, nil, rules.handicaps(r.Saved)
		other.indexes = newIndexes(r.Saved, r.Catalogue, other.handicap)
	}
	return &other, err
}

// Scratch is memory that one goroutine keeps from answer to answer. The zero value is ready.
type Scratch struct {
	rank   rank.Scratch
	whole  rank.CatalogueScratch
	picks  interest.Folded
	items  []uint32
	scores []float64
}

// Answer returns the best items for each person. It returns early when the context ends, because odds of very many items
// take a while.
func (r *Recommender) Answer(ctx context.Context, people []model.Person, s *Scratch) ([][]Row, error) {
	answers := make([][]Row, len(people))
	var lists []osm.List
	if r.index == nil && r.whole == nil {
		for k, person := range people {
			var err error
			if answers[k], err = r.scan(person, s); err != nil {
				return nil, err
			}
		}
	} else {
		var found [][]rank.Scored
		var err error
		if found, lists, err = r.search(people, s); err != nil {
			return nil, err
		}
		for k, best := range found {
			answers[k] = make([]Row, len(best))
			for n, each := range best {
				answers[k][n] = Row{Rank: n + 1, Item: each.Item, Score: each.Score}
			}
		}
	}
	for k, rows := range answers {
		if r.HasInterest() {
			var err error
			if r.whole != nil {
				r.addChances(people[k], rows, s.whole.Interest(k))
			} else {
				err = r.addInterest(people[k], rows, &s.picks)
			}
			if err != nil {
				return nil, err
			}
		}
		if r.HasOdds() {
			placer, err := r.placerAfter(people[k], lists, k, s)
			if err == nil {
				err = addOdds(ctx, placer, rows)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return answers, nil
}

// placerAfter is [modelstore.Saved.Placer] after a search, in which the index of taste has folded the k-th person in already.
func (r *Recommender) placerAfter(person model.Person, lists []osm.List, k int, s *Scratch) (*odds.Placer, error) {
	if r.index == nil || lists == nil {
		return r.Saved.Placer(person)
	}
	folded := &rank.Folded{Catalogue: r.Catalogue, List: lists[k], Embedding: s.rank.Embedding(k)}
	placer, err := odds.Among(folded, r.Saved.Odds, person)
	if err != nil {
		return nil, err
	}
	placer.Visible = r.Saved.Visible()
	return placer, nil
}

// search answers by an index, and returns the lists of the people too.
func (r *Recommender) search(people []model.Person, s *Scratch) (found [][]rank.Scored, lists []osm.List, err error) {
	known := make([]ratings.Row, len(people))
	lists = make([]osm.List, len(people))
	for k, person := range people {
		if lists[k], err = osm.ListOf(person.Known); err != nil {
			return nil, nil, err
		}
		if r.whole != nil {
			known[k] = r.Saved.Rated(person)
		}
	}
	if r.whole != nil {
		found, err = r.whole.ForLists(lists, known, r.Count, r.hide, &s.whole)
	} else {
		found, err = r.index.ForLists(lists, r.Count, r.hide, &s.rank)
	}
	return found, lists, err
}

// addInterest gives rows the probability that a person would pick their items.
func (r *Recommender) addInterest(person model.Person, rows []Row, scratch *interest.Folded) error {
	if err := r.Saved.Interest.Fold(r.Saved.Rated(person), scratch); err != nil {
		return err
	}
	scores := make([]float64, len(rows))
	for k, row := range rows {
		scores[k] = scratch.At(r.Saved.Interest, row.Item)
	}
	r.addChances(person, rows, scores)
	return nil
}

// addChances turns scores of interest into probabilities.
func (r *Recommender) addChances(person model.Person, rows []Row, scores []float64) {
	for k, score := range scores {
		if chance, calibrated := r.Saved.Interest.Probability(score, person.Known.Len()); calibrated {
			rows[k].Interest = &chance
		}
	}
}

// addOdds places the items of rows among the tiers of a person.
func addOdds(ctx context.Context, placer *odds.Placer, rows []Row) error {
	for k := range rows {
		if k%64 == 63 && ctx.Err() != nil {
			return ctx.Err()
		}
		found := placer.Place(rows[k].Item)
		rows[k].Odds = &found
	}
	return nil
}

// rest appends the items that may be recommended to a person, in the order of the catalogue.
func (r *Recommender) rest(person model.Person, items []uint32) []uint32 {
	placed := make(map[uint32]bool, person.Known.Len())
	for _, i := range person.Known.Items {
		placed[i] = true
	}
	for i, handicap := range r.handicap {
		if !math.IsInf(handicap, 1) && !placed[uint32(i)] {
			items = append(items, uint32(i))
		}
	}
	return items
}

// scan answers by the scores of all items.
func (r *Recommender) scan(person model.Person, s *Scratch) ([]Row, error) {
	s.items = r.rest(person, s.items[:0])
	s.scores = slices.Grow(s.scores[:0], len(s.items))[:len(s.items)]
	if err := r.Saved.ScoreFor(r.Aim, person, s.items, s.scores); err != nil {
		return nil, err
	}
	for k, i := range s.items {
		s.scores[k] -= r.handicap[i]
	}
	var rows []Row
	for n, k := range rank.Best(s.scores, r.Count) {
		rows = append(rows, Row{Rank: n + 1, Item: int(s.items[k]), Score: s.scores[k]})
	}
	return rows, nil
}

package modelstore

import (
	"cmp"
	"fmt"
	"slices"

	"fubini/data/ratings"
	"fubini/data/titles"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/interest"
	"fubini/model/latent"
	"fubini/use/board"
	"fubini/use/odds"
)

// Saved is a trained model with the ids of its items, its settings and its provenance.
type Saved struct {
	Name      string // name in the registry
	Program   string // version of the program that trained it
	Seed      uint64
	Data      string // fingerprint of the ratings
	Ratings   int    // number of ratings
	Users     int
	Low, High float64 // range of the ratings
	History   []Epoch
	ItemIDs   []string
	ItemNames []string           // titles; the id for an item without one
	Seen      []uint32           // number of training ratings of each item
	Settings  map[string]float64 // settings that differ from the defaults, or were chosen by the data
	Model     model.Model
	Odds      *odds.Calibration // correction of the tier probabilities; nil for none
	Board     *board.Fitted     // a fit to votes, which is ready for questions after Prepare; nil for none
	Interest  *interest.Model   // what people pick, which may be all of the model; nil for a model of taste alone
	About

	index map[string]int
}

// Epoch is the entry of one epoch in the history of training. Fields that do not apply are 0.
type Epoch struct {
	Epoch         int     `json:"epoch"`
	LogLikelihood float64 `json:"log_likelihood,omitempty"`
	Distance      float64 `json:"distance,omitempty"`
	Split         float64 `json:"split,omitempty"` // acceptance rates
	Merge         float64 `json:"merge,omitempty"`
	Gradient      float64 `json:"gradient,omitempty"`
	Validation    float64 `json:"validation,omitempty"` // NDCG@10 on held-back ratings
	ERR           float64 `json:"err,omitempty"`
	Objective     float64 `json:"objective,omitempty"` // of a baseline: the loss that it minimises
	Held          float64 `json:"held,omitempty"`      // of a baseline: the share of held-back pairs in the right order
}

// NewSaved returns a fitted model with the items and counts of the set it was trained on.
func NewSaved(name string, set *ratings.Set, m model.Model) *Saved {
	s := &Saved{Name: name, Data: set.Fingerprint(), Ratings: set.Len(), Users: set.Users().Len(), ItemIDs: set.Items().IDs(), Model: m}
	if picks, alone := m.(*registry.Interest); alone {
		s.Interest = picks.Model
	}
	s.Low, s.High = set.Range()
	for i := range uint32(len(s.ItemIDs)) {
		s.ItemNames = append(s.ItemNames, shownName(set.Items(), i))
	}
	s.Seen = make([]uint32, len(s.ItemIDs))
	for u := range set.Users().Len() {
		for _, i := range set.Row(u).Items {
			s.Seen[i]++
		}
	}
	return s
}

// Find returns the number of an item by its id, and whether the model has the item.
func (s *Saved) Find(id string) (int, bool) {
	if s.index == nil {
		s.index = make(map[string]int, len(s.ItemIDs))
		for i, known := range s.ItemIDs {
			s.index[known] = i
		}
	}
	i, known := s.index[id]
	return i, known
}

// MostRated returns the items whose number of training ratings is at least support, the most
// rated first.
func (s *Saved) MostRated(support int) []int {
	var items []int
	for i, seen := range s.Seen {
		if int(seen) >= support {
			items = append(items, i)
		}
	}
	slices.SortStableFunc(items, func(a, b int) int { return cmp.Compare(s.Seen[b], s.Seen[a]) })
	return items
}

// Person returns a user of a set as a new person, with the items that the model has, by its
// numbers, and the ids of those it has not.
func (s *Saved) Person(set *ratings.Set, user int) (p model.Person, unknown []string) {
	p.Index = -1
	row := set.Row(user)
	for k, item := range row.Items {
		id := set.Items().ID(item)
		i, there := s.Find(id)
		if !there {
			unknown = append(unknown, id)
			continue
		}
		p.Known.Items, p.Known.Values = append(p.Known.Items, uint32(i)), append(p.Known.Values, row.Values[k])
		if row.Times != nil {
			p.Known.Times = append(p.Known.Times, row.Times[k])
		}
	}
	return p, unknown
}

// Rated returns a person's ratings, sorted by item, for models of ratings. Tiers without
// ratings are spread evenly over the range of the training ratings, the best at its top; a
// single tier is at the middle.
func (s *Saved) Rated(p model.Person) ratings.Row {
	at := make([]int, p.Known.Len())
	for k := range at {
		at[k] = k
	}
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(p.Known.Items[a], p.Known.Items[b]) })
	tiers := slices.Clone(p.Known.Values)
	slices.Sort(tiers)
	tiers = slices.Compact(tiers)
	var row ratings.Row
	for _, k := range at {
		value := p.Known.Values[k]
		if last := len(tiers) - 1; p.TiersOnly && last == 0 {
			value = float32((s.Low + s.High) / 2)
		} else if p.TiersOnly {
			up, _ := slices.BinarySearch(tiers, value)
			value = float32(s.High - float64(last-up)/float64(last)*(s.High-s.Low))
		}
		row.Items, row.Values = append(row.Items, p.Known.Items[k]), append(row.Values, value)
		if p.Known.Times != nil {
			row.Times = append(row.Times, p.Known.Times[k])
		}
	}
	return row
}

// Score writes the score of each item for a new person; a higher score is better.
func (s *Saved) Score(p model.Person, items []uint32, scores []float64) {
	if _, err := s.Catalogue(); err != nil { // a model of ratings
		p.Known, p.TiersOnly = s.Rated(p), false
	}
	s.Model.Score(p, items, scores)
}

// Catalogue returns the parameters of an Ordered Set Model; for another model the error wraps
// [registry.ErrNoUnits].
func (s *Saved) Catalogue() (*latent.Catalogue, error) {
	m, is := s.Model.(registry.OrderedSet)
	if !is {
		return nil, fmt.Errorf("modelstore: a model %s %w; train osm or latent-osm for that", s.Name, registry.ErrNoUnits)
	}
	return m.Parameters(), nil
}

// shownName is the title of an item as people write it, or its id.
func shownName(items *ratings.Vocabulary, i uint32) string {
	name, id := items.Name(i), items.ID(i)
	if name == id {
		return id
	}
	return titles.Plain(name)
}

// HasTaste reports whether the model orders items by how people would place them. A model of picks alone does not.
func (s *Saved) HasTaste() bool {
	_, picks := s.Model.(*registry.Interest)
	return !picks
}

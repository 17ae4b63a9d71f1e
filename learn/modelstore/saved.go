package modelstore

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"fubini/data/modelfile"
	"fubini/data/ratings"
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
	Settings  map[string]float64 // settings that differ from the defaults
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

// itemsSeen is the tensor of counts.
const itemsSeen = "items.seen"

// settings are those of any model in a file.
type settings struct {
	Ratings int                `json:"ratings"`
	Users   int                `json:"users"`
	Low     float64            `json:"low"`
	High    float64            `json:"high"`
	Set     map[string]float64 `json:"set,omitempty"`
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

// File returns the model as a safetensors file.
func (s *Saved) File() (*modelfile.File, error) {
	f := modelfile.New()
	f.Metadata[modelfile.KeyModel] = s.Name
	f.Metadata[modelfile.KeyProgramVersion] = s.Program
	f.Metadata[modelfile.KeySeed] = strconv.FormatUint(s.Seed, 10)
	f.Metadata[modelfile.KeyData] = s.Data
	if err := f.SetJSON(modelfile.KeySettings, settings{Ratings: s.Ratings, Users: s.Users, Low: s.Low, High: s.High, Set: s.Settings}); err != nil {
		return nil, err
	}
	if err := f.SetJSON(modelfile.KeyHistory, s.History); err != nil {
		return nil, err
	}
	f.SetStrings(modelfile.ItemIDs, s.ItemIDs)
	f.SetStrings(modelfile.ItemNames, s.ItemNames)
	modelfile.Set(f, itemsSeen, s.Seen, len(s.Seen))
	if err := saveOdds(f, s.Odds); err != nil {
		return nil, err
	}
	if err := s.About.save(f); err != nil {
		return nil, err
	}
	if err := s.saveBoard(f); err != nil {
		return nil, err
	}
	if s.Interest != nil && s.HasTaste() { // else it is the model itself
		if err := s.Interest.Save(f); err != nil {
			return nil, err
		}
	}
	return f, s.Model.Save(f)
}

// Open reads a model from a safetensors file.
func Open(f *modelfile.File) (*Saved, error) {
	s := &Saved{Name: f.Metadata[modelfile.KeyModel], Program: f.Metadata[modelfile.KeyProgramVersion], Data: f.Metadata[modelfile.KeyData]}
	recipe, err := registry.New(s.Name)
	if err != nil {
		return nil, fmt.Errorf("modelstore: the file holds a model %q, which this program does not know", s.Name)
	}
	if s.Seed, err = strconv.ParseUint(f.Metadata[modelfile.KeySeed], 10, 64); err != nil {
		return nil, fmt.Errorf("modelstore: the file's seed is %q", f.Metadata[modelfile.KeySeed])
	}
	var about settings
	if err := f.JSON(modelfile.KeySettings, &about); err != nil {
		return nil, err
	}
	if err := f.JSON(modelfile.KeyHistory, &s.History); err != nil {
		return nil, err
	}
	s.Ratings, s.Users, s.Low, s.High, s.Settings = about.Ratings, about.Users, about.Low, about.High, about.Set
	if err := registry.Restore(s.Name, recipe, s.Settings, false); err != nil {
		return nil, fmt.Errorf("modelstore: the file's settings: %w", err)
	}
	if s.ItemIDs, err = f.Strings(modelfile.ItemIDs, -1); err != nil {
		return nil, err
	}
	if s.ItemNames, err = f.Strings(modelfile.ItemNames, len(s.ItemIDs)); err != nil {
		return nil, err
	}
	if s.Seen, err = modelfile.Get[uint32](f, itemsSeen, len(s.ItemIDs)); err != nil {
		return nil, err
	}
	if len(s.ItemIDs) == 0 {
		return nil, fmt.Errorf("modelstore: the file has no items")
	}
	if s.Model, err = recipe.Load(f, len(s.ItemIDs)); err != nil {
		return nil, err
	}
	if s.Odds, err = loadOdds(f, s.Model); err != nil {
		return nil, err
	}
	if picks, alone := s.Model.(*registry.Interest); alone {
		s.Interest = picks.Model
	} else if s.Interest, err = interest.Load(f, len(s.ItemIDs)); err != nil {
		return nil, err
	}
	units := 0
	if c, err := s.Catalogue(); err == nil {
		units = c.K
	}
	if err := s.About.load(f, len(s.ItemIDs), units); err != nil {
		return nil, err
	}
	if _, known := s.Find(s.ItemIDs[0]); !known || len(s.index) != len(s.ItemIDs) {
		return nil, fmt.Errorf("modelstore: the file names an item twice")
	}
	if err := s.loadBoard(f); err != nil {
		return nil, err
	}
	return s, nil
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

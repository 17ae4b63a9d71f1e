package fubini

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"fubini/app/recommend"
	"fubini/data/personal"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/osm"
	"fubini/use/odds"
	"fubini/use/rank"
)

// Person is somebody with tiers of their own, folded into a model without changing it.
type Person struct {
	model  *Model
	known  model.Person
	seen   []int    // items that they know and did not place: they are not recommended
	Missed []string // texts of their tiers that are no item of the model, or may be several
}

// Person returns somebody who sorted items into tiers, best first. Items are named by ids or titles. It is an error if
// none of them is in the model; some of them may be missing, and are listed in Missed.
func (m *Model) Person(tiers [][]string) (*Person, error) {
	var placed []personal.Placed
	once := map[string]bool{}
	for t, tier := range tiers {
		for _, item := range tier {
			if once[item] {
				return nil, fmt.Errorf("%q is placed twice", item)
			}
			once[item] = true
			placed = append(placed, personal.Placed{Item: personal.Item{ID: item}, Value: float32(len(tiers) - t), When: ratings.NoTime})
		}
	}
	return m.personOf(&personal.Export{People: []personal.Person{{Placed: placed}}})
}

// PersonWith returns somebody with ratings of items, which are named by ids or titles.
func (m *Model) PersonWith(scores map[string]float64) (*Person, error) {
	var placed []personal.Placed
	for _, item := range slices.Sorted(maps.Keys(scores)) {
		placed = append(placed, personal.Placed{Item: personal.Item{ID: item}, Value: float32(scores[item]), When: ratings.NoTime})
	}
	return m.personOf(&personal.Export{Rated: true, People: []personal.Person{{Placed: placed}}})
}

// ReadPerson reads what one person brings: tiers, ratings, or an export of their account at Letterboxd, IMDb, Goodreads and
// others; see `fubini recommend --help`.
func (m *Model) ReadPerson(path string) (*Person, error) {
	files, name, err := locate(path)
	if err != nil {
		return nil, err
	}
	x, err := personal.Read(files, name, personal.Options{Name: path, Known: m.finder().Known})
	if err != nil {
		return nil, err
	}
	return m.personOf(x)
}

func (m *Model) personOf(x *personal.Export) (*Person, error) {
	switch len(x.People) {
	case 0:
		return m.Folded(model.Person{Index: -1}, nil), nil
	case 1:
	default:
		return nil, fmt.Errorf("%d people; there must be one", len(x.People))
	}
	known, seen, report := m.finder().Person(x, &x.People[0])
	var missed []string
	for _, each := range report.Missing {
		missed = append(missed, each.Text)
	}
	for _, each := range report.Open {
		missed = append(missed, each.Text)
	}
	if report.Found() == 0 && len(missed) > 0 {
		_, err := m.item(missed[0])
		return nil, fmt.Errorf("none of the %d items is in the model: %w", report.Read, err)
	}
	p := m.Folded(known, seen)
	p.Missed = missed
	return p, nil
}

// Folded returns the person with these placements, where items go by their numbers in the model. Items that they have seen and
// not placed are not recommended.
func (m *Model) Folded(known Known, seen []int) *Person {
	return &Person{model: m, known: known, seen: seen}
}

// Pick is one recommendation.
type Pick struct {
	ID, Name string
	Score    float64
	Interest float64    // probability that the person would pick it; NaN for a model without interest
	Odds     *odds.Odds // of every place among the person's tiers; nil for a model without odds
}

// Top returns the n best items that the person has not placed, best first.
func (p *Person) Top(n int, rules ...Rule) ([]Pick, error) {
	r := recommend.Defaults()
	r.Count = n
	for _, rule := range rules {
		if err := rule(p.model, &r); err != nil {
			return nil, err
		}
	}
	by, err := p.Recommender(r)
	if err != nil {
		return nil, err
	}
	rows, err := p.Rank(context.Background(), by)
	if err != nil {
		return nil, err
	}
	picks := make([]Pick, len(rows))
	for k, row := range rows {
		picks[k] = Pick{ID: p.model.ItemIDs[row.Item], Name: p.model.ItemNames[row.Item], Score: row.Score, Interest: orNaN(row.Interest), Odds: row.Odds}
	}
	return picks, nil
}

// Recommender ranks items for the person under rules, without those that they have seen.
func (p *Person) Recommender(rules recommend.Rules) (*recommend.Recommender, error) {
	by, err := p.model.answers()
	if err != nil {
		return nil, err
	}
	if len(p.seen) > 0 {
		rules.Exclude = slices.Concat(rules.Exclude, p.seen)
	}
	return by.Under(rules)
}

// Rank is [Person.Top] by a recommender of the person, with items by their numbers.
func (p *Person) Rank(ctx context.Context, by *recommend.Recommender) ([]recommend.Row, error) {
	answers, err := by.Answer(ctx, []model.Person{p.known}, &recommend.Scratch{})
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}

// Rule changes which items Top returns.
type Rule func(m *Model, r *recommend.Rules) error

// By chooses what the recommendations are ordered by.
func By(aim Aim) Rule {
	return func(_ *Model, r *recommend.Rules) error {
		r.Aim = aim
		return nil
	}
}

// Without leaves items out.
func Without(items ...string) Rule {
	return func(m *Model, r *recommend.Rules) (err error) {
		r.Exclude, err = m.items(items)
		return err
	}
}

// Among recommends only these items.
func Among(items ...string) Rule {
	return func(m *Model, r *recommend.Rules) (err error) {
		r.Only, err = m.items(items)
		return err
	}
}

// Novelty favours items that few people rated: it subtracts strength times the log of 1 plus an item's number of training
// ratings from its score.
func Novelty(strength float64) Rule {
	return func(_ *Model, r *recommend.Rules) error {
		r.Novelty = strength
		return nil
	}
}

// Support leaves out items with fewer than n training ratings; without this rule n is 5.
func Support(n int) Rule {
	return func(_ *Model, r *recommend.Rules) error {
		r.Support = n
		return nil
	}
}

func (m *Model) items(texts []string) ([]int, error) {
	found := make([]int, len(texts))
	for k, text := range texts {
		i, err := m.item(text)
		if err != nil {
			return nil, err
		}
		found[k] = i
	}
	return found, nil
}

// Odds are the probabilities of every place that an item may take among the person's tiers.
func (p *Person) Odds(item string) (odds.Odds, error) {
	i, err := p.model.item(item)
	if err != nil {
		return odds.Odds{}, err
	}
	if _, err := p.model.Catalogue(); err != nil {
		return odds.Odds{}, fmt.Errorf("odds: the model %s %w", p.model.Name, err)
	}
	if !p.model.TakesTiers() {
		return odds.Odds{}, recommend.ErrSpace
	}
	placer, err := p.model.Placer(p.known.Without(uint32(i)))
	if err != nil {
		return odds.Odds{}, err
	}
	return placer.Place(i), nil
}

// Explanation is why an item has its score: a base that is the same for everybody, and the part of each placement.
type Explanation struct {
	Item, Name string
	Score      float64    // by the aim [Balanced], if the model has both; else that of the part it has
	Taste      *Parts     // how the person would place it; nil for a model without taste
	Interest   *Parts     // whether the person would pick it; nil for a model without interest
	Strength   float64    // with both, Score is the log of Interest.Score plus Strength times Taste.Score
	Chance     float64    // that the person would pick it; NaN for a model without interest
	Odds       *odds.Odds // of every place among the person's tiers; nil for a model without odds
}

// Parts is a score as a sum: Base, Ties, Rest and the values of Placed add up to Score.
type Parts struct {
	Score       float64
	Base        float64 // the score of an average person; of interest that is 0, but for a person without placements
	Ties        float64 // what the number of ties adds
	Rest        float64 // joint effect of placements, beyond the parts of single ones
	Placed      []Part  // the largest first
	Approximate bool    // the score is not linear in the placements: their parts are shares of what they change together
}

// Part is the contribution of one placement to a score.
type Part struct {
	Item, Name string
	Tier       int // 1 for the best
	Value      float64
}

// Explain decomposes the score of an item for the person.
func (p *Person) Explain(item string) (*Explanation, error) {
	i, err := p.model.item(item)
	if err != nil {
		return nil, err
	}
	return p.ExplainItem(i)
}

// ExplainItem is [Person.Explain] for an item by its number in the model.
func (p *Person) ExplainItem(i int) (*Explanation, error) {
	known := p.known.Without(uint32(i))
	list, err := osm.ListOf(known.Known)
	if err != nil {
		return nil, err
	}
	why, err := p.model.ExplainBalanced(known, i)
	if err != nil {
		return nil, err
	}
	return &Explanation{Item: p.model.ItemIDs[i], Name: p.model.ItemNames[i], Score: why.Score, Strength: why.Strength, Chance: orNaN(why.Chance), Odds: why.Odds,
		Taste: p.model.parts(why.Taste, list), Interest: p.model.parts(why.Interest, list)}, nil
}

func (m *Model) parts(e *rank.Explanation, list osm.List) *Parts {
	if e == nil {
		return nil
	}
	parts := &Parts{Score: e.Score, Base: e.Base, Ties: e.Ties, Rest: e.Rest, Approximate: e.Approximate, Placed: []Part{}}
	for _, k := range e.Largest() {
		i := list.Items[k]
		parts.Placed = append(parts.Placed, Part{Item: m.ItemIDs[i], Name: m.ItemNames[i], Tier: list.Order.BlockOf(k) + 1, Value: e.Parts[k]})
	}
	return parts
}

// Embedding is the person as a vector: the posterior mean of the hidden units.
func (p *Person) Embedding() ([]float64, error) {
	space, err := p.model.Space()
	if err != nil {
		return nil, err
	}
	return space.Fold(p.known)
}

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

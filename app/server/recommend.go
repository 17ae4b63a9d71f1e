package server

import (
	"context"
	"errors"
	"fmt"

	"fubini"
	"fubini/app/gate"
	"fubini/app/recommend"
	"fubini/learn/modelstore"
	"fubini/use/odds"
)

type recommendInput struct {
	Body struct {
		Tiers
		N          int     `json:"n,omitempty" minimum:"1" maximum:"10000" default:"10" doc:"How many items"`
		Exclude    ids     `json:"exclude,omitempty" doc:"Items to leave out; ids that the model does not know are ignored"`
		Only       ids     `json:"only,omitempty" doc:"Recommend only these items; empty means all"`
		MinSupport *int    `json:"min_support,omitempty" minimum:"0" maximum:"1000000000" default:"5" doc:"Ratings that an item must have had"`
		Novelty    float64 `json:"novelty,omitempty" minimum:"0" maximum:"1000" doc:"Prefer less popular items, the more the larger: this times log(1 + ratings of the item) is subtracted from its score"`
		Aim        string  `json:"aim,omitempty" enum:"taste,balanced,interest" doc:"Order by taste, how the person would place an item; by interest, whether they would pick it; or balanced, by both. Default: balanced, if the model has both and its interest is informative"`
	}
}

type recommendOutputBody struct {
	Items     []recommendedItem `json:"items"`
	TiersUsed []int             `json:"tiers_used" doc:"Tiers as sent, counted from 0, that hold an item the model knows; odds are about these"`
	Unknown   []string          `json:"unknown" doc:"Placed items that the model does not know"`
	General   bool              `json:"general" doc:"Nothing known was placed: the order is everybody's"`
	Aim       string            `json:"aim" enum:"taste,balanced,interest" doc:"What the items are ordered by"`
	Model     string            `json:"model" doc:"Id of the model that answered"`
}

type recommendedItem struct {
	Rank    int     `json:"rank" doc:"1 for the best"`
	Item    string  `json:"item"`
	Name    string  `json:"name"`
	Score   float64 `json:"score"`
	Support uint32  `json:"support" doc:"Ratings that the model learned from"`
	Odds
	Interest *float64 `json:"interest" doc:"Probability that the person would pick the item, whatever its tier; null for a model of taste alone"`
}

// Odds is the probability of every place that an item may have among the tiers used.
type Odds struct {
	Tier      *int      `json:"tier" doc:"The tier it most likely belongs in, 1 for the first of those used; null where there is none"`
	TierProbs []float64 `json:"tier_probs" doc:"Odds of standing in each of the tiers used; empty for a model without odds"`
	GapProbs  []float64 `json:"gap_probs" doc:"Odds of a tier of its own above, between and below them; together with tier_probs 1"`
	// Among the person's items.
	ExpectedRank *float64  `json:"expected_rank" doc:"Mean rank among the placed items, 1 for the best; null where there are none"`
	RankInterval []float64 `json:"rank_interval" doc:"Lowest and highest rank that hold it with a probability of 80 % or more; empty where nothing is placed"`
}

func oddsOf(o *odds.Odds) Odds {
	if o == nil { // not an Ordered Set Model
		return Odds{TierProbs: []float64{}, GapProbs: []float64{}, RankInterval: []float64{}}
	}
	body := Odds{TierProbs: o.Tiers, GapProbs: o.Gaps, RankInterval: []float64{}}
	if t := o.Tier(); t >= 0 {
		t++
		body.Tier, body.ExpectedRank, body.RankInterval = &t, &o.Rank, []float64{o.Low, o.High}
	}
	return body
}

func (s *Server) recommend(ctx context.Context, in *recommendInput) (*recommendOutputBody, error) {
	m := s.model.Load()
	p, reading, err := m.read(in.Body.Tiers)
	if err != nil {
		return nil, err
	}
	used := reading.TiersUsed
	n := min(in.Body.N, len(m.saved.ItemIDs)-p.Known.Len())
	if numbers := n * (2*len(used) + 1); numbers > mostOdds {
		return nil, gate.Invalid(&gate.Fault{
			Message:  fmt.Sprintf("odds of %d items in %d tiers are %d numbers; at most %d fit an answer: ask for fewer items", n, len(used), numbers, mostOdds),
			Location: "body.n", Value: in.Body.N,
		})
	}
	rules := recommend.Rules{Count: n, Odds: true, Support: *in.Body.MinSupport, Novelty: in.Body.Novelty, Exclude: m.known(in.Body.Exclude)}
	if len(in.Body.Only) > 0 {
		rules.Only = append([]int{}, m.known(in.Body.Only)...) // not nil, though none may be known
	}
	if effort(n, p.Known.Len(), len(used)) > wideFrom {
		leave, err := s.Wide(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	person := m.saved.Folded(p, nil)
	answering, err := under(person, rules, in.Body.Aim)
	if err != nil {
		return nil, err
	}
	rows, err := person.Rank(ctx, answering)
	if err != nil {
		return nil, err
	}
	items := make([]recommendedItem, len(rows))
	for k, each := range rows {
		items[k] = recommendedItem{
			Rank: each.Rank, Item: m.saved.ItemIDs[each.Item], Name: m.saved.ItemNames[each.Item], Score: each.Score,
			Support: m.saved.Seen[each.Item], Odds: oddsOf(each.Odds), Interest: each.Interest,
		}
	}
	return &recommendOutputBody{Items: items, TiersUsed: used, Unknown: reading.Unknown, General: p.Known.Len() == 0, Aim: answering.Aim.String(), Model: m.id}, nil
}

// under is the recommender of a person with the rules and the aim of a request, by name.
func under(person *fubini.Person, rules recommend.Rules, aim string) (*recommend.Recommender, error) {
	var err error
	if rules.Aim, err = modelstore.ParseAim(aim); err != nil {
		return nil, gate.Invalid(&gate.Fault{Message: err.Error(), Location: "body.aim", Value: aim})
	}
	r, err := person.Recommender(rules)
	if errors.Is(err, modelstore.ErrNoInterest) || errors.Is(err, modelstore.ErrNoTaste) {
		return nil, gate.Invalid(&gate.Fault{Message: err.Error(), Location: "body.aim", Value: aim})
	}
	return r, err
}

// effort is about the time that odds of n items take, in fifths of a microsecond: each is inserted into a copy of the
// list, and weighed in every slot.
func effort(n, placed, tiers int) int { return n * (40 + placed + 2*tiers) }

// known are the numbers of the items that the model has.
func (m *served) known(items ids) (numbers []int) {
	for _, id := range items {
		if i, there := m.finder.Sure(id); there {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

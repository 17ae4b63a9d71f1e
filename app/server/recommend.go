package server

import (
	"context"
	"fmt"

	"fubini/app/gate"
	"fubini/app/recommend"
	"fubini/model"
	"fubini/use/odds"
)

type recommendInput struct {
	Body struct {
		Tiers
		N          int     `json:"n,omitempty" minimum:"1" maximum:"10000" default:"10" doc:"How many items"`
		Exclude    ids     `json:"exclude,omitempty" doc:"Items to leave out; ids that the model does not know are ignored"`
		Only       ids     `json:"only,omitempty" doc:"Recommend only these items; empty means all"`
		MinSupport *int    `json:"min_support,omitempty" minimum:"0" maximum:"1000000000" default:"5" doc:"Ratings that an item must have had"`
		Novelty    float64 `json:"novelty,omitempty" minimum:"0" maximum:"1000" doc:"Prefer less popular items, the more the larger: this times the log of an item's ratings is subtracted from its score"`
	}
}

type recommendOutputBody struct {
	Items     []recommendedItem `json:"items"`
	TiersUsed []int             `json:"tiers_used" doc:"Tiers as sent, counted from 0, that hold an item the model knows; odds are about these"`
	Unknown   []string          `json:"unknown" doc:"Placed items that the model does not know"`
	General   bool              `json:"general" doc:"Nothing known was placed: the order is everybody's"`
	Model     string            `json:"model" doc:"Id of the model that answered"`
}

type recommendedItem struct {
	Rank    int     `json:"rank" doc:"1 for the best"`
	Item    string  `json:"item"`
	Name    string  `json:"name"`
	Score   float64 `json:"score"`
	Support uint32  `json:"support" doc:"Ratings that the model learned from"`
	Odds
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
	answers, err := m.recommender.Under(rules).Answer(ctx, []model.Person{p}, &recommend.Scratch{})
	if err != nil {
		return nil, err
	}
	items := make([]recommendedItem, len(answers[0]))
	for k, each := range answers[0] {
		items[k] = recommendedItem{
			Rank: each.Rank, Item: m.saved.ItemIDs[each.Item], Name: m.saved.ItemNames[each.Item], Score: each.Score,
			Support: m.saved.Seen[each.Item], Odds: oddsOf(each.Odds),
		}
	}
	return &recommendOutputBody{Items: items, TiersUsed: used, Unknown: reading.Unknown, General: p.Known.Len() == 0, Model: m.id}, nil
}

// effort is about the time that odds of n items take, in fifths of a microsecond: each is inserted into a copy of the
// list, and weighed in every slot.
func effort(n, placed, tiers int) int { return n * (40 + placed + 2*tiers) }

// known are the numbers of the items that the model has.
func (m *served) known(items ids) (numbers []int) {
	for _, id := range items {
		if i, there := m.saved.Find(id); there {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

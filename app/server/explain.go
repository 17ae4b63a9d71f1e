package server

import (
	"context"
	"net/http"

	"fubini/app/gate"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/model/osm"
	"fubini/use/odds"
	"fubini/use/rank"
)

type explainInput struct {
	Body struct {
		Tiers
		Item string `json:"item" minLength:"1" maxLength:"200" doc:"Item to explain; if it is among the tiers, it is explained by the others"`
	}
}

type explainOutputBody struct {
	Item        string        `json:"item"`
	Name        string        `json:"name"`
	Score       float64       `json:"score"`
	Base        float64       `json:"base" doc:"What everybody gives the item"`
	Ties        float64       `json:"ties" doc:"What the number of ties in the list adds"`
	Rest        float64       `json:"rest" doc:"Joint effect of placements, in models whose score is no sum of parts"`
	Parts       []explainPart `json:"parts" doc:"What each placement adds, the largest first, up or down"`
	Sum         float64       `json:"sum" doc:"base + ties + rest + parts: the score"`
	Approximate bool          `json:"approximate" doc:"The units are not linear: parts are shares of what each unit changed"`
	Interest    *whyInterest  `json:"interest" doc:"Why the person would pick the item; null for a model of taste alone"`
	Balanced    *whyBalanced  `json:"balanced" doc:"How interest and taste make the score of the aim balanced; null for a model that lacks one of them"`
	Odds
	Reading
}

// whyInterest is the decomposition of the score of interest.
type whyInterest struct {
	_           struct{}      `nullable:"true"`
	Score       float64       `json:"score"`
	Base        float64       `json:"base" doc:"The score for a person of whom nothing is known"`
	Parts       []explainPart `json:"parts" doc:"What each placement adds, the largest first, up or down"`
	Sum         float64       `json:"sum" doc:"base + parts: the score"`
	Probability *float64      `json:"probability" doc:"That the person would pick the item; null where it is not known"`
}

// whyBalanced is how the score to recommend by is made.
type whyBalanced struct {
	_        struct{} `nullable:"true"`
	Score    float64  `json:"score" doc:"log(interest.score) + strength * score, where score is that of taste and the logarithm is continued by its tangent below 0.001"`
	Strength float64  `json:"strength"`
}

type explainPart struct {
	Item string  `json:"item"`
	Name string  `json:"name"`
	Tier int     `json:"tier" doc:"Where the person placed it, 1 for the first tier used"`
	Part float64 `json:"part"`
}

func (s *Server) explain(_ context.Context, in *explainInput) (*explainOutputBody, error) {
	m := s.model.Load()
	p, reading, err := m.read(in.Body.Tiers)
	if err != nil {
		return nil, err
	}
	item, known := m.saved.Find(in.Body.Item)
	if !known {
		return nil, gate.Invalid(&gate.Fault{Message: unknownItem, Location: "body.item", Value: in.Body.Item})
	}
	p = p.Without(uint32(item))
	why, found, err := m.why(p, item)
	if err != nil {
		return nil, err
	}
	list, err := osm.ListOf(p.Known)
	if err != nil {
		return nil, err
	}
	reading.TiersUsed = tiersUsed(p)
	b := &explainOutputBody{
		Item: m.saved.ItemIDs[item], Name: m.saved.ItemNames[item], Score: why.Score, Base: why.Base, Ties: why.Ties, Rest: why.Rest, Approximate: why.Approximate,
		Sum: why.Base + why.Ties + why.Rest, Odds: oddsOf(found), Reading: reading,
	}
	for _, part := range why.Parts {
		b.Sum += part
	}
	b.Parts = m.parts(list, why)
	whole := modelstore.Whole{Taste: &why}
	if !m.saved.HasTaste() {
		whole.Taste = nil
	}
	if err := m.saved.ExplainInterest(p, item, &whole); err != nil {
		return nil, err
	}
	if e := whole.Interest; e != nil {
		b.Interest = &whyInterest{Score: e.Score, Base: e.Base, Sum: e.Score, Parts: m.parts(list, *e), Probability: whole.Chance}
		if whole.Taste != nil {
			b.Balanced = &whyBalanced{Score: whole.Score, Strength: whole.Strength}
		}
	}
	return b, nil
}

// parts are the contributions of placements, the largest first.
func (m *served) parts(list osm.List, e rank.Explanation) []explainPart {
	parts := make([]explainPart, 0, len(e.Parts))
	for _, k := range e.Largest() {
		i := list.Items[k]
		parts = append(parts, explainPart{m.saved.ItemIDs[i], m.saved.ItemNames[i], list.Order.BlockOf(k) + 1, e.Parts[k]})
	}
	return parts
}

// why is the explanation of an item, and its odds if the model has any: both from the person folded in once.
func (m *served) why(p model.Person, item int) (rank.Explanation, *odds.Odds, error) {
	if m.catalogue == nil {
		why, err := m.saved.Explain(p, item)
		if err != nil { // too long a list for a model that is explained by leaving out placements
			err = gate.NewProblem(http.StatusConflict, err.Error())
		}
		return why, nil, err
	}
	placer, err := m.recommender.Placer(p)
	if err != nil {
		return rank.Explanation{}, nil, err
	}
	why, err := placer.Explain(item)
	found := placer.Place(item)
	return why, &found, err
}

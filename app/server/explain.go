package server

import (
	"context"
	"math"
	"net/http"

	"fubini"
	"fubini/app/gate"
)

type explainInput struct {
	Body struct {
		Tiers
		Item string `json:"item" minLength:"1" maxLength:"200" doc:"Item to explain, by its id or title; if it is among the tiers, it is explained by the others"`
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
	Base        float64       `json:"base" doc:"0; only of an empty list the score of an average person"`
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
	item, known := m.finder.Sure(in.Body.Item)
	if !known {
		return nil, gate.Invalid(&gate.Fault{Message: unknownItem, Location: "body.item", Value: in.Body.Item})
	}
	p = p.Without(uint32(item))
	why, err := m.saved.Folded(p, nil).ExplainItem(item)
	if err != nil && m.catalogue == nil { // too long a list for a model that is explained by leaving out placements
		err = gate.NewProblem(http.StatusConflict, err.Error())
	}
	if err != nil {
		return nil, err
	}
	reading.TiersUsed = tiersUsed(p)
	whole := why.Taste
	if whole == nil {
		whole = why.Interest // the only score of a model of picks
	}
	b := &explainOutputBody{
		Item: why.Item, Name: why.Name, Score: whole.Score, Base: whole.Base, Ties: whole.Ties, Rest: whole.Rest, Approximate: whole.Approximate,
		Sum: whole.Base + whole.Ties + whole.Rest, Parts: partsOf(whole), Odds: oddsOf(why.Odds), Reading: reading,
	}
	for _, each := range b.Parts {
		b.Sum += each.Part
	}
	if e := why.Interest; e != nil {
		b.Interest = &whyInterest{Score: e.Score, Base: e.Base, Sum: e.Score, Parts: partsOf(e)}
		if !math.IsNaN(why.Chance) {
			b.Interest.Probability = &why.Chance
		}
		if why.Taste != nil {
			b.Balanced = &whyBalanced{Score: why.Score, Strength: why.Strength}
		}
	}
	return b, nil
}

// partsOf are the contributions of placements, the largest first.
func partsOf(e *fubini.Parts) []explainPart {
	parts := make([]explainPart, len(e.Placed))
	for k, each := range e.Placed {
		parts[k] = explainPart{each.Item, each.Name, each.Tier, each.Value}
	}
	return parts
}

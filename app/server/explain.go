package server

import (
	"context"
	"net/http"

	"fubini/app/gate"
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
	Odds
	Reading
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
		Sum: why.Base + why.Ties + why.Rest, Odds: oddsOf(found), Reading: reading, Parts: make([]explainPart, 0, len(why.Parts)),
	}
	for _, part := range why.Parts {
		b.Sum += part
	}
	for _, k := range why.Largest() {
		i := list.Items[k]
		b.Parts = append(b.Parts, explainPart{m.saved.ItemIDs[i], m.saved.ItemNames[i], list.Order.BlockOf(k) + 1, why.Parts[k]})
	}
	return b, nil
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

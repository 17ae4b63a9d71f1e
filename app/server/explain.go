package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

type explainInput struct {
	Body struct {
		Tiers
		Item string `json:"item" minLength:"1" maxLength:"200" doc:"Item to explain; if it is among the tiers, it is explained by the others"`
	}
}

type explainOutput struct {
	Body struct {
		Item        string        `json:"item"`
		Name        string        `json:"name"`
		Score       float64       `json:"score"`
		Base        float64       `json:"base" doc:"What everybody gives the item"`
		Ties        float64       `json:"ties" doc:"What the number of ties in the list adds"`
		Parts       []explainPart `json:"parts" doc:"What each placement adds, the largest first, up or down"`
		Sum         float64       `json:"sum" doc:"base + ties + parts: the score"`
		Approximate bool          `json:"approximate" doc:"The units are not linear: parts are shares of what each unit changed"`
		Odds
		TiersUsed []int    `json:"tiers_used" doc:"Tiers as sent, counted from 0, that hold an item the model knows"`
		Unknown   []string `json:"unknown" doc:"Placed items that the model does not know"`
		Model     string   `json:"model" doc:"Id of the model that answered"`
	}
}

type explainPart struct {
	Item string  `json:"item"`
	Name string  `json:"name"`
	Tier int     `json:"tier" doc:"Where the person placed it, 1 for the first tier used"`
	Part float64 `json:"part"`
}

func (s *Server) routeExplain(api huma.API) {
	huma.Register(api, s.operation(huma.Operation{
		OperationID: "explain", Method: http.MethodPost, Path: "/v1/explain",
		Summary:     "Tell which placements moved an item up or down",
		Description: "Takes the score of an item apart: a base, and a part for each of the person's own placements. They sum to the score.",
		Tags:        []string{"people"},
	}, readScope), s.explain)
}

func (s *Server) explain(ctx context.Context, in *explainInput) (*explainOutput, error) {
	m := s.model.Load()
	p, unknown, fault := m.read(in.Body.Tiers)
	if fault != nil {
		return nil, fault
	}
	item, fault := m.find(in.Body.Item, "body.item")
	if fault != nil {
		return nil, fault
	}
	p = p.Without(uint32(item))
	placer, err := m.recommender.Placer(p)
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	why, err := placer.Explain(item)
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	out := &explainOutput{}
	b := &out.Body
	b.Item, b.Name, b.Score, b.Base, b.Ties, b.Approximate = m.saved.ItemIDs[item], m.saved.ItemNames[item], why.Score, why.Base, why.Ties, why.Approximate
	b.Odds, b.TiersUsed, b.Unknown, b.Model = oddsOf(placer.Place(item)), tiersUsed(p), unknown, m.id
	b.Sum = why.Base + why.Ties
	for _, part := range why.Parts {
		b.Sum += part
	}
	b.Parts = make([]explainPart, 0, len(why.Parts))
	for _, k := range why.Largest() {
		i := placer.List.Items[k]
		b.Parts = append(b.Parts, explainPart{m.saved.ItemIDs[i], m.saved.ItemNames[i], placer.List.Order.BlockOf(k) + 1, why.Parts[k]})
	}
	return out, nil
}

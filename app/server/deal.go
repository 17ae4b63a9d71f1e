package server

import (
	"context"
	"net/http"

	"fubini/app/gate"
	"fubini/core/rng"
)

type dealInput struct {
	Body struct {
		Tiers
		Exclude ids `json:"exclude,omitempty" doc:"Items not to be asked about: those that the person does not know, or has put aside; ids that the model does not know are ignored"`
		N       int `json:"n,omitempty" minimum:"1" maximum:"150" default:"1" doc:"How many items, the best first"`
	}
}

type dealOutputBody struct {
	Items  []dealtItem `json:"items" doc:"What to ask about next, the best first; empty when nothing is left"`
	People int         `json:"people" doc:"People that the model learned from"`
	Reading
}

type dealtItem struct {
	ItemBody
	Known       float64 `json:"known" minimum:"0" maximum:"1" doc:"Probability that the person knows the item: of a pick, or the share of people who have it"`
	Information float64 `json:"information" minimum:"0" doc:"Expected information of the answer on the person's taste, in nats"`
}

// deal chooses the items that a person is asked about. The draws behind it are the same for the same tiers.
func (s *Server) deal(_ context.Context, in *dealInput) (*dealOutputBody, error) {
	m := s.model.Load()
	p, reading, err := m.read(in.Body.Tiers)
	if err != nil {
		return nil, err
	}
	if m.catalogue == nil || m.catalogue.K == 0 {
		return nil, gate.NewProblem(http.StatusConflict, "a model "+m.saved.Name+" has no hidden units, which an answer could tell of; GET /v1/items lists the best-known items first")
	}
	cards, err := m.saved.Deal(p, m.known(in.Body.Exclude), rng.Stream(1, "deal"))
	if err != nil {
		return nil, err
	}
	b := &dealOutputBody{Items: []dealtItem{}, People: m.saved.Users, Reading: reading}
	for _, card := range cards[:min(in.Body.N, len(cards))] {
		b.Items = append(b.Items, dealtItem{m.itemBody(card.Item), card.Known, card.Information})
	}
	return b, nil
}

package server

import (
	"context"
	"net/http"

	"fubini/app/gate"
	"fubini/use/deal"
)

type dealInput struct {
	Body struct {
		Tiers
		Exclude ids `json:"exclude,omitempty" doc:"Items not to be asked about: those that the person does not know, or has put aside; ids that the model does not know are ignored"`
		Newest  ids `json:"newest,omitempty" maxItems:"10" doc:"The newest answers, three say: moved and enough are of these"`
		N       int `json:"n,omitempty" minimum:"1" maximum:"150" default:"1" doc:"How many items, the best first"`
	}
}

type dealOutputBody struct {
	Items  []dealtItem `json:"items" doc:"What to ask about next, the best first; empty when nothing is left"`
	People int         `json:"people" doc:"People that the model learned from"`
	Moved  *float64    `json:"moved,omitempty" minimum:"0" maximum:"1" doc:"How far the newest answers moved guesses: the mean total variation of the odds of the tiers, over the best-known items; 1 where there are no other answers"`
	Enough bool        `json:"enough" doc:"Whether guesses have settled, so that the questions may end: after five answers at least and fifteen at most"`
	Reading
}

type dealtItem struct {
	ItemBody
	Known       float64 `json:"known" minimum:"0" maximum:"1" doc:"Share of people who have the item"`
	Information float64 `json:"information" minimum:"0" doc:"Expected information of the answer, in nats: the entropy of the item's place among the person's tiers"`
}

// deal chooses the items that a person is asked about.
func (s *Server) deal(_ context.Context, in *dealInput) (*dealOutputBody, error) {
	m := s.model.Load()
	p, reading, err := m.read(in.Body.Tiers)
	if err != nil {
		return nil, err
	}
	if m.catalogue == nil || m.catalogue.K == 0 {
		return nil, gate.NewProblem(http.StatusConflict, "a model "+m.saved.Name+" has no hidden units, which an answer could tell of; GET /v1/items lists the best-known items first")
	}
	cards, err := m.saved.Deal(p, m.known(in.Body.Exclude))
	if err != nil {
		return nil, err
	}
	b := &dealOutputBody{Items: []dealtItem{}, People: m.saved.Users, Reading: reading}
	if newest := m.known(in.Body.Newest); len(newest) > 0 {
		levels := make([]float32, len(in.Body.Tiers.Tiers))
		for t := range levels {
			levels[t] = float32(-t) // as placed.go reads them
		}
		moved, err := m.saved.Moved(p, levels, newest)
		if err != nil {
			return nil, err
		}
		b.Moved, b.Enough = &moved, deal.Enough(p.Known.Len(), moved)
	}
	for _, card := range cards[:min(in.Body.N, len(cards))] {
		b.Items = append(b.Items, dealtItem{m.itemBody(card.Item), card.Known, card.Information})
	}
	return b, nil
}

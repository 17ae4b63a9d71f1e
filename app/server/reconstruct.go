package server

import (
	"context"
	"net/http"

	"fubini/app/gate"
	"fubini/core/partition"
	"fubini/use/rank"
)

type reconstructInput struct {
	Body struct{ Tiers }
}

type reconstructOutputBody struct {
	Taste    []float64     `json:"taste" doc:"Posterior means of the hidden units"`
	Items    []rebuiltItem `json:"items" doc:"The placed items, in the order rebuilt from the taste alone"`
	Distance float64       `json:"distance" doc:"Share of the pairs whose relation came back different"`
	Reading
}

type rebuiltItem struct {
	Item  string  `json:"item"`
	Name  string  `json:"name"`
	Tier  int     `json:"tier" doc:"Where the person placed it, 1 for the first tier used"`
	Score float64 `json:"score"`
	Rank  int     `json:"rank" doc:"In the rebuilt order, 1 for the best"`
}

func (s *Server) reconstruct(_ context.Context, in *reconstructInput) (*reconstructOutputBody, error) {
	m := s.model.Load()
	p, reading, err := m.read(in.Body.Tiers)
	if err != nil {
		return nil, err
	}
	if m.catalogue == nil {
		return nil, gate.NewProblem(http.StatusConflict, "a model "+m.saved.Name+" has no hidden units to rebuild an order from")
	}
	folded, err := rank.Read(m.catalogue, p)
	if err != nil {
		return nil, err
	}
	b := &reconstructOutputBody{Items: []rebuiltItem{}, Taste: folded.Embedding, Reading: reading}
	if p.Known.Len() == 0 {
		return b, nil
	}
	list := folded.List
	scores, order, err := rank.Reconstruct(m.catalogue, folded.Embedding, list.Items)
	if err != nil {
		return nil, err
	}
	if len(list.Items) > 1 {
		b.Distance = partition.Distance(order, list.Order)
	}
	for _, k := range rank.Best(scores, len(scores)) {
		i := list.Items[k]
		b.Items = append(b.Items, rebuiltItem{m.saved.ItemIDs[i], m.saved.ItemNames[i], list.Order.BlockOf(k) + 1, scores[k], order.BlockOf(k) + 1})
	}
	return b, nil
}

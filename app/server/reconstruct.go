package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"fubini/core/partition"
	"fubini/use/rank"
)

type reconstructInput struct {
	Body struct{ Tiers }
}

type reconstructOutput struct {
	Body struct {
		Taste     []float64     `json:"taste" doc:"Posterior means of the hidden units"`
		Items     []rebuiltItem `json:"items" doc:"The placed items, in the order rebuilt from the taste alone"`
		Distance  float64       `json:"distance" doc:"Share of the pairs whose relation came back different"`
		TiersUsed []int         `json:"tiers_used" doc:"Tiers as sent, counted from 0, that hold an item the model knows"`
		Unknown   []string      `json:"unknown" doc:"Placed items that the model does not know"`
		Model     string        `json:"model" doc:"Id of the model that answered"`
	}
}

type rebuiltItem struct {
	Item  string  `json:"item"`
	Name  string  `json:"name"`
	Tier  int     `json:"tier" doc:"Where the person placed it, 1 for the first tier used"`
	Score float64 `json:"score"`
	Rank  int     `json:"rank" doc:"In the rebuilt order, 1 for the best"`
}

func (s *Server) routeReconstruct(api huma.API) {
	huma.Register(api, s.operation(huma.Operation{
		OperationID: "reconstruct", Method: http.MethodPost, Path: "/v1/reconstruct",
		Summary:     "Rebuild a tier list from its posterior vector alone",
		Description: "Folds the tiers into the model and orders their items by the posterior vector alone: what the hidden units kept of the list.",
		Tags:        []string{"people"},
	}, readScope), s.reconstruct)
}

func (s *Server) reconstruct(ctx context.Context, in *reconstructInput) (*reconstructOutput, error) {
	m := s.model.Load()
	p, unknown, fault := m.read(in.Body.Tiers)
	if fault != nil {
		return nil, fault
	}
	out := &reconstructOutput{}
	b := &out.Body
	b.Items, b.TiersUsed, b.Unknown, b.Model = []rebuiltItem{}, tiersUsed(p), unknown, m.id
	folded, err := rank.Read(m.catalogue, p)
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	if b.Taste = folded.Embedding; p.Known.Len() == 0 {
		return out, nil
	}
	list := folded.List
	scores, order, err := rank.Reconstruct(m.catalogue, folded.Embedding, list.Items)
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	if len(list.Items) > 1 {
		b.Distance = partition.Distance(order, list.Order)
	}
	for _, k := range rank.Best(scores, len(scores)) {
		i := list.Items[k]
		b.Items = append(b.Items, rebuiltItem{m.saved.ItemIDs[i], m.saved.ItemNames[i], list.Order.BlockOf(k) + 1, scores[k], order.BlockOf(k) + 1})
	}
	return out, nil
}

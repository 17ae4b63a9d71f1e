package server

import (
	"context"
	"net/http"

	"fubini/app/gate"
	"fubini/use/maps"
)

// ringHolds is the probability of the ring around the person.
const ringHolds = 0.8

type embedInput struct {
	Body struct {
		Tiers
		Items  *int  `json:"items,omitempty" minimum:"0" maximum:"2000" default:"2000" doc:"Most items in the answer; those placed come beside them. Where items stand hangs on the model alone: who has them asks for 0"`
		Placed *bool `json:"placed,omitempty" default:"true" doc:"Whether the placed items are in the answer"`
	}
}

type embedOutputBody struct {
	Person     maps.Point `json:"person" doc:"Where the person stands: in the middle of the items that they prefer"`
	Ring       maps.Ring  `json:"ring" doc:"Ellipse that holds the person's true place with a probability of 80 %: its middle, half its axes, and the angle of the first in degrees from the x axis towards the y axis"`
	Items      []mapItem  `json:"items" doc:"The most rated ones, and all that the person placed"`
	Regions    []region   `json:"regions" doc:"Parts of the map, the largest first, each with an item that stands for it; empty if items is 0"`
	Kept       float64    `json:"kept" minimum:"0" maximum:"1" doc:"Share of the variance of items that the map shows"`
	Directions int        `json:"directions" doc:"Of the map"`
	Of         int        `json:"of" doc:"Directions that there are: hidden units"`
	Reading
}

type mapItem struct {
	Item string  `json:"item"`
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
}

func (s *Server) embed(_ context.Context, in *embedInput) (*embedOutputBody, error) {
	m := s.model.Load()
	p, reading, err := m.read(in.Body.Tiers)
	if err != nil {
		return nil, err
	}
	if m.places == nil {
		return nil, m.noMap()
	}
	b := &embedOutputBody{Reading: reading, Kept: m.places.Kept()}
	if b.Person, b.Ring, err = m.places.Person(p, ringHolds); err != nil {
		return nil, err
	}
	b.Directions, b.Of = m.places.Directions()
	shown := make(map[int]bool, p.Known.Len())
	most := min(*in.Body.Items, mostOnMap)
	b.Regions = m.regions
	if most == 0 {
		b.Regions = []region{}
	}
	items := make([]int, 0, p.Known.Len()+most)
	if *in.Body.Placed {
		for _, i := range p.Known.Items {
			items = append(items, int(i))
		}
	}
	b.Items = make([]mapItem, 0, cap(items))
	for k, i := range append(items, m.index.Order[:min(mostOnMap, len(m.index.Order))]...) {
		if k >= len(items) && len(b.Items) >= most {
			break
		}
		if !shown[i] {
			shown[i] = true
			at := m.places.Item(i)
			b.Items = append(b.Items, mapItem{m.saved.ItemIDs[i], at.X, at.Y})
		}
	}
	return b, nil
}

// noMap says why a model without hidden units has no map, and what it has.
func (m *served) noMap() error {
	has := "scores of taste alone"
	switch {
	case !m.saved.HasTaste():
		has = "interest alone, which is what people pick"
	case m.saved.Interest != nil:
		has = "interest and scores of taste"
	}
	return gate.NewProblem(http.StatusConflict, "a model "+m.saved.Name+" has no hidden units, in whose directions a map shows people and items; it has "+has+", which /v1/recommend and /v1/explain answer from")
}

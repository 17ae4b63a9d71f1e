package server

import (
	"context"
	"fmt"
	"net/http"

	"fubini/app/gate"
	"fubini/app/group"
)

type togetherInput struct {
	Body struct {
		Lists   []Tiers `json:"lists" minItems:"2" maxItems:"8" doc:"The tier lists of the people, each as in /v1/recommend"`
		Exclude ids     `json:"exclude,omitempty" doc:"Items to leave out of what would please all; ids that the model does not know are ignored"`
		N       int     `json:"n,omitempty" minimum:"1" maximum:"100" default:"10" doc:"How many items that would please all"`
	}
}

type togetherOutputBody struct {
	Common []commonItem   `json:"common" doc:"One list of all, the best first: up to 40 items that most people placed"`
	Please []pleasingItem `json:"please" doc:"Items that nobody placed, by the probability that everybody would put them in their second tier or higher; empty for a model without odds"`
	Level  float64        `json:"level" doc:"Probability of the intervals"`
	Model  string         `json:"model" doc:"Id of the model that answered"`
}

type commonItem struct {
	Item string  `json:"item"`
	Name string  `json:"name"`
	At   float64 `json:"at" minimum:"0" maximum:"1" doc:"Where the lists agree best, from 0, the best tier, to 1, the worst: worths by fubini fit, on the scale of tiers"`
	Low  float64 `json:"low" minimum:"0" maximum:"1" doc:"Interval, its better end"`
	High float64 `json:"high" minimum:"0" maximum:"1"`
	Said []int   `json:"said" doc:"Tier of each person, from 0; -1 where they did not place it"`
}

type pleasingItem struct {
	Item string    `json:"item"`
	Name string    `json:"name"`
	Each []float64 `json:"each" doc:"Probability that each person would put it in their second tier or higher"`
	All  float64   `json:"all" doc:"That all would: the product, as people are independent given the model"`
}

// groupLevel is the probability of the intervals of a common list: few lists leave wide ones.
const groupLevel = 0.8

func (s *Server) together(ctx context.Context, in *togetherInput) (*togetherOutputBody, error) {
	m := s.model.Load()
	lists := make([][][]string, len(in.Body.Lists))
	members := make([]group.Member, len(in.Body.Lists))
	for u, list := range in.Body.Lists {
		p, reading, err := m.read(list)
		if err != nil {
			return nil, err
		}
		members[u] = group.Member{Person: p, Used: reading.TiersUsed}
		if p.Known.Len() == 0 {
			return nil, gate.Invalid(&gate.Fault{Message: "has no item that the model knows", Location: fmt.Sprintf("body.lists[%d].tiers", u)})
		}
		for _, tier := range list.Tiers {
			var known []string
			for _, i := range m.known(ids(tier)) {
				known = append(known, m.saved.ItemIDs[i])
			}
			lists[u] = append(lists[u], known)
		}
	}
	leave, err := s.Wide(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	rows, err := group.Common(ctx, lists, groupLevel)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, gate.NewProblem(http.StatusConflict, "the lists have no common order: "+err.Error())
	}
	b := &togetherOutputBody{Common: []commonItem{}, Please: []pleasingItem{}, Level: groupLevel, Model: m.id}
	for _, r := range rows {
		i, _ := m.saved.Find(r.Item)
		b.Common = append(b.Common, commonItem{r.Item, m.saved.ItemNames[i], r.At, r.Low, r.High, r.Said})
	}
	if m.catalogue == nil {
		return b, nil
	}
	found, err := group.Please(m.saved, members, m.known(in.Body.Exclude), in.Body.N)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		b.Please = append(b.Please, pleasingItem{m.saved.ItemIDs[p.Item], m.saved.ItemNames[p.Item], p.Each, p.All})
	}
	return b, nil
}

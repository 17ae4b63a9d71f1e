package server

import (
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/gate"
	"fubini/app/recommend"
	"fubini/model"
)

// tier is one tier of a list: ids of items. ids are the ids of some items.
type (
	tier []string
	ids  []string
)

// Schema implements [huma.SchemaProvider]: the limits on a tier, for which a field of lists has no tags.
func (tier) Schema(huma.Registry) *huma.Schema { return idsSchema(mostPlaced) }

// Schema implements [huma.SchemaProvider].
func (ids) Schema(huma.Registry) *huma.Schema { return idsSchema(mostItems) }

func idsSchema(most int) *huma.Schema {
	shortest, longest := 1, mostID
	item := &huma.Schema{Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest, Description: "Id of an item"}
	return &huma.Schema{Type: huma.TypeArray, MaxItems: &most, Items: item}
}

// Tiers are a person's preferences, the part that all bodies about a person share.
type Tiers struct {
	Tiers     []tier `json:"tiers" maxItems:"1000" doc:"Tiers of the person, best first, each with the ids of its items. Tiers may be empty; an item stands in one place."`
	OnUnknown string `json:"on_unknown,omitempty" enum:"ignore,error" default:"ignore" doc:"What becomes of items that the model does not know: ignored and listed in unknown, or an error"`
}

// Reading is the part of an answer with the tiers and items that the model used.
type Reading struct {
	TiersUsed []int    `json:"tiers_used" doc:"Tiers as sent, counted from 0, that hold an item the model knows"`
	Unknown   []string `json:"unknown" doc:"Placed items that the model does not know"`
	Model     string   `json:"model" doc:"Id of the model that answered"`
}

const (
	unknownItem = "the model has no such item; GET /v1/items lists those it has"
	twoPlaces   = "the item stands in two places; it may stand in one"
)

// read turns tiers into a person's preferences. The value of an item is minus the number of its tier, from 0. Faults
// name their place in the body.
func (m *served) read(t Tiers) (p model.Person, reading Reading, err error) {
	if m.recommender == nil {
		return p, reading, gate.NewProblem(http.StatusUnprocessableEntity, recommend.ErrSpace.Error())
	}
	total := 0
	for _, each := range t.Tiers {
		total += len(each)
	}
	if total > mostPlaced {
		return p, reading, gate.Invalid(&gate.Fault{Message: fmt.Sprintf("%d items are placed; at most %d may be", total, mostPlaced), Location: "body.tiers"})
	}
	p, reading = model.Person{Index: -1, Bare: true}, Reading{Unknown: []string{}, Model: m.id}
	p.Known.Items, p.Known.Values = make([]uint32, 0, total), make([]float32, 0, total)
	seen := make(map[string]struct{}, total)
	var faults []error
	for at, each := range t.Tiers {
		for k, id := range each {
			if _, twice := seen[id]; twice {
				faults = append(faults, &gate.Fault{Message: twoPlaces, Location: fmt.Sprintf("body.tiers[%d][%d]", at, k), Value: id})
				continue
			}
			seen[id] = struct{}{}
			i, known := m.saved.Find(id)
			if !known {
				reading.Unknown = append(reading.Unknown, id)
				if t.OnUnknown == "error" {
					faults = append(faults, &gate.Fault{Message: unknownItem, Location: fmt.Sprintf("body.tiers[%d][%d]", at, k), Value: id})
				}
				continue
			}
			p.Known.Items, p.Known.Values = append(p.Known.Items, uint32(i)), append(p.Known.Values, float32(-at))
		}
	}
	reading.TiersUsed = tiersUsed(p)
	return p, reading, gate.Invalid(faults...)
}

// tiersUsed are the numbers of the tiers, from 0, that hold an item the model knows.
func tiersUsed(p model.Person) []int {
	used := []int{}
	for _, v := range p.Known.Values { // in the order of tiers
		if at := -int(v); len(used) == 0 || used[len(used)-1] != at {
			used = append(used, at)
		}
	}
	return used
}

package server

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

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
	item := &huma.Schema{Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest, Description: "Id of an item, or its title"}
	return &huma.Schema{Type: huma.TypeArray, MaxItems: &most, Items: item}
}

// Tiers are a person's preferences, the part that all bodies about a person share.
type Tiers struct {
	Tiers     []tier `json:"tiers" maxItems:"1000" doc:"Tiers of the person, best first, each with the ids of its items, or titles that are one item for sure. Tiers may be empty; an item stands in one place."`
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

// placement is an item that a person placed, and its value.
type placement struct {
	id    string
	item  uint32
	value float32
}

// read turns tiers into a person's preferences. The value of an item is minus the number of its tier, from 0. Faults
// name their place in the body.
func (m *served) read(t Tiers) (p model.Person, reading Reading, err error) {
	if !m.saved.TakesTiers() {
		return p, reading, gate.NewProblem(http.StatusUnprocessableEntity, recommend.ErrSpace.Error())
	}
	total := 0
	for _, each := range t.Tiers {
		total += len(each)
	}
	if total > mostPlaced {
		return p, reading, gate.Invalid(&gate.Fault{Message: fmt.Sprintf("%d items are placed; at most %d may be", total, mostPlaced), Location: "body.tiers"})
	}
	p, reading = model.Person{Index: -1, TiersOnly: true}, Reading{Unknown: []string{}, Model: m.id}
	placed := make([]placement, 0, total)
	seen, taken := make(map[string]struct{}, total), make(map[int]struct{}, total) // texts, and their items
	var faults []error
	for at, each := range t.Tiers {
		for k, id := range each {
			if _, twice := seen[id]; twice {
				faults = append(faults, &gate.Fault{Message: twoPlaces, Location: fmt.Sprintf("body.tiers[%d][%d]", at, k), Value: id})
				continue
			}
			seen[id] = struct{}{}
			i, known := m.finder.Sure(id)
			if _, twice := taken[i]; known && twice {
				faults = append(faults, &gate.Fault{Message: twoPlaces, Location: fmt.Sprintf("body.tiers[%d][%d]", at, k), Value: id})
				continue
			}
			if !known {
				reading.Unknown = append(reading.Unknown, id)
				if t.OnUnknown == "error" {
					faults = append(faults, &gate.Fault{Message: unknownItem, Location: fmt.Sprintf("body.tiers[%d][%d]", at, k), Value: id})
				}
				continue
			}
			taken[i] = struct{}{}
			placed = append(placed, placement{m.saved.ItemIDs[i], uint32(i), float32(-at)})
		}
	}
	// By the ids of items, as a whole data set is sorted, so that sums come out the same as those of the library.
	slices.SortFunc(placed, func(a, b placement) int { return strings.Compare(a.id, b.id) })
	p.Known.Items, p.Known.Values = make([]uint32, len(placed)), make([]float32, len(placed))
	for k, each := range placed {
		p.Known.Items[k], p.Known.Values[k] = each.item, each.value
	}
	reading.TiersUsed = tiersUsed(p)
	return p, reading, gate.Invalid(faults...)
}

// tiersUsed are the numbers of the tiers, from 0, that hold an item the model knows.
func tiersUsed(p model.Person) []int {
	used := []int{}
	for _, v := range p.Known.Values {
		used = append(used, -int(v))
	}
	slices.Sort(used)
	return slices.Compact(used)
}

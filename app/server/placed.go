package server

import (
	"fmt"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"fubini/core/partition"
	"fubini/model/osm"
)

// tier is one tier of a list: ids of items.
type tier []string

// Schema implements [huma.SchemaProvider]: the limits on a tier, for which a field
// of lists has no tags.
func (tier) Schema(huma.Registry) *huma.Schema {
	items, id := mostPlaced, mostID
	return &huma.Schema{Type: huma.TypeArray, MaxItems: &items, Items: itemSchema(&id)}
}

func itemSchema(most *int) *huma.Schema {
	one := 1
	return &huma.Schema{Type: huma.TypeString, MinLength: &one, MaxLength: most, Description: "Id of an item"}
}

// ids are some items.
type ids []string

// Schema implements [huma.SchemaProvider].
func (ids) Schema(huma.Registry) *huma.Schema {
	items, id := mostItems, mostID
	return &huma.Schema{Type: huma.TypeArray, MaxItems: &items, Items: itemSchema(&id)}
}

// Tiers are what a person says; part of every body that is about a person.
type Tiers struct {
	Tiers     []tier `json:"tiers" maxItems:"1000" doc:"Tiers of the person, best first, each with the ids of its items. Tiers may be empty; an item stands in one place."`
	OnUnknown string `json:"on_unknown,omitempty" enum:"ignore,error" default:"ignore" doc:"What becomes of items that the model does not know: ignored and told, or an error"`
}

// placed is a tier list in the model's numbers.
type placed struct {
	list    osm.List
	used    []int    // tiers, from 0, that have an item the model knows
	unknown []string // ids that it does not
}

// read turns tiers into a list. Faults name their place in the body.
func (m *served) read(t Tiers) (placed, *Problem) {
	total := 0
	for _, each := range t.Tiers {
		total += len(each)
	}
	if total > mostPlaced {
		return placed{}, invalid(&Fault{Message: fmt.Sprintf("%d items are placed; at most %d may be", total, mostPlaced), Location: "body.tiers"})
	}
	p := placed{used: []int{}, unknown: []string{}}
	items, levels := make([]int, 0, total), make([]int, 0, total)
	seen := make(map[string]struct{}, total)
	var faults []*Fault
	for at, each := range t.Tiers {
		before := len(items)
		for k, id := range each {
			if _, twice := seen[id]; twice {
				faults = append(faults, &Fault{Message: "the item stands in two places; it may stand in one", Location: place(at, k), Value: id})
				continue
			}
			seen[id] = struct{}{}
			i, known := m.saved.Find(id)
			if !known {
				p.unknown = append(p.unknown, id)
				if t.OnUnknown == "error" {
					faults = append(faults, &Fault{Message: "the model has no such item; GET /v1/items lists those it has", Location: place(at, k), Value: id})
				}
				continue
			}
			items, levels = append(items, i), append(levels, -at)
		}
		if len(items) > before {
			p.used = append(p.used, at)
		}
	}
	if len(faults) > 0 {
		return placed{}, invalid(faults...)
	}
	if len(items) == 0 {
		return p, nil
	}
	order, err := partition.FromLevels(levels)
	if err != nil {
		panic(err) // levels are whole numbers
	}
	p.list = osm.List{Items: items, Order: order}
	return p, nil
}

// place is where an item stands in a body.
func place(tier, item int) string {
	return "body.tiers[" + strconv.Itoa(tier) + "][" + strconv.Itoa(item) + "]"
}

// without is the list as if an item had not been placed.
func (p placed) without(item int) placed {
	var rest []int
	for k, i := range p.list.Items {
		if i != item {
			rest = append(rest, k)
		}
	}
	if len(rest) == len(p.list.Items) {
		return p
	}
	left := placed{used: []int{}, unknown: p.unknown}
	if len(rest) == 0 {
		return left
	}
	kept := make([]bool, len(p.used))
	for _, k := range rest {
		kept[p.list.Order.BlockOf(k)] = true
	}
	for t, at := range p.used {
		if kept[t] {
			left.used = append(left.used, at)
		}
	}
	left.list = p.list.Part(rest)
	return left
}

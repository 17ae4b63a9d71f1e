package server_test

import (
	"fmt"
	"slices"
	"testing"
)

type dealtBody struct {
	Items []struct {
		Item               string
		Known, Information float64
	}
	Moved  *float64
	Enough bool
}

// Cards are neither placed nor excluded, the most valuable first; the newest answers say whether guesses have settled.
func TestDeal(t *testing.T) {
	s := start(t, nil)
	all := read[struct{ Items []struct{ Item string } }](t, s.ask("GET", "/v1/items?limit=30", ""), 200).Items
	id := func(k int) string { return fmt.Sprintf("%q", all[k].Item) }
	first := read[dealtBody](t, s.ask("POST", "/v1/deal", `{"tiers":[[],[]],"n":150}`), 200)
	if len(first.Items) != len(all) || first.Moved != nil || first.Enough {
		t.Errorf("%+v", first)
	}
	tiers := fmt.Sprintf(`"tiers":[[%s],[],[%s,%s]]`, id(0), id(1), id(2))
	next := read[dealtBody](t, s.ask("POST", "/v1/deal", fmt.Sprintf(`{%s,"exclude":[%s],"newest":[%s],"n":150}`, tiers, id(3), id(2))), 200)
	for _, card := range next.Items {
		if slices.Contains([]string{all[0].Item, all[1].Item, all[2].Item, all[3].Item}, card.Item) || !(card.Information > 0) || !(card.Known >= 0 && card.Known <= 1) {
			t.Errorf("dealt %+v", card)
		}
	}
	if len(next.Items) != len(all)-4 || next.Moved == nil || !(*next.Moved > 0 && *next.Moved < 1) || next.Enough {
		t.Errorf("%d cards, moved %v, enough %v", len(next.Items), next.Moved, next.Enough)
	}
	whole := read[dealtBody](t, s.ask("POST", "/v1/deal", fmt.Sprintf(`{%s,"newest":[%s,%s,%s]}`, tiers, id(0), id(1), id(2))), 200)
	if len(whole.Items) != 1 || whole.Moved == nil || *whole.Moved != 1 {
		t.Errorf("there are no other answers: %+v", whole)
	}
	unknown := read[dealtBody](t, s.ask("POST", "/v1/deal", fmt.Sprintf(`{%s,"newest":["nothing like it"]}`, tiers)), 200)
	if unknown.Moved != nil || unknown.Enough {
		t.Errorf("an answer that the model does not know: %+v", unknown)
	}
	var many string
	for k := range 15 {
		many += id(k) + ","
	}
	last := read[dealtBody](t, s.ask("POST", "/v1/deal", fmt.Sprintf(`{"tiers":[[%s],[%s]],"newest":[%s]}`, many[:len(many)-1], id(15), id(15))), 200)
	if !last.Enough {
		t.Errorf("after 16 answers: %+v", last)
	}
}

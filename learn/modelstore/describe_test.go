package modelstore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fubini/data/catalogue"
	"fubini/learn/modelstore"
)

// A catalogue with ids of its own is taken by those of IMDb, where the years show that the model's numbers are such; its names are other titles.
func TestDescribeByIdsElsewhere(t *testing.T) {
	model := func(shift int) *modelstore.Saved {
		s := &modelstore.Saved{}
		for k := range 8 {
			s.ItemIDs = append(s.ItemIDs, fmt.Sprintf("%07d", 100+k))
			s.ItemNames = append(s.ItemNames, fmt.Sprintf("Titre %d (%d)", k, 1990+k+shift))
		}
		s.ItemNames[7] = s.ItemIDs[7] // one without a name
		return s
	}
	about := catalogue.New()
	text := "item,title,imdb,genres\n"
	for k := range 8 {
		text += fmt.Sprintf("%d,Title %d (%d),tt%07d,Drama\n", k+1, k, 1990+k, 100+k)
	}
	if err := about.ReadStream(strings.NewReader(text), "items.csv", "items.csv"); err != nil {
		t.Fatal(err)
	}
	s := model(1) // a year apart
	if n := s.Describe(about); n != 8 {
		t.Fatalf("%d of 8 described", n)
	}
	if s.ItemNames[0] != "Titre 0 (1991)" || !slices.Equal(s.ItemFacts[0].Titles, []string{"Title 0 (1990)"}) || !slices.Equal(s.ItemFacts[0].Groups, []string{"Drama"}) {
		t.Errorf("%q %+v", s.ItemNames[0], s.ItemFacts[0])
	}
	if len(s.ItemGroups) != 8 || s.ItemGroups[0] != "Drama" {
		t.Errorf("groups %q", s.ItemGroups)
	}
	if s.ItemNames[7] != "Title 7 (1997)" || len(s.ItemFacts[7].Titles) > 0 {
		t.Errorf("without a name: %q %+v", s.ItemNames[7], s.ItemFacts[7])
	}
	other := model(9) // other things, whose numbers have as many digits
	if n := other.Describe(about); n != 0 || other.ItemFacts[0].Titles != nil {
		t.Errorf("%d described, %+v", n, other.ItemFacts[0])
	}
	plain := model(0)
	for k, id := range plain.ItemIDs {
		plain.ItemIDs[k], plain.ItemNames[k] = "tt"+id, "Titre" // no years: the letters are enough
	}
	if n := plain.Describe(about); n != 8 {
		t.Errorf("%d of 8 described by ids with letters", n)
	}
	own := model(0)
	own.ItemIDs[0] = "1" // an id of the catalogue: its ids are the model's
	if n := own.Describe(about); n != 1 {
		t.Errorf("%d described, want the one with its own id", n)
	}
	sure := model(9) // numbers that are no ids of IMDb, beside one id that both have
	sure.ItemFacts = make([]catalogue.Item, 8)
	sure.ItemFacts[3].IDs = []string{catalogue.ElsewhereID("imdb", "tt0000100")}
	if n := sure.Describe(about); n != 1 || len(sure.ItemFacts[3].Titles) != 1 {
		t.Errorf("%d described, want the one by an id that both have: %+v", n, sure.ItemFacts[3])
	}
}

package modelstore

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fubini/data/catalogue"
	"fubini/data/titles"
)

// Describe takes what a catalogue says of the items: names as people write them, years, groups, pictures, links and ids in
// other catalogues. What the catalogue does not say of an item stays as it was. It returns the number of items that the catalogue has. Groups
// that the model has already stay. A catalogue with ids of its own is taken by the ids that it has elsewhere (IMDb's, say): its names are other
// titles then, beside those of the model.
func (s *Saved) Describe(c *catalogue.Catalogue) (described int) {
	s.ItemNames = slices.Clone(s.ItemNames)
	grouped := s.ItemGroups != nil
	groups, any := make([]string, len(s.ItemIDs)), false
	if s.ItemFacts = slices.Clone(s.ItemFacts); s.ItemFacts == nil {
		s.ItemFacts = make([]catalogue.Item, len(s.ItemIDs))
	}
	elsewhere := s.elsewhere(c)
	for i, id := range s.ItemIDs {
		item, own := c.Items[id], true
		if item == nil {
			item, own = elsewhere[i], false
		}
		if item == nil {
			continue
		}
		described++
		about, name := *item, item.Shown()
		switch {
		case name != "" && (own || s.ItemNames[i] == id):
			s.ItemNames[i] = titles.Plain(name)
		case name != "":
			about.Titles = append([]string{name}, about.Titles...)
		}
		if own {
			s.ItemFacts[i] = about.Over(s.ItemFacts[i])
		} else {
			s.ItemFacts[i] = s.ItemFacts[i].Over(about)
		}
		s.ItemFacts[i].Name = "" // it is among the names
		if len(item.Groups) > 0 {
			groups[i], any = item.Groups[0], true
		}
	}
	if any && !grouped {
		s.ItemGroups = groups
	}
	return described
}

// Bare numbers of 7 or 8 digits may be ids of IMDb, or others: that they are is taken from the years of the items that a catalogue has under
// them, of which there must be some, and nearly all must agree.
const (
	fewestYears = 5
	agreeing    = 0.9
)

// elsewhere returns the entry of a catalogue for each item, by ids that both have elsewhere; nil where there is none.
func (s *Saved) elsewhere(c *catalogue.Catalogue) []*catalogue.Item {
	found := make([]*catalogue.Item, len(s.ItemIDs))
	by := map[string]*catalogue.Item{}
	for _, id := range slices.Sorted(maps.Keys(c.Items)) {
		for _, other := range c.Items[id].IDs {
			if by[other] == nil {
				by[other] = c.Items[id]
			}
		}
	}
	same := slices.ContainsFunc(s.ItemIDs, func(id string) bool { return c.Items[id] != nil })
	if len(by) == 0 || same { // the catalogue has the ids of the model
		return found
	}
	numbers := !slices.ContainsFunc(s.ItemIDs, func(id string) bool {
		return len(id) < 7 || len(id) > 8 || strings.Trim(id, "0123456789") != ""
	})
	var guessed []int // items found by their bare numbers
	known, agree := 0, 0
	for i, id := range s.ItemIDs {
		for _, other := range s.ItemFacts[i].IDs {
			if found[i] == nil {
				found[i] = by[other]
			}
		}
		if found[i] == nil && strings.HasPrefix(id, "tt") {
			found[i] = by[catalogue.ElsewhereID("imdb", id)]
		}
		if found[i] != nil || !numbers {
			continue
		}
		if found[i] = by[catalogue.ElsewhereID("imdb", id)]; found[i] == nil {
			continue
		}
		guessed = append(guessed, i)
		mine, theirs := cmp.Or(s.ItemFacts[i].Year, yearOf(s.ItemNames[i])), cmp.Or(found[i].Year, yearOf(found[i].Name))
		if mine != 0 && theirs != 0 {
			known++
			if mine-theirs >= -1 && mine-theirs <= 1 {
				agree++
			}
		}
	}
	if known < fewestYears || float64(agree) < agreeing*float64(known) {
		for _, i := range guessed {
			found[i] = nil
		}
	}
	return found
}

// yearOf is the year in brackets at the end of a name, 0 for none.
func yearOf(name string) int {
	if at := strings.LastIndex(name, " ("); at >= 0 && strings.HasSuffix(name, ")") {
		if year, err := strconv.Atoi(name[at+2 : len(name)-1]); err == nil {
			return year
		}
	}
	return 0
}

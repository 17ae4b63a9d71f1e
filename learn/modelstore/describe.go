package modelstore

import (
	"slices"

	"fubini/data/catalogue"
	"fubini/data/titles"
)

// Describe takes what a catalogue says of the items: names as people write them, years, groups, pictures, links and ids in
// other catalogues. What the catalogue does not say of an item stays as it was. It returns the number of items that the catalogue has. Groups
// that the model has already stay.
func (s *Saved) Describe(c *catalogue.Catalogue) (described int) {
	s.ItemNames = slices.Clone(s.ItemNames)
	grouped := s.ItemGroups != nil
	groups, any := make([]string, len(s.ItemIDs)), false
	if s.ItemFacts = slices.Clone(s.ItemFacts); s.ItemFacts == nil {
		s.ItemFacts = make([]catalogue.Item, len(s.ItemIDs))
	}
	for i, id := range s.ItemIDs {
		item := c.Items[id]
		if item == nil {
			continue
		}
		described++
		if name := item.Shown(); name != "" {
			s.ItemNames[i] = titles.Plain(name)
		}
		s.ItemFacts[i] = item.Over(s.ItemFacts[i])
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

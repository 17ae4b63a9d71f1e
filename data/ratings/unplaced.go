package ratings

import (
	"maps"
	"slices"
)

// Aside notes an item that a user has and has not placed: unranked in a tier list, or seen and not rated. It is no rating. A place of
// the same item counts, before or after.
func (b *Builder) Aside(user, item []byte) {
	if b.aside == nil {
		b.aside = map[string][]string{}
	}
	b.aside[string(user)] = append(b.aside[string(user)], string(item))
}

// unplaced are the items without a place, each once, in their order as strings.
func (b *Builder) unplaced(s *Set) map[string][]string {
	for user, items := range b.aside {
		slices.Sort(items)
		items = slices.Compact(items)
		if u, known := s.users.Find(user); known {
			row := s.Row(int(u))
			items = slices.DeleteFunc(items, func(id string) bool {
				item, known := s.items.Find(id)
				_, placed := slices.BinarySearch(row.Items, item)
				return known && placed
			})
		}
		if b.aside[user] = slices.Clip(items); len(items) == 0 {
			delete(b.aside, user)
		}
	}
	return b.aside
}

// Unplaced returns the ids of the items that a user has and has not placed, in their order. A set keeps them for those who want to know
// or write them: no model is fitted to them, and parts of a set have none.
func (s *Set) Unplaced(user string) []string { return s.unplaced[user] }

// UnplacedUsers returns the ids of all users with items that they have not placed, in their order. Some may have no ratings.
func (s *Set) UnplacedUsers() []string { return slices.Sorted(maps.Keys(s.unplaced)) }

package server

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"fubini/learn/modelstore"
)

// index finds items by a text.
type index struct {
	order  []int    // all items, the most rated first
	texts  []string // of each item, its name and id as searched
	group  []string // of each item; nil where the file has none
	groups []string // each once, in order of the alphabet
}

func newIndex(saved *modelstore.Saved) *index {
	n := len(saved.ItemIDs)
	x := &index{order: saved.MostRated(0), texts: make([]string, n), group: saved.ItemGroups, groups: []string{}}
	x.groups = append(x.groups, slices.Compact(slices.Sorted(slices.Values(saved.ItemGroups)))...)
	if len(x.groups) > 0 && x.groups[0] == "" { // items without a group
		x.groups = x.groups[1:]
	}
	for i := range n {
		x.texts[i] = folded(saved.ItemNames[i])
		if saved.ItemIDs[i] != saved.ItemNames[i] {
			x.texts[i] += "\n" + folded(saved.ItemIDs[i])
		}
	}
	return x
}

// folded is a text without case and accents.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
}

// search returns the items that match, from a place in the order on, up to a limit, with the place to continue from (-1
// at the end) and the number of all matches.
func (x *index) search(query, group string, from, limit int) (items []int, next, total int) {
	query, next = folded(strings.TrimSpace(query)), -1
	for place, i := range x.order {
		if !strings.Contains(x.texts[i], query) || group != "" && (x.group == nil || x.group[i] != group) {
			continue
		}
		total++
		if place < from || next >= 0 {
			continue
		}
		if len(items) == limit {
			next = place
			continue
		}
		items = append(items, i)
	}
	return items, next, total
}

package lookup

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"fubini/learn/modelstore"
)

// Index finds the items of a model whose name or id holds a text.
type Index struct {
	Order  []int    // all items, the most rated first
	texts  []string // of each item, its name and id as searched
	group  []string // of each item; nil where the file has none
	Groups []string // each once, in order of the alphabet
}

// NewIndex returns the index of the items of a model.
func NewIndex(saved *modelstore.Saved) *Index {
	n := len(saved.ItemIDs)
	x := &Index{Order: saved.MostRated(0), texts: make([]string, n), group: saved.ItemGroups, Groups: []string{}}
	x.Groups = append(x.Groups, slices.Compact(slices.Sorted(slices.Values(saved.ItemGroups)))...)
	if len(x.Groups) > 0 && x.Groups[0] == "" { // items without a group
		x.Groups = x.Groups[1:]
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

// Search returns the items that match, from a place in the order on, up to a limit, with the place to continue from (-1
// at the end) and the number of all matches.
func (x *Index) Search(query, group string, from, limit int) (items []int, next, total int) {
	query, next = folded(strings.TrimSpace(query)), -1
	for place, i := range x.Order {
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

package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"fubini/data/modelfile"
	"fubini/learn/zoo"
)

// Tensors of texts that a model file may have beside the names of its items.
const (
	itemEmoji = "items.emoji"
	itemGroup = "items.group"
)

// index finds items by what somebody types.
type index struct {
	order  []int    // all items, the most rated first
	texts  []string // of each item, its name and id as searched
	emoji  []string // of each item; nil where the file has none
	group  []string
	groups []string // each once, in order of the alphabet
}

func newIndex(file *modelfile.File, saved *zoo.Saved) (*index, error) {
	n := len(saved.ItemIDs)
	x := &index{order: make([]int, n), texts: make([]string, n), groups: []string{}}
	for i := range n {
		x.order[i] = i
		x.texts[i] = folded(saved.ItemNames[i])
		if saved.ItemIDs[i] != saved.ItemNames[i] {
			x.texts[i] += "\n" + folded(saved.ItemIDs[i])
		}
	}
	slices.SortStableFunc(x.order, func(a, b int) int { return cmp.Compare(saved.Seen[b], saved.Seen[a]) })
	for _, column := range []struct {
		name string
		to   *[]string
	}{{itemEmoji, &x.emoji}, {itemGroup, &x.group}} {
		if _, there := file.Tensor(column.name); !there {
			continue
		}
		texts, err := file.Strings(column.name, n)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", column.name, err)
		}
		*column.to = texts
	}
	for _, group := range x.group {
		if group != "" && !slices.Contains(x.groups, group) {
			x.groups = append(x.groups, group)
		}
	}
	slices.Sort(x.groups)
	return x, nil
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

// search goes through the items from a place in the order on and returns those
// that match, up to a limit, with the place to go on from (-1 at the end), and how
// many match in all.
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

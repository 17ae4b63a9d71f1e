package votes

import (
	"cmp"
	"slices"
	"strings"

	"fubini/data/codec"
)

// Names of columns, folded, the best first.
var (
	weightNames = []string{"weight", "weights", "votes", "count", "counts"}
	raterNames  = append([]string{"rater", "raterid", "judge", "judgeid", "annotator", "annotatorid", "worker", "workerid", "voterid"}, codec.UserNames()...)
	drawNames   = []string{"draw", "tie", "tied", "isdraw", "istie"}
)

// header has the names of columns, and their numbers by name: as it is written, or else folded.
type header struct {
	names []string
	at    map[string]int
	role  map[string]int // columns given by their roles, by the first name that a role goes by
	taken []bool         // columns given by their roles, which have no other
}

func newHeader(names []string) header {
	h := header{names: names, at: make(map[string]int, 2*len(names))}
	for _, fold := range []func(string) string{strings.Clone, codec.Folded} {
		for k, name := range names {
			if _, known := h.at[fold(name)]; !known && name != "" {
				h.at[fold(name)] = k
			}
		}
	}
	return h
}

// index is the column of the first of the names that is there; -1 for none.
func (h header) index(names ...string) int {
	for _, name := range names {
		if k, given := h.role[name]; given {
			return k
		}
		for _, name := range [2]string{name, codec.Folded(name)} {
			if k, known := h.at[name]; known && (h.taken == nil || !h.taken[k]) {
				return k
			}
		}
	}
	return -1
}

func headerOf(cells [][]byte) header {
	names := make([]string, len(cells))
	for k, cell := range cells {
		names[k] = string(cell)
	}
	return newHeader(names)
}

func (b *builder) noColumn(h header, wanted ...string) error {
	return b.errorf("there is no column %s; the columns are %s", strings.Join(wanted, " or "), h.list())
}

// list is the names, for errors.
func (h header) list() string {
	return cmp.Or(strings.Join(h.names[:min(len(h.names), 50)], ", "), "none")
}

// weightAndRater finds the columns or keys of weights and raters; -1 for none.
func (b *builder) weightAndRater(h header) (weight, rater int, err error) {
	find := func(column *string, names []string, must bool) (int, error) {
		k := h.index(names...)
		if k >= 0 {
			*column = h.names[k]
		} else if must {
			return -1, b.noColumn(h, names[:min(len(names), 5)]...)
		}
		return k, nil
	}
	weights, raters := []string{b.o.Weight}, []string{b.o.Rater}
	if b.o.Columns["weight"] != "" {
		weights = weightNames[:1]
	} else if b.o.Weight == "" {
		weights = slices.DeleteFunc(slices.Clone(weightNames), func(name string) bool { return slices.Contains(b.o.Votes, name) })
	}
	if b.o.Rater != "" && b.o.Columns["rater"] != "" {
		raters = raterNames[:1]
	} else if b.o.Rater == "auto" || b.o.Rater == "any" {
		raters = raterNames
	}
	if weight, err = find(&b.Counts.WeightColumn, weights, b.o.Weight != ""); err != nil || b.o.Rater == "" {
		return weight, -1, err
	}
	rater, err = find(&b.Counts.RaterColumn, raters, b.o.Rater != "any")
	return weight, rater, err
}

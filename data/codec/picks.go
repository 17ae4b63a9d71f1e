package codec

import (
	"bytes"
	"slices"

	"fubini/data/text"
)

// Picks is the format of tables without ratings: a line says that a user picked an item, and perhaps when, and how often.
// The header names every column. A pick has the value 1, however often it was made.
var Picks = Codec{
	Name:       "picks",
	Extensions: []string{".csv", ".tsv"},
	Detect: func(head []byte) bool {
		t := &text.Fields{Lines: text.NewLines("", bytes.NewReader(nil)), Quotes: true}
		_, ok := arrangePicks(t, text.FirstLine(head))
		return ok
	},
	Open:   openPicks,
	ByUser: true,
}

// countNames are the names, folded, of a column with the number of times that an item was picked.
var countNames = []string{"count", "counts", "plays", "playcount", "listens", "views", "clicks", "purchases", "quantity", "times", "n"}

// arrangePicks makes out the columns of a header without ratings. A column whose name is not known might hold ratings, so
// that such a header is none of picks.
func arrangePicks(t *text.Fields, first []byte) (c roleColumns, ok bool) {
	for _, s := range []byte(",;\t") {
		t.Separator = s
		if t.Cut(first) != nil || len(t.Values) < 2 {
			continue
		}
		c, _ = naming{}.columnsNamed(t.Values)
		if c[roleUser] < 0 || c[roleItem] < 0 || c[roleRating] >= 0 || c[roleTier] >= 0 {
			continue
		}
		strange := func(name []byte) bool {
			role, _ := naming{}.roleOf(string(name))
			return role == noRole && !slices.Contains(countNames, Folded(string(bytes.TrimSpace(name))))
		}
		if !slices.ContainsFunc(t.Values, strange) {
			return c, true
		}
	}
	return c, false
}

func openPicks(in *Input, _ Options) (Source, error) {
	t, first, err := start(in)
	if err != nil {
		return nil, err
	}
	t.Quotes = true
	c, ok := arrangePicks(&t.Fields, first)
	if !ok {
		return nil, t.Errorf("the first line %s is no header of picks: user, item, and perhaps a time, a title and a count", text.Quote(first))
	}
	return t.arranged(in, c, true), nil
}

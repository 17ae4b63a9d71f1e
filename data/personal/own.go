package personal

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fubini/data/codec"
	"fubini/data/ratings"
	"fubini/data/text"
)

// Columns of a table of one person, in lower case.
var (
	ownIDs     = []string{"item", "item_id", "itemid", "movieid", "id"}
	ownTitles  = []string{"name", "title", "film", "movie", "book", "game", "anime"}
	ownTiers   = []string{"tier", "rank", "place"}
	ownRatings = []string{"rating", "score", "value", "stars", "my rating", "your rating", "grade"}
)

// firstOf is the first of some names that a header has.
func firstOf(columns, names []string) string {
	for _, name := range names {
		if slices.ContainsFunc(columns, func(c string) bool { return strings.EqualFold(c, name) }) {
			return name
		}
	}
	return ""
}

// isOwnTable recognises a table of one person: items with ratings or tiers, and no users.
func isOwnTable(head []byte, _ string) bool {
	columns := headerOf(text.FirstLine(head))
	return !hasUsers(columns) && firstOf(columns, ownIDs)+firstOf(columns, ownTitles) != "" && firstOf(columns, ownTiers)+firstOf(columns, ownRatings) != ""
}

// hasUsers reports whether one of the columns is of users.
func hasUsers(columns []string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return slices.Contains(codec.UserNames(), codec.Folded(c)) })
}

// readOwnTable reads such a table. Tiers are numbers, 1 for the best, or letters, S before A, or other names, the best
// first.
func readOwnTable(x *Export, in *codec.Input, _ Options) error {
	var tiers tierNames
	var at []string // tier of each row
	var rows []Item
	tiered := false
	err := x.rows(in, func(t *table) {
		columns := sorted(t.at)
		item := t.item(t.get(ownTitles...), t.get("year"), "imdb", t.get("imdb_id", "imdb"), "tmdb", t.get("tmdb_id", "tmdb"), "isbn", t.get("isbn", "isbn13"))
		item.ID = t.get(ownIDs...)
		tier := firstOf(columns, ownTiers)
		if tiered = tier != ""; !tiered {
			x.Rated = true
			value, rated := t.rating(item, t.get(ownRatings...))
			switch {
			case rated:
				x.rate(item, value, t.when(t.get("date", "timestamp")))
			case value == 0:
				x.see(item)
			}
			return
		}
		name := t.get(tier)
		if name == "" {
			x.see(item)
			return
		}
		tiers.add(name, t.get("tier_name"))
		rows, at = append(rows, item), append(at, name)
	})
	if err != nil || !tiered {
		return err
	}
	tiers.sort()
	values := tiers.values(x)
	for k, item := range rows {
		x.rate(item, values[at[k]], ratings.NoTime)
	}
	return nil
}

// tierNames are the tiers of a list in the order in which they come.
type tierNames struct {
	order []string
	shown map[string]string // names for people, where they differ
}

func (n *tierNames) add(name, shown string) {
	if n.shown == nil {
		n.shown = map[string]string{}
	}
	if _, there := n.shown[name]; !there {
		n.order = append(n.order, name)
		n.shown[name] = cmp.Or(shown, name)
	}
}

// sort puts tiers that are all numbers, or all letters, in order: 1 before 2, S before A. Others stay as they come.
func (n *tierNames) sort() {
	number := func(name string) (float64, bool) {
		v, err := strconv.ParseFloat(name, 64)
		return v, err == nil && v == v
	}
	for _, place := range []func(string) (float64, bool){number, letterTier} {
		other := func(name string) bool { _, ok := place(name); return !ok }
		if !slices.ContainsFunc(n.order, other) {
			slices.SortStableFunc(n.order, func(a, b string) int {
				pa, _ := place(a)
				pb, _ := place(b)
				return cmp.Compare(pa, pb)
			})
			return
		}
	}
}

// values returns the value of each tier, the best first and the worst 1, and notes their names.
func (n *tierNames) values(x *Export) map[string]float32 {
	values := map[string]float32{}
	x.Names = map[float32]string{}
	for k, name := range n.order {
		v := float32(len(n.order) - k)
		values[name] = v
		if shown := n.shown[name]; shown != name || !allDigits(name) {
			x.Names[v] = shown
		}
	}
	return values
}

func allDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// letterTier is the place of a tier with a letter: SS, S+, S, S-, A+, A, down to F.
func letterTier(name string) (place float64, ok bool) {
	bare := strings.TrimRight(name, "+-")
	letters, signs := strings.ToUpper(bare), name[len(bare):] // letters may be longer than they were
	at := strings.IndexByte("SABCDEFGHIJKLMNOPQRTUVWXYZ", cmp.Or(letters, " ")[0])
	if at < 0 || len(letters) > 3 || len(signs) > 2 || strings.Trim(letters, letters[:1]) != "" {
		return 0, false
	}
	place = float64(at) - float64(len(letters)-1)*0.9 // SS is above S+
	return place - 0.2*float64(strings.Count(signs, "+")) + 0.2*float64(strings.Count(signs, "-")), len(letters) > 0
}

package votes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fubini/data/codec"
)

// Roles are the names of the roles that columns or keys can have, as [Options.Columns] has them: those of votes, and then
// those of ratings.
var Roles = slices.Concat([]string{"item_a", "item_b", "winner", "loser", "draw", "home", "away", "home_score", "away_score", "tiers", "weight", "rater"}, codec.Roles)

// known are the names, folded, that the column of a role of votes goes by. Readers look for the first of them.
func known(role string) (names []string) {
	side := func(k int) (names []string) {
		for _, p := range pairNames {
			names = append(names, p.columns[k])
		}
		return names
	}
	return map[string][]string{
		"item_a": side(0), "item_b": side(1), "winner": winnerNames, "loser": loserNames, "draw": drawNames,
		"home": homeNames[0], "away": homeNames[1], "home_score": scoreNames[0], "away_score": scoreNames[1],
		"tiers": {"tiers"}, "weight": weightNames, "rater": raterNames,
	}[role]
}

// ofRatings reports whether columns are given by roles of ratings.
func (o *Options) ofRatings() bool {
	return slices.ContainsFunc(codec.Roles, func(role string) bool { return o.Columns[role] != "" })
}

// checkColumns refuses roles that there are not, roles of votes beside those of ratings, and columns that are given twice.
func (o *Options) checkColumns() error {
	var votes, ratings []string
	for _, role := range slices.Sorted(maps.Keys(o.Columns)) {
		switch {
		case !slices.Contains(Roles, role):
			return fmt.Errorf("votes: %q is not a role of a column; there are %s", role, strings.Join(Roles, ", "))
		case slices.Contains(codec.Roles, role):
			ratings = append(ratings, role)
		default:
			votes = append(votes, role)
		}
	}
	if len(votes) > 0 && len(ratings) > 0 {
		return fmt.Errorf("%w: %s is a column of votes and %s one of ratings; a file has one or the other", codec.ErrColumns, votes[0], ratings[0])
	}
	for role, given := range map[string]string{"weight": o.Weight, "rater": o.Rater} {
		if name := o.Columns[role]; name != "" && given != "" && given != "auto" && given != "any" && given != name {
			return fmt.Errorf("%w: the %s is given twice, as %q and as %q", codec.ErrColumns, role, given, name)
		}
	}
	return nil
}

// named is a header whose columns have the roles of the options. Where a column that is given is not there the error has what is.
func (b *builder) named(h header) (header, error) {
	if len(b.o.Columns) == 0 || b.o.ofRatings() {
		return h, nil
	}
	plain := newHeader(h.names)
	h = plain
	h.role, h.taken = map[string]int{}, make([]bool, len(h.names))
	for _, role := range slices.Sorted(maps.Keys(b.o.Columns)) {
		k := plain.index(strings.TrimSpace(b.o.Columns[role]))
		if k < 0 {
			return h, refuseColumns(h, fmt.Sprintf("there is no column %q", b.o.Columns[role]), role)
		}
		if h.taken[k] {
			return h, refuseColumns(h, fmt.Sprintf("column %q is given for two roles", h.names[k]), role)
		}
		h.role[known(role)[0]], h.taken[k] = k, true
	}
	for side, role := range [2]string{"item_a", "item_b"} { // one of them may go by a name that is understood
		if other := [2]string{"item_b", "item_a"}[side]; b.o.Columns[role] == "" && b.o.Columns[other] != "" {
			if k := h.index(known(role)...); k >= 0 {
				h.role[known(role)[0]] = k
			}
		}
	}
	return h, nil
}

// lacking are the roles of votes on pairs that a header lacks, where others of them are given.
func (b *builder) lacking(h header) (missing []string) {
	given := func(role string) bool { return b.o.Columns[role] != "" }
	wanted := []string{"item_a", "item_b", "winner"}
	switch {
	case given("home_score") || given("away_score"):
		wanted = []string{"home", "away", "home_score", "away_score"}
	case given("home") || given("away"):
		wanted = []string{"home", "away", "winner"}
	case given("loser") || given("draw") || !given("item_a") && !given("item_b") && h.index(loserNames...) >= 0:
		wanted = []string{"winner", "loser"}
	case !given("item_a") && !given("item_b") && !given("winner"):
		return nil
	}
	for _, role := range wanted {
		if h.index(known(role)...) < 0 {
			missing = append(missing, role)
		}
	}
	return missing
}

// refuseColumns says what is wrong with the columns of some roles, which columns there are, and which names are understood.
func refuseColumns(h header, wrong string, roles ...string) error {
	var names, given []string
	for _, role := range roles {
		names = append(names, fmt.Sprintf("%s (%s)", role, strings.Join(known(role), ", ")))
		given = append(given, role+"=NAME")
	}
	return fmt.Errorf("%w: %s; the columns are %s; understood are the names %s; or say which it is, as in %s",
		codec.ErrColumns, wrong, h.list(), strings.Join(names, ", "), strings.Join(given, ","))
}

// refuseLacking is the refusal of a table that has columns given by their roles and lacks others.
func (b *builder) refuseLacking(name string, h header) error {
	missing := b.lacking(h)
	if len(missing) == 0 {
		return nil
	}
	verb := " is missing"
	if len(missing) > 1 {
		verb = " are missing"
	}
	return fmt.Errorf("%s: %w", name, refuseColumns(h, strings.Join(missing, " and ")+verb, missing...))
}

package codec

import (
	"bytes"
	"slices"
	"strings"

	"fubini/data/grade"
	"fubini/data/text"
)

// grades reads fields with ratings, which may be grades such as A+, and fields with tiers.
type grades struct {
	number, grade int                 // the first lines with a rating that is a number, or a grade; 0 for none
	names         map[string][]string // of a grade, its name alone
}

// unplaced are fields of items that have no tier.
var unplaced = []string{"", "-", "?", "n/a", "na", "none", "null", "unranked", "unplaced", "unrated"}

// errorAt makes an error at a line or row.
type errorAt func(line int, format string, args ...any) error

// rating sets the value of a record.
func (g *grades) rating(fail errorAt, line int, field []byte, r *Record) (err error) {
	value, number := text.ParseRating(field)
	if !number {
		named, ok := grade.Of(string(field))
		if !ok {
			return fail(line, "rating %s is %s; write it like 4 or 3.5, or as a grade like A+", text.Quote(field), text.NoRating(field))
		}
		if g.grade == 0 {
			g.grade = line
		}
		r.Value, r.Tiers = 1, g.named(named)
	} else {
		if g.number == 0 {
			g.number = line
		}
		r.Value, r.Tiers = value, nil
	}
	if g.number > 0 && g.grade > 0 {
		return fail(line, "rating %s: line %d has a number and line %d a grade; write all in one way", text.Quote(field), g.number, g.grade)
	}
	return nil
}

// tier sets the place of a record, by the word tier or rank, or that it has none.
func (g *grades) tier(fail errorAt, line int, word string, field []byte, r *Record) error {
	name := string(bytes.TrimSpace(field))
	if slices.Contains(unplaced, strings.ToLower(name)) {
		r.Unplaced = true
		return nil
	}
	named, ok := grade.Of(name)
	if _, number := text.ParseRating([]byte(name)); number {
		named, ok = grade.Of(word + " " + strings.TrimSuffix(name, ".0"))
	}
	if !ok {
		return fail(line, `%s %s is neither a letter, S or A to F, nor a whole number from 1, the best; tiers of other names can be written as tier lists, like {"user":"ann","tiers":[["a","b"],["c"]]}, and a number of which more is better goes by the name rating`, word, text.Quote(field))
	}
	r.Value, r.Tiers = 1, g.named(named)
	return nil
}

// named is the list of tiers that has a grade alone.
func (g *grades) named(of grade.Grade) []string {
	if g.names == nil {
		g.names = map[string][]string{}
	}
	names := g.names[of.Name]
	if names == nil {
		names = []string{of.Name}
		g.names[of.Name] = names
	}
	return names
}

// tierWord is the word for the numbers in a column of tiers: tier, or rank.
func tierWord(column []byte) string {
	if Folded(string(bytes.TrimSpace(column))) == "rank" {
		return "rank"
	}
	return "tier"
}

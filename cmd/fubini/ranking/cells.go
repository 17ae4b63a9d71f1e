package ranking

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/stat/distuv"
	"gonum.org/v1/plot/font"

	"fubini/cmd/fubini/cli"
	"fubini/data/text"
	"fubini/use/board"
)

// drawable are names that a picture of a kind can show. A PNG has the letters of one font, from left to right: in the place of a name
// with others stands the id of the item, or if that has such letters too, its number in the table. An SVG has any name.
func drawable(p *cli.Program, flag, kind string, rows []board.Row, ids, names []string) []string {
	if kind != "png" {
		return names
	}
	face := font.DefaultCache.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, 10).Face
	complete := func(text string) bool { // all letters are in the font, and none is written from right to left
		for _, letter := range text {
			glyph, err := face.GlyphIndex(nil, letter)
			if err != nil || glyph == 0 || unicode.In(letter, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko) {
				return false
			}
		}
		return true
	}
	shown := slices.Clone(names)
	replaced := 0
	for k, row := range rows {
		for _, text := range []string{names[row.Item], ids[row.Item], fmt.Sprintf("row %d of the table", k+1)} {
			if shown[row.Item] = text; complete(text) {
				break
			}
		}
		if shown[row.Item] != names[row.Item] {
			replaced++
		}
	}
	if replaced > 0 {
		p.Tell("%s: %s letters that a PNG cannot show, and ids or rows of the table in their place; an .svg has all names", flag, text.Count(replaced, "name has", "names have"))
	}
	return shown
}

// fixed is a number with some digits behind the point; what rounds to zero has no sign.
func fixed(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// coefficients are rows of parameters with intervals of this level.
func coefficients(all []board.Coefficient, level float64) (records []cli.Record) {
	half := distuv.UnitNormal.Quantile((1 + level) / 2)
	for _, c := range all {
		records = append(records, cli.Record{{"name", c.Name}, {"value", c.Value}, {"std_err", c.StdError},
			{"interval", fmt.Sprintf("%.3g to %.3g", c.Value-half*c.StdError, c.Value+half*c.StdError)}})
	}
	return records
}

package ranking

import (
	"fmt"
	"slices"
	"unicode"

	"gonum.org/v1/plot/font"

	"fubini/cmd/fubini/cli"
	"fubini/data/text"
)

// drawable are names that a picture of a kind can show. A PNG has the letters of one font, from left to right: in the place of a name
// with others stands the id of the item, or if that has such letters too, its number in the table. An SVG has any name.
func (r *report) drawable(p *cli.Program, flag, kind string, names []string) []string {
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
	for k, row := range r.board.Rows {
		for _, text := range []string{names[row.Item], r.set.Items[row.Item], fmt.Sprintf("row %d of the table", k+1)} {
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

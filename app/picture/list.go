package picture

import (
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Tier is one row of the picture of a list.
type Tier struct {
	Letter string
	Colour string // a name of the page's palette, or any other for grey
	Names  []string
}

// paints are the fills of the page's palette: app/web/src/css/tokens.css has the same.
var paints = map[string]color.RGBA{
	"beet": {0x8a, 0x1c, 0x4a, 0xff}, "tomato": {0xc0, 0x39, 0x2b, 0xff}, "apricot": {0xbf, 0x75, 0x11, 0xff}, "sage": {0x5e, 0x73, 0x47, 0xff},
	"stone": {0x68, 0x71, 0x7a, 0xff}, "teal": {0x1f, 0x6f, 0x6b, 0xff}, "plum": {0x6a, 0x3c, 0x86, 0xff}, "cocoa": {0x7a, 0x4b, 0x2e, 0xff},
}

// Size of the picture of a list, in pixels: what sites that show links ask for.
const (
	listWide = 1200
	listHigh = 630
)

const mostTiers = 7 // in a picture

// List draws a tier list as PNG, for a link to it: its title, and its tiers with as many names as fit.
func List(w io.Writer, title, below string, tiers []Tier) error {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(listWide*vg.Inch/96, listHigh*vg.Inch/96), vgimg.UseDPI(96), vgimg.UseBackgroundColor(color.RGBA{0xef, 0xf1, 0xed, 0xff}))}
	c := draw.New(canvas)
	px := func(n float64) vg.Length { return vg.Length(n) * vg.Inch / 96 }
	at := func(x, y float64) vg.Point { return vg.Point{X: px(x), Y: px(listHigh - y)} }
	box := func(x, y, wide, high float64, ink color.Color) {
		c.SetColor(ink)
		c.Fill(vg.Rectangle{Min: at(x, y+high), Max: at(x+wide, y)}.Path())
	}
	style := func(size float64, ink color.Color) text.Style {
		return text.Style{Color: ink, Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, px(size)), Handler: plot.DefaultTextHandler, YAlign: text.YCenter}
	}
	// cut shortens a text to a width.
	cut := func(s text.Style, name string, most vg.Length) string {
		if s.Width(name) <= most {
			return name
		}
		letters := []rune(name)
		for len(letters) > 0 && s.Width(string(letters)+"…") > most {
			letters = letters[:len(letters)-1]
		}
		return string(letters) + "…"
	}
	big := style(46, words)
	c.FillText(big, at(48, 66), cut(big, title, px(listWide-96)))
	c.FillText(style(22, quiet), at(48, 602), below)
	tiers = tiers[:min(len(tiers), mostTiers)]
	high := 448 / float64(max(len(tiers), 5))
	name := style(min(26, high/3), words)
	for k, tier := range tiers {
		y := 116 + float64(k)*high
		paint, known := paints[tier.Colour]
		if !known {
			paint = quiet
		}
		box(48, y, 92, high-6, paint)
		box(140, y, listWide-188, high-6, color.White)
		letter := style(min(40, high/2), color.White)
		letter.XAlign = text.XCenter
		c.FillText(letter, at(94, y+(high-6)/2), cut(letter, tier.Letter, px(84)))
		x := 160.0
		for n, each := range tier.Names {
			room := px(listWide - 48 - 20 - x)
			if n > 0 && name.Width(each) > room {
				c.FillText(name, at(x, y+(high-6)/2), "…")
				break
			}
			shown := cut(name, each, room)
			c.FillText(name, at(x, y+(high-6)/2), shown)
			x += float64(name.Width(shown)/px(1)) + 28
		}
	}
	_, err := canvas.WriteTo(w)
	return err
}

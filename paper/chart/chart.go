// Package chart draws curves.
package chart

import (
	"fmt"
	"image/color"
	"image/png"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Chart is a picture with curves.
type Chart struct {
	Name   string  `json:"name"` // of its files
	Title  string  `json:"title"`
	X      string  `json:"x"` // what the axes show, with the unit
	Y      string  `json:"y"`
	Curves []Curve `json:"curves"`
	// Window, if above 1, draws means over that number of neighbouring points, and the points
	// themselves as a thin line behind: for curves that swing.
	Window int `json:"window,omitempty"`
	// Spread puts x at log(1 + x), for values that crowd near 0.
	Spread bool `json:"spread,omitempty"`
}

// Curve is a line through points. A hollow point stands for a value that is not defined.
type Curve struct {
	Label  string       `json:"label"`
	Points [][2]float64 `json:"points"`
	Hollow []int        `json:"hollow,omitempty"` // numbers of such points
	Errors []float64    `json:"errors,omitempty"` // standard errors, drawn as bars
	Strong bool         `json:"strong,omitempty"` // drawn with a thicker line
}

// Add adds a curve, unless it has no points.
func (c *Chart) Add(curve Curve) {
	if len(curve.Points) > 0 {
		c.Curves = append(c.Curves, curve)
	}
}

// The colours of Okabe and Ito, which colour-blind readers can distinguish; in grey
// their lightness differs, and dashes and markers differ anyway.
var (
	colours = []color.RGBA{
		{0x00, 0x00, 0x00, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x9e, 0x73, 0xff},
		{0xcc, 0x79, 0xa7, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0xe6, 0x9f, 0x00, 0xff},
	}
	dashes  = [][]vg.Length{nil, {6, 2}, {2, 2}, {8, 2, 2, 2}, {1, 3}}
	markers = []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{},
	}
)

// Pictures are as wide as a column and a half of a printed page.
const (
	pictureWidth = 15 * vg.Centimeter
	plotHeight   = 8.5 * vg.Centimeter
	pictureDPI   = 200
	legendSize   = vg.Length(9)
	legendRow    = vg.Length(9.8)
	legendMargin = vg.Length(7)
	thin         = vg.Length(0.5)
)

// plot draws the chart. Legends, one for each of two columns, come apart, to stand
// below the axes where they hide no curve.
func (c Chart) plot() (p *plot.Plot, legends [2]plot.Legend) {
	p = plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.Title.Padding = vg.Points(6)
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.Ticker(roundTicks{}), roundTicks{}
	if ticks := c.ticks(); ticks != nil {
		p.X.Tick.Marker = ticks
	}
	p.Add(grid())
	for n := range legends {
		legends[n] = plot.NewLegend()
		legends[n].Left, legends[n].Top, legends[n].ThumbnailWidth, legends[n].Padding = true, true, vg.Points(34), vg.Points(2)
		legends[n].TextStyle.Font.Size = legendSize
	}
	entries := 0
	add := func(label string, thumbnails ...plot.Thumbnailer) {
		legends[entries%2].Add(label, thumbnails...)
		entries++
	}
	for n, curve := range c.Curves {
		tint, xys := colours[n%len(colours)], c.points(n)
		if c.Window > 1 {
			p.Add(&plotter.Line{XYs: xys, LineStyle: draw.LineStyle{Width: thin, Color: color.NRGBA{tint.R, tint.G, tint.B, 0x70}}})
			xys = running(xys, c.Window)
		}
		line := &plotter.Line{XYs: xys, LineStyle: draw.LineStyle{Color: tint, Width: vg.Points(1.2), Dashes: dashes[n%len(dashes)]}}
		radius := vg.Points(2.8)
		if curve.Strong {
			line.Width, radius = vg.Points(1.8), vg.Points(4)
		}
		marks := &plotter.Scatter{XYs: every(xys, curve.Hollow, false), GlyphStyle: draw.GlyphStyle{Color: tint, Radius: radius, Shape: markers[n%len(markers)]}}
		p.Add(line, marks)
		if curve.Errors != nil {
			bars := &plotter.YErrorBars{XYs: xys, CapWidth: plotter.DefaultCapWidth, LineStyle: draw.LineStyle{Color: tint, Width: vg.Points(0.7)}}
			for _, e := range curve.Errors {
				bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{-e, e})
			}
			p.Add(bars)
		}
		add(curve.Label, line, marks)
		if len(curve.Hollow) > 0 {
			hollow := &plotter.Scatter{XYs: every(xys, curve.Hollow, true), GlyphStyle: draw.GlyphStyle{Color: tint, Radius: vg.Points(4.5), Shape: draw.RingGlyph{}}}
			p.Add(hollow)
			add(curve.Label+": not defined, value at 1", hollow)
		}
	}
	return p, legends
}

// height leaves room for the legends.
func (c Chart) height() vg.Length {
	entries := len(c.Curves)
	for _, curve := range c.Curves {
		if len(curve.Hollow) > 0 {
			entries++
		}
	}
	return plotHeight + legendMargin + legendRow*vg.Length((entries+1)/2)
}

func (c Chart) drawOn(canvas vg.CanvasSizer) {
	p, legends := c.plot()
	page := draw.New(canvas)
	room := c.height() - plotHeight
	p.Draw(draw.Crop(page, vg.Points(4), -vg.Points(10), room+vg.Points(6), -vg.Points(4)))
	for n := range legends {
		left := vg.Points(8) + vg.Length(n)*pictureWidth/2
		legends[n].Draw(draw.Crop(page, left, 0, 0, room-c.height()))
	}
}

// File is a file of a result: its name, and a function that writes its content.
type File struct {
	Name  string
	Write func(w io.Writer) error
}

// Files are the pictures of the chart, as SVG and as PNG.
func (c Chart) Files() []File {
	return []File{c.SVG(), {c.Name + ".png", c.writePNG}}
}

// SVG is the picture of the chart that pages show.
func (c Chart) SVG() File { return File{c.Name + ".svg", c.writeSVG} }

// Markdown shows the chart on a page; its files are in a folder, whose name ends in a slash if it has one.
func (c Chart) Markdown(folder string) string {
	return fmt.Sprintf("![%s: %s](%s%s.svg)", c.Title, c.Y, folder, c.Name)
}

func (c Chart) writeSVG(w io.Writer) error {
	canvas := vgsvg.New(pictureWidth, c.height())
	c.drawOn(canvas)
	_, err := canvas.WriteTo(w)
	return err
}

func (c Chart) writePNG(w io.Writer) error {
	canvas := vgimg.NewWith(vgimg.UseWH(pictureWidth, c.height()), vgimg.UseDPI(pictureDPI), vgimg.UseBackgroundColor(color.White))
	c.drawOn(canvas)
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	return encoder.Encode(w, canvas.Image())
}

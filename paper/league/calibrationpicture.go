package league

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fubini/use/odds"
)

// Colours that colour-blind people can tell apart.
var (
	oursColour  = color.NRGBA{R: 0, G: 114, B: 178, A: 255}
	otherColour = color.NRGBA{R: 213, G: 94, B: 0, A: 255}
	greyColour  = color.NRGBA{R: 150, G: 150, B: 150, A: 255}
)

// ReliabilityPicture draws what was given against what came, for the likeliest slot
// and all slots of each row, and writes it as svg or png.
func ReliabilityPicture(w io.Writer, rows []Odds, kind string) error {
	const side = 12 * vg.Centimeter
	p := plot.New()
	p.Title.Text = "What was given, and what came"
	p.X.Label.Text, p.Y.Label.Text = "odds given", "share that came"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(8), vg.Points(-8)
	same, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return err
	}
	same.Color = greyColour
	same.Dashes = []vg.Length{vg.Points(3), vg.Points(3)}
	p.Add(plotter.NewGrid(), same)
	for _, row := range rows {
		ink, shape := otherColour, draw.GlyphDrawer(draw.TriangleGlyph{})
		if row.Name == ourOdds {
			ink, shape = oursColour, draw.CircleGlyph{}
		}
		for _, t := range row.tables()[:2] {
			if err := addReliability(p, row.Name+", "+t.name, t.Reliability, ink, shape); err != nil {
				return err
			}
			ink.A /= 2
		}
	}
	to, err := p.WriterTo(side, side, kind)
	if err != nil {
		return fmt.Errorf("paper: %w", err)
	}
	_, err = to.WriteTo(w)
	return err
}

func addReliability(p *plot.Plot, name string, t odds.Reliability, ink color.NRGBA, shape draw.GlyphDrawer) error {
	at := make(plotter.XYs, len(t.Bins))
	for k, bin := range t.Bins {
		at[k] = plotter.XY{X: bin.P, Y: bin.Observed}
	}
	line, points, err := plotter.NewLinePoints(at)
	if err != nil {
		return err
	}
	line.Color, points.Color, points.Shape = ink, ink, shape
	p.Add(line, points)
	p.Legend.Add(name, line, points)
	return nil
}

package picture

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fubini/use/maps"
)

// Layer is a set of points of one kind in a picture.
type Layer struct {
	Name   string // in the legend; none if empty
	Points []maps.Point
	Labels []string // beside the points; nil means none
	Small  bool
}

// inks are colours that colour-blind readers can distinguish (Okabe and Ito); layers after the last begin again.
var inks = []color.NRGBA{
	{R: 0, G: 114, B: 178, A: 255}, {R: 213, G: 94, B: 0, A: 255}, {R: 0, G: 158, B: 115, A: 255}, {R: 204, G: 121, B: 167, A: 255},
	{R: 230, G: 159, B: 0, A: 255}, {R: 86, G: 180, B: 233, A: 255}, {R: 120, G: 120, B: 120, A: 255},
}

// Map draws layers of points, later ones on top, and writes them as svg or png. Both axes
// have the same scale.
func Map(w io.Writer, kind, title string, layers []Layer) error {
	const side = 16 * vg.Centimeter
	if err := check(kind); err != nil {
		return err
	}
	p := plot.New()
	p.Title.Text = title
	p.Legend.Top = true
	p.HideAxes()
	for n, layer := range layers {
		if len(layer.Points) == 0 {
			continue
		}
		at := make(plotter.XYs, len(layer.Points))
		for k, point := range layer.Points {
			at[k] = plotter.XY{X: point.X, Y: point.Y}
		}
		dots, err := plotter.NewScatter(at)
		if err != nil {
			return fmt.Errorf("picture: %w", err)
		}
		dots.Shape, dots.Radius, dots.Color = draw.CircleGlyph{}, vg.Points(2.5), inks[n%len(inks)]
		if layer.Small {
			dots.Radius = vg.Points(1.2)
		}
		if layer.Labels != nil {
			dots.Color = color.Black // as the texts
		}
		p.Add(dots)
		if layer.Name != "" {
			p.Legend.Add(layer.Name, dots)
		}
		if layer.Labels == nil {
			continue
		}
		texts, err := plotter.NewLabels(plotter.XYLabels{XYs: at, Labels: layer.Labels})
		if err != nil {
			return fmt.Errorf("picture: %w", err)
		}
		texts.Offset = vg.Point{X: vg.Points(3), Y: vg.Points(-2)}
		for k := range texts.TextStyle {
			texts.TextStyle[k].Font.Size = vg.Points(7)
		}
		p.Add(texts)
	}
	square(p)
	to, err := p.WriterTo(side, side, kind)
	if err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	_, err = to.WriteTo(w)
	return err
}

// square gives both axes the same length.
func square(p *plot.Plot) {
	half := max(p.X.Max-p.X.Min, p.Y.Max-p.Y.Min) / 2 * 1.05
	if !(half > 0) { // one point, or none
		half = 1
	}
	x, y := (p.X.Max+p.X.Min)/2, (p.Y.Max+p.Y.Min)/2
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x-half, x+half, y-half, y+half
}

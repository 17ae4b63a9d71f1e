package paper

import (
	"fmt"
	"image/color"
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
}

// Curve is a line through points. A hollow point stands for a value that is not
// one of the curve's own.
type Curve struct {
	Label  string       `json:"label"`
	Points [][2]float64 `json:"points"`
	Hollow []int        `json:"hollow,omitempty"` // numbers of such points
}

// The colours of Okabe and Ito, which colour-blind readers can tell apart; in grey
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
	pictureWidth  = 14 * vg.Centimeter
	pictureHeight = 9.5 * vg.Centimeter
	pictureDPI    = 200
)

// plot draws the chart. The legend stands outside the axes, where it hides no
// curve.
func (c Chart) plot() (*plot.Plot, *plot.Legend, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.Title.Padding = vg.Points(6)
	p.Add(plotter.NewGrid())
	legend := plot.NewLegend()
	legend.YPosition = draw.PosCenter
	legend.ThumbnailWidth = vg.Points(30)
	for n, curve := range c.Curves {
		xys := make(plotter.XYs, len(curve.Points))
		for k, point := range curve.Points {
			xys[k] = plotter.XY{X: point[0], Y: point[1]}
		}
		line, err := plotter.NewLine(xys)
		if err != nil {
			return nil, nil, fmt.Errorf("paper: curve %q of %s: %w", curve.Label, c.Name, err)
		}
		tint := colours[n%len(colours)]
		line.Color, line.Width, line.Dashes = tint, vg.Points(1.2), dashes[n%len(dashes)]
		marks, err := plotter.NewScatter(every(xys, curve.Hollow, false))
		if err != nil {
			return nil, nil, err
		}
		marks.GlyphStyle = draw.GlyphStyle{Color: tint, Radius: vg.Points(2.8), Shape: markers[n%len(markers)]}
		p.Add(line, marks)
		legend.Add(curve.Label, line, marks)
		if len(curve.Hollow) == 0 {
			continue
		}
		hollow, err := plotter.NewScatter(every(xys, curve.Hollow, true))
		if err != nil {
			return nil, nil, err
		}
		hollow.GlyphStyle = draw.GlyphStyle{Color: tint, Radius: vg.Points(4.5), Shape: draw.RingGlyph{}}
		p.Add(hollow)
		legend.Add(curve.Label+", not defined", hollow)
	}
	return p, &legend, nil
}

// every takes the points that are hollow, or those that are not; of long curves,
// about twenty.
func every(xys plotter.XYs, hollow []int, want bool) (out plotter.XYs) {
	stride := max(1, len(xys)/20)
	for k, xy := range xys {
		isHollow := false
		for _, h := range hollow {
			isHollow = isHollow || h == k
		}
		if isHollow == want && (want || k%stride == 0) {
			out = append(out, xy)
		}
	}
	return out
}

func (c Chart) drawOn(canvas vg.CanvasSizer) error {
	p, legend, err := c.plot()
	if err != nil {
		return err
	}
	page := draw.New(canvas)
	space := legend.Rectangle(page).Size().X
	legend.Draw(draw.Crop(page, 0, -vg.Points(4), 0, 0))
	p.Draw(draw.Crop(page, vg.Points(4), -space-vg.Points(14), vg.Points(4), -vg.Points(4)))
	return nil
}

// WriteSVG and WritePNG draw the picture.
func (c Chart) WriteSVG(w io.Writer) error {
	canvas := vgsvg.New(pictureWidth, pictureHeight)
	if err := c.drawOn(canvas); err != nil {
		return err
	}
	_, err := canvas.WriteTo(w)
	return err
}

// WritePNG draws the picture in pixels.
func (c Chart) WritePNG(w io.Writer) error {
	canvas := vgimg.NewWith(vgimg.UseWH(pictureWidth, pictureHeight), vgimg.UseDPI(pictureDPI), vgimg.UseBackgroundColor(color.White))
	if err := c.drawOn(canvas); err != nil {
		return err
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

package picture

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fubini/use/board"
)

var (
	ink    = color.RGBA{0x1f, 0x4f, 0xbf, 0xff} // of what is fitted
	shade  = color.RGBA{0xee, 0xf2, 0xfb, 0xff} // of every other tier
	rulers = color.RGBA{0xd8, 0xdd, 0xd8, 0xff}
)

// Forest draws a board as SVG or PNG: for each item, best first, its name, its ranks, its worth and the
// interval, shaded tier by tier. The function at maps worths to the scale of the axis, which is labelled.
func Forest(w io.Writer, kind, title, axis string, b *board.Board, names []string, at func(worth float64) float64) error {
	if err := check(kind); err != nil {
		return err
	}
	n := len(b.Rows)
	p := plot.New()
	p.Title.Text, p.X.Label.Text = title, axis
	p.Title.Padding = vg.Points(8)
	low, high := math.Inf(1), math.Inf(-1)
	points, bars := make(plotter.XYs, n), make(plotter.XErrors, n)
	var ticks []plot.Tick
	for k, row := range b.Rows {
		y := float64(n - k)
		x := at(row.Worth)
		points[k] = plotter.XY{X: x, Y: y}
		bars[k].Low, bars[k].High = at(row.Low)-x, at(row.High)-x
		low, high = min(low, at(row.Low)), max(high, at(row.High))
		ranks := fmt.Sprint(row.RankLow)
		if row.RankHigh > row.RankLow {
			ranks += fmt.Sprintf("–%d", row.RankHigh)
		}
		ticks = append(ticks, plot.Tick{Value: y, Label: fmt.Sprintf("%s  %s", names[row.Item], ranks)})
	}
	margin := (high - low) / 30
	for first := 0; first < n; {
		end := first + 1
		for end < n && b.Rows[end].Tier == b.Rows[first].Tier {
			end++
		}
		if b.Rows[first].Tier%2 == 0 {
			top, bottom := float64(n-first)+0.5, float64(n-end)+0.5
			band, err := plotter.NewPolygon(plotter.XYs{{X: low - margin, Y: top}, {X: high + margin, Y: top}, {X: high + margin, Y: bottom}, {X: low - margin, Y: bottom}})
			if err != nil {
				return fmt.Errorf("picture: %w", err)
			}
			band.Color, band.LineStyle.Width = shade, 0
			p.Add(band)
		}
		first = end
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = rulers, color.Transparent
	intervals := &plotter.XErrorBars{XYs: points, XErrors: bars, LineStyle: draw.LineStyle{Color: ink, Width: vg.Points(1.2)}, CapWidth: vg.Points(4)}
	dots := &plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: ink, Radius: vg.Points(2.4), Shape: draw.CircleGlyph{}}}
	p.Add(grid, intervals, dots)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low-margin, high+margin, 0.5, float64(n)+0.5
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.LineStyle.Width = plot.ConstantTicks(ticks), 0, 0
	p.X.Tick.Marker = roundTicks{}
	picture, err := draw.NewFormattedCanvas(18*vg.Centimeter, 3*vg.Centimeter+vg.Length(n)*0.52*vg.Centimeter, kind)
	if err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	whole := draw.New(picture)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	const edge = 0.3 * vg.Centimeter // names are drawn a little beyond the room that they are given
	p.Draw(draw.Crop(whole, edge, -edge, edge/2, -edge/2))
	_, err = picture.WriteTo(w)
	return err
}

// roundTicks are ticks at multiples of 1, 2 or 5 times a power of ten, about six of them.
type roundTicks struct{}

// Ticks implements [plot.Ticker].
func (roundTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/6)))
	for _, times := range []float64{5, 2} {
		if (high-low)/(times*step) >= 4 {
			step *= times
			break
		}
	}
	digits := int(max(0, math.Ceil(-math.Log10(step)-1e-9)))
	for k := math.Ceil(low / step); k <= math.Floor(high/step); k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: fmt.Sprintf("%.*f", digits, k*step+0)})
	}
	return ticks
}

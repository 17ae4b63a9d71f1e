package chart

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// across is where x stands on the axis.
func (c Chart) across(x float64) float64 {
	if c.Spread {
		return math.Log1p(x)
	}
	return x
}

// points are those of curve n as the plotter has them. Curves with bars stand a little
// apart, so that bars do not hide each other.
func (c Chart) points(n int) plotter.XYs {
	curve := c.Curves[n]
	xys := make(plotter.XYs, len(curve.Points))
	for k, point := range curve.Points {
		xys[k] = plotter.XY{X: c.across(point[0]), Y: point[1]}
	}
	if curve.Errors != nil {
		step := 0.006 * (xys[len(xys)-1].X - xys[0].X)
		for k := range xys {
			xys[k].X += step * (float64(n) - float64(len(c.Curves)-1)/2)
		}
	}
	return xys
}

// running is the mean over a window of neighbouring points; at the ends, of those there
// are.
func running(xys plotter.XYs, window int) plotter.XYs {
	out := make(plotter.XYs, len(xys))
	for k := range xys {
		from, to := max(0, k-window/2), min(len(xys), k+window/2+1)
		out[k].X = xys[k].X
		for _, xy := range xys[from:to] {
			out[k].Y += xy.Y / float64(to-from)
		}
	}
	return out
}

// grid is paler than any curve.
func grid() *plotter.Grid {
	g := plotter.NewGrid()
	pale := color.Gray{0xdd}
	g.Vertical.Color, g.Horizontal.Color = pale, pale
	return g
}

// roundTicks are at round numbers, about six of them.
type roundTicks struct{}

// Ticks implements [plot.Ticker].
func (roundTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/6)))
	for _, times := range []float64{1, 2, 5, 10} {
		if (high-low)/(times*step) <= 7 {
			step *= times
			break
		}
	}
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		at := k*step + 0 // no minus before 0
		ticks = append(ticks, plot.Tick{Value: at, Label: strconv.FormatFloat(at, 'f', decimals, 64)})
	}
	return ticks
}

// ticks are at the points themselves where these are few, but for those whose
// numbers would run into each other.
func (c Chart) ticks() plot.ConstantTicks {
	if len(c.Curves) == 0 || len(c.Curves[0].Points) > 12 {
		return nil
	}
	points := c.Curves[0].Points
	width := c.across(points[len(points)-1][0]) - c.across(points[0][0])
	var ticks plot.ConstantTicks
	last := math.Inf(-1)
	for _, p := range points {
		tick := plot.Tick{Value: c.across(p[0])}
		if tick.Value-last >= 0.04*width {
			tick.Label, last = strconv.FormatFloat(p[0], 'g', -1, 64), tick.Value
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// every takes the points that are hollow, or those that are not; of long curves,
// about twenty.
func every(xys plotter.XYs, hollow []int, want bool) (out plotter.XYs) {
	step := max(1, len(xys)/20)
	for k, xy := range xys {
		if slices.Contains(hollow, k) == want && (want || k%step == 0) {
			out = append(out, xy)
		}
	}
	return out
}

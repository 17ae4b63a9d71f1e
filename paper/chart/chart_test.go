package chart

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// Ticks are round numbers inside the axis, four to eight of them, and 0 has no sign.
func TestTicksAreRound(t *testing.T) {
	for _, axis := range [][2]float64{{0, 1}, {-0.001, 0.98}, {0.66, 0.72}, {1, 100}, {-130, -9}, {0.4946, 0.6537}, {-3, 4e6}} {
		ticks := roundTicks{}.Ticks(axis[0], axis[1])
		if len(ticks) < 3 || len(ticks) > 8 {
			t.Errorf("%v: %d ticks", axis, len(ticks))
		}
		for _, tick := range ticks {
			if tick.Value < axis[0]-1e-6 || tick.Value > axis[1]+1e-6*axis[1] || tick.Value == 0 && strings.HasPrefix(tick.Label, "-") {
				t.Errorf("%v: tick %q at %g", axis, tick.Label, tick.Value)
			}
		}
	}
}

// A running mean leaves a straight line where it is but for its ends, and flattens a saw.
func TestRunningMean(t *testing.T) {
	var straight, saw plotter.XYs
	for k := range 20 {
		straight = append(straight, plotter.XY{X: float64(k), Y: 2 * float64(k)})
		saw = append(saw, plotter.XY{X: float64(k), Y: float64(k % 2)})
	}
	for k, xy := range running(straight, 5)[2:18] {
		if !(math.Abs(xy.Y-straight[k+2].Y) <= 1e-12) {
			t.Errorf("%v became %v", straight[k+2], xy)
		}
	}
	for _, xy := range running(saw, 5) {
		if !(math.Abs(xy.Y-0.5) <= 0.17) { // two or three of five, one or two of three at the ends
			t.Errorf("%v of a saw", xy)
		}
	}
}

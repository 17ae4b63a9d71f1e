package knob_test

import (
	"math"
	"testing"

	"fubini/core/knob"
)

// A share of the way through a range: names have equal parts of it, the end belongs to
// the last; on a scale of logarithms half the way is the geometric mean.
func TestSharesOfARange(t *testing.T) {
	names := knob.Knob{Names: []string{"red", "green", "blue"}, Low: 0, High: 2}
	for share, want := range map[float64]float64{0: 0, 0.33: 0, 0.34: 1, 0.66: 1, 0.67: 2, 0.99: 2, 1: 2} {
		if got := names.At(share); got != want {
			t.Errorf("%g of three names is %g, want %g", share, got, want)
		}
	}
	for _, c := range []struct {
		knob        knob.Knob
		share, want float64
	}{
		{knob.Knob{Low: 2, High: 6}, 0.25, 3},
		{knob.Knob{Low: 2, High: 6}, 1, 6},
		{knob.Knob{Low: 0.01, High: 100, Log: true}, 0.5, 1},
		{knob.Knob{Low: 0.01, High: 100, Log: true}, 0.75, 10},
		{knob.Knob{Low: 1, High: 4, Whole: true}, 0.4, 2},
		{knob.Knob{Low: 1, High: 4, Whole: true}, 1, 4},
	} {
		if got := c.knob.At(c.share); !(math.Abs(got-c.want) <= 1e-12*c.want) {
			t.Errorf("%g of the way from %g to %g is %g, want %g", c.share, c.knob.Low, c.knob.High, got, c.want)
		}
	}
}

package distributed

import (
	"errors"
	"math"
	"testing"

	"fubini/learn/ascent"
)

// A gradient that is too large for a sum of whole numbers is divergence, not a number.
func TestLargeGradientsAreDivergence(t *testing.T) {
	p, parts := halves(t, 2)
	for _, steep := range []float64{1e12, 1e300} {
		at := p.Start()
		for k := range at.Now.V {
			at.Now.W[k], at.Now.V[k] = steep*math.Sin(float64(k)), math.Cos(float64(k))
		}
		if sum, err := p.Gradient(t.Context(), at, parts[0], 1); !errors.Is(err, ascent.ErrDiverged) {
			t.Errorf("weights of %g: %v, %v", steep, sum != nil, err)
		}
	}
}

// The first of several rounds is half as long, because it starts without a correction; a single one is all there is.
func TestFirstRound(t *testing.T) {
	p, _ := halves(t, 5)
	if !p.Corrected {
		t.Fatal("a plan without corrections")
	}
	for rounds, want := range map[int]int{1: 5, 2: 3, 7: 3} {
		p.Rounds = rounds
		if got := p.until(0); got != want {
			t.Errorf("%d rounds of 5 epochs: the first ends after %d, not %d", rounds, got, want)
		}
	}
}

package bayes

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/infer/stattest"
)

// uniformBins counts draws in bins that are equally likely under a distribution
// function, and returns the chi-square probability of such counts.
func uniformBins(n int, draw func() float64, below func(x float64) float64) float64 {
	const bins = 20
	observed, expected := make([]int, bins), make([]float64, bins)
	for k := range expected {
		expected[k] = float64(n) / bins
	}
	for range n {
		observed[min(bins-1, max(0, int(bins*below(draw()))))]++
	}
	return stattest.ChiSquare(observed, expected)
}

// Intervals of every kind: wide and narrow, around zero, in either tail, open.
func TestTruncatedNormal(t *testing.T) {
	r := rng.Stream(1, "truncated normal")
	inf := math.Inf(1)
	for _, ends := range [][2]float64{
		{-inf, inf}, {-1, 2}, {-0.3, 0.4}, {0.1, 0.9}, {0.5, inf}, {-inf, -2}, {2, 2.3}, {2, 5}, {6, inf}, {-9, -8}, {30, inf}, {-inf, 1.5}, {-3, -0.1}, {40, 41},
	} {
		low, high := ends[0], ends[1]
		left, right := low, high
		sign := 1.0
		if low > 0 { // the distribution function is accurate on the left
			left, right, sign = -high, -low, -1
		}
		below := func(x float64) float64 {
			if !(x >= low && x <= high) {
				t.Fatalf("%g is not between %g and %g", x, low, high)
			}
			if low > 35 { // too far out for the function: nearly exponential
				return 1 - math.Exp(-low*(x-low)-(x-low)*(x-low)/2)
			}
			return (normalBelow(sign*x) - normalBelow(left)) / (normalBelow(right) - normalBelow(left))
		}
		n := 20000
		if low > 35 {
			n = 2000
		}
		if p := uniformBins(n, func() float64 { return truncatedNormal(r, low, high) }, below); !(p > 1e-6) {
			t.Errorf("between %g and %g: chi-square p %g", low, high, p)
		}
	}
	// The test sees a draw from the wrong end of a narrow interval's slope.
	wrong := func() float64 { return 3 + 0.5*r.Float64() }
	below := func(x float64) float64 {
		return (normalBelow(-3) - normalBelow(-x)) / (normalBelow(-3) - normalBelow(-3.5))
	}
	if p := uniformBins(20000, wrong, below); !(p < 1e-6) {
		t.Errorf("a uniform draw passes for a normal one: p %g", p)
	}
}

// Shapes of which the distribution function is elementary.
func TestGammaDraw(t *testing.T) {
	r := rng.Stream(1, "gamma")
	for _, c := range []struct {
		shape, rate float64
		below       func(x float64) float64
	}{
		{0.5, 0.5, func(x float64) float64 { return math.Erf(math.Sqrt(x / 2)) }},
		{1, 2, func(x float64) float64 { return 1 - math.Exp(-2*x) }},
		{3, 0.7, func(x float64) float64 { x *= 0.7; return 1 - math.Exp(-x)*(1+x+x*x/2) }},
	} {
		if p := uniformBins(50000, func() float64 { return gammaDraw(r, c.shape, c.rate) }, c.below); !(p > 1e-6) {
			t.Errorf("shape %g, rate %g: chi-square p %g", c.shape, c.rate, p)
		}
	}
}

func TestIntervalCurveByDifferences(t *testing.T) {
	const h = 1e-4
	inf := math.Inf(1)
	for _, ends := range [][2]float64{{-inf, 0.3}, {-0.5, 0.2}, {1, 1.4}, {3, inf}, {-4, -3}} {
		at := func(mean float64) (log, slope, curvature float64) {
			return intervalCurve(ends[0]-mean, ends[1]-mean)
		}
		_, slope, curvature := at(0)
		up, slopeUp, _ := at(h)
		down, slopeDown, _ := at(-h)
		// Central differences are right to h² times the third derivative, here below 10.
		if want := (up - down) / (2 * h); !(math.Abs(slope-want) <= 1e-6) {
			t.Errorf("%v: slope %g, by differences %g", ends, slope, want)
		}
		if want := -(slopeUp - slopeDown) / (2 * h); !(math.Abs(curvature-want) <= 1e-6) {
			t.Errorf("%v: curvature %g, by differences %g", ends, curvature, want)
		}
	}
}

func TestCutCurveByDifferences(t *testing.T) {
	r := rng.Stream(1, "cut curve")
	var means, levels []float64
	for range 300 {
		means = append(means, r.NormFloat64())
		levels = append(levels, float64(r.IntN(5)))
	}
	at := []float64{-1.2, -0.4, 0.1, 1}
	curve := func(at []float64) cutCurve {
		c := newCutCurve(len(at))
		c.addRatings(at, [][]float64{means}, [][]float64{levels})
		return c
	}
	here := curve(at)
	var direct float64
	for k, mean := range means {
		low, high := interval(at, int(levels[k]))
		direct += math.Log(normalBelow(high-mean) - normalBelow(low-mean))
	}
	if !(math.Abs(here.log-direct) <= 1e-9) {
		t.Errorf("log likelihood %g, directly %g", here.log, direct)
	}
	const h = 1e-4
	for k := range at {
		moved := func(by float64) cutCurve {
			x := append([]float64{}, at...)
			x[k] += by
			return curve(x)
		}
		up, down := moved(h), moved(-h)
		close := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-4*(1+math.Abs(want))) { // 300 third derivatives times h²
				t.Errorf("%s %d: %g, by differences %g", what, k, got, want)
			}
		}
		close("slope", here.slope[k], (up.log-down.log)/(2*h))
		close("curvature", here.matrix[k*len(at)+k], -(up.slope[k]-down.slope[k])/(2*h))
		if k > 0 {
			close("curvature before", here.matrix[k*len(at)+k-1], -(up.slope[k-1]-down.slope[k-1])/(2*h))
		}
	}
}

// A proposal's density is that of a normal distribution: forward and backward
// computations agree on the same step.
func TestProposalDensity(t *testing.T) {
	curve := func() cutCurve {
		return cutCurve{slope: []float64{1, -2, 0.5}, matrix: []float64{4, 0, 0, -1, 5, 0, 0, -2, 6}}
	}
	from, to, normal := []float64{0, 1, 2}, make([]float64, 3), []float64{0.3, -1, 2}
	c := curve()
	forward := c.propose(from, normal, to)
	again := curve()
	if got := again.logDensity(from, to, make([]float64, 3)); !(math.Abs(got-forward) <= 1e-12) {
		t.Errorf("log density %g when drawn, %g when asked", forward, got)
	}
}

package logprob_test

import (
	"fmt"
	"math"
	"testing"

	"fubini/core/logprob"
)

func close(t *testing.T, name string, got, want float64) {
	t.Helper()
	if got == want { // infinities
		return
	}
	// A few rounding errors of the larger magnitude.
	if !(math.Abs(got-want) <= 4e-16*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g", name, got, want)
	}
}

func TestSumExp(t *testing.T) {
	zero := logprob.Zero
	for _, c := range []struct {
		in   []float64
		want float64
	}{
		{nil, zero},
		{[]float64{zero, zero}, zero},
		{[]float64{zero, 0}, 0},
		{[]float64{3}, 3},
		{[]float64{0, 0, 0, 0}, math.Log(4)},
		{[]float64{1000, 1000}, 1000 + math.Ln2},
		{[]float64{-1000, -1000}, -1000 + math.Ln2},
		{[]float64{math.Inf(1), 0}, math.Inf(1)},
	} {
		close(t, fmt.Sprintf("SumExp(%v)", c.in), logprob.SumExp(c.in), c.want)
		close(t, fmt.Sprintf("MeanExp(%v)", c.in), logprob.MeanExp(c.in), meanFrom(c.want, len(c.in)))
	}
	if got := logprob.SumExp([]float64{0, math.NaN(), 1}); !math.IsNaN(got) {
		t.Errorf("a NaN among the terms was swallowed: %g", got)
	}
}

func meanFrom(sum float64, n int) float64 {
	if n == 0 {
		return logprob.Zero
	}
	return sum - math.Log(float64(n))
}

func TestAddAgreesWithSumExp(t *testing.T) {
	values := []float64{logprob.Zero, -800, -3, 0, 1e-9, 5, 700, 900}
	for _, a := range values {
		for _, b := range values {
			close(t, fmt.Sprintf("Add(%g, %g)", a, b), logprob.Add(a, b), logprob.SumExp([]float64{a, b}))
		}
	}
}

func TestLogisticAndLog1pExp(t *testing.T) {
	for _, x := range []float64{-750, -30, -1, 0, 1, 30, 750} {
		close(t, fmt.Sprintf("Logistic(%g)", x), logprob.Logistic(x), math.Exp(-logprob.Log1pExp(-x)))
		close(t, fmt.Sprintf("Log1pExp(%g)", x), logprob.Log1pExp(x), logprob.Add(0, x))
	}
}

func ExampleMeanExp() {
	// Two importance weights, e^1000 and e^1002: far outside float64 themselves.
	fmt.Printf("%.4f\n", logprob.MeanExp([]float64{1000, 1002}))
	// Output: 1001.4338
}

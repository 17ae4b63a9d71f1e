package main

import (
	"math"
	"testing"
)

func TestMean(t *testing.T) {
	m, half := mean([]float64{1, 2, 3, 4})
	// Variance 5/3, of the mean 5/12.
	if !(math.Abs(m-2.5) <= 1e-12) || !(math.Abs(half-1.96*math.Sqrt(5.0/12)) <= 1e-12) {
		t.Errorf("%g ± %g", m, half)
	}
}

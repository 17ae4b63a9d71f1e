package fitting

import "fubini/core/vec"

// Dot is the inner product of x with the first len(x) elements of y. It adds even and odd places apart.
func Dot(x, y []float64) float64 {
	var a, b float64
	y = y[:len(x)]
	d := 0
	for ; d+1 < len(x); d += 2 {
		a += x[d] * y[d]
		b += x[d+1] * y[d+1]
	}
	if d < len(x) {
		a += x[d] * y[d]
	}
	return a + b
}

// Add adds c times the first len(x) elements of y to x.
func Add(x []float64, c float64, y []float64) { vec.AddTimes(x, y[:len(x)], c) }

// Resize returns a slice of n numbers of any value, in the space of s where it suffices.
func Resize(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, 2*n)
	}
	return s[:n]
}

package fitting

import (
	"fubini/core/cholesky"
	"fubini/core/vec"
	"fubini/data/ratings"
)

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

// RidgeParts turns residuals at the mean of the prior into the parts of observations in a prediction. A ridge regression
// on rows x_k, with these precisions of the coefficients, predicts v . M^-1 sum_k x_k residual_k more than the prior
// does for a row v, with M = precision + sum_k x_k x_k'. It overwrites v.
func RidgeParts(precision, v []float64, rows [][]float64, residuals []float64) {
	matrix := make([]float64, len(v)*len(v))
	for d, p := range precision {
		matrix[d*len(v)+d] = p
	}
	for _, x := range rows {
		cholesky.AddOuter(matrix, 1, x)
	}
	cholesky.MustSolve(matrix, v)
	for k, x := range rows {
		residuals[k] *= Dot(v, x)
	}
}

// Columns has the ratings of each item: in place of the items of a row its users, ascending.
func Columns(set *ratings.Set) []ratings.Row {
	columns := make([]ratings.Row, set.Items().Len())
	for u := range set.Users().Len() {
		row := set.Row(u)
		for k, i := range row.Items {
			columns[i].Items, columns[i].Values = append(columns[i].Items, uint32(u)), append(columns[i].Values, row.Values[k])
		}
	}
	return columns
}

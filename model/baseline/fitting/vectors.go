package fitting

import (
	"slices"

	"fubini/core/cholesky"
	"fubini/core/vec"
	"fubini/data/ratings"
)

// Dot is the inner product of x and the first len(x) elements of y. It sums even and odd positions separately.
func Dot(x, y []float64) float64 {
	var a, b float64
	y = y[:len(x)]
	d := 0
	for ; d+1 < len(x); d += 2 {
		a += float64(x[d] * y[d])
		b += float64(x[d+1] * y[d+1])
	}
	if d < len(x) {
		a += float64(x[d] * y[d])
	}
	return a + b
}

// Add adds c times the first len(x) elements of y to x.
func Add(x []float64, c float64, y []float64) { vec.AddTimes(x, y[:len(x)], c) }

// Resize returns a slice of n numbers with unspecified values. It uses the space of s if that is enough.
func Resize(s []float64, n int) []float64 {
	return slices.Grow(s[:0], n)[:n]
}

// RidgeParts divides a prediction of a ridge regression among its observations. With features x_k, residuals r_k at the
// prior mean and M = diag(precision) + sum_k x_k x_k', the prediction for features v is v' M^-1 sum_k x_k r_k above that
// of the prior mean. The part of observation k, v' M^-1 x_k r_k, replaces r_k; v is overwritten.
func RidgeParts(precision, v []float64, rows [][]float64, residuals []float64) {
	matrix := make([]float64, len(v)*len(v))
	for d, p := range precision {
		matrix[d*len(v)+d] = p
	}
	for _, x := range rows {
		cholesky.AddOuter(matrix, 1, x)
	}
	cholesky.Must(cholesky.Solve(matrix, v))
	for k, x := range rows {
		residuals[k] *= Dot(v, x)
	}
}

// Columns lists the ratings by item. Row i has the users who rated item i, ascending, in its field Items.
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

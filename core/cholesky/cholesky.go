// Package cholesky solves linear systems whose matrix is symmetric and positive definite. Where it solves, products are rounded before they are added, also on
// processors that could do both at once.
package cholesky

import (
	"math"
	"slices"
)

// Factorise replaces the lower triangle of a symmetric n x n matrix A by L with A = L Lᵀ. It is false if A is not
// positive definite. Elements above the diagonal are neither read nor written.
func Factorise(a []float64, n int) bool {
	for r := range n {
		row := a[r*n : r*n+r+1]
		for c := range r {
			above := a[c*n : c*n+c+1]
			sum := row[c]
			for k, x := range above[:c] {
				sum -= float64(x * row[k])
			}
			row[c] = sum / above[c]
		}
		sum := row[r]
		for _, x := range row[:r] {
			sum -= float64(x * x)
		}
		if !(sum > 0) {
			return false
		}
		row[r] = math.Sqrt(sum)
	}
	return true
}

// SolveLower replaces x by the solution y of L y = x.
func SolveLower(l []float64, x []float64) {
	n := len(x)
	for r := range x {
		row := l[r*n : r*n+r+1]
		sum := x[r]
		for c, y := range x[:r] {
			sum -= float64(row[c] * y)
		}
		x[r] = sum / row[r]
	}
}

// SolveUpper replaces x by the solution y of Lᵀ y = x.
func SolveUpper(l []float64, x []float64) {
	n := len(x)
	for r := n - 1; r >= 0; r-- {
		row := l[r*n : r*n+r+1]
		y := x[r] / row[r]
		x[r] = y
		for c := range r {
			x[c] -= float64(row[c] * y)
		}
	}
}

// Solve replaces x by the solution y of A y = x, and the lower triangle of A by L. It is false if A is not positive
// definite.
func Solve(a, x []float64) bool {
	if !Factorise(a, len(x)) {
		return false
	}
	SolveLower(a, x)
	SolveUpper(a, x)
	return true
}

// SolveRaised returns the solution y of A y = x, and whether the symmetric A is positive definite. Where it is not, its
// diagonal is first raised, by larger and larger parts of itself, until it is. Of A only the lower triangle is read.
func SolveRaised(a, x []float64) (y []float64, definite bool) {
	n := len(x)
	for more := 0.0; more < 1e6; more = max(1e-3, 4*more) {
		raised := slices.Clone(a)
		for k := range n {
			raised[k*(n+1)] += float64(more * math.Max(1, math.Abs(a[k*(n+1)])))
		}
		y = slices.Clone(x)
		if Solve(raised, y) {
			return y, more == 0
		}
	}
	return make([]float64, n), false
}

// Must panics if a factorisation failed; for matrices that are positive definite by construction.
func Must(factorised bool) {
	if !factorised {
		panic("cholesky: the sum of a positive definite matrix and squares is not positive definite")
	}
}

// AddOuter adds weight x xᵀ to the lower triangle of a symmetric matrix.
func AddOuter(a []float64, weight float64, x []float64) {
	n := len(x)
	for r, v := range x {
		row, scaled := a[r*n:r*n+r+1], weight*v
		for c := range row {
			row[c] += float64(scaled * x[c])
		}
	}
}

// Times writes A x for a symmetric matrix of which the lower triangle is given.
func Times(a, x, out []float64) {
	n := len(x)
	clear(out)
	for r := range x {
		row := a[r*n : r*n+r+1]
		for c, v := range row[:r] {
			out[r] += float64(v * x[c])
			out[c] += float64(v * x[r])
		}
		out[r] += float64(row[r] * x[r])
	}
}

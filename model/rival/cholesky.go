package rival

import "math"

// factorise replaces the lower triangle of a symmetric n x n matrix A by L with
// A = L Lᵀ. It is false if A is not positive definite. What stands above the
// diagonal is neither read nor written.
func factorise(a []float64, n int) bool {
	for r := range n {
		row := a[r*n : r*n+r+1]
		for c := range r {
			above := a[c*n : c*n+c+1]
			sum := row[c]
			for k, x := range above[:c] {
				sum -= x * row[k]
			}
			row[c] = sum / above[c]
		}
		sum := row[r]
		for _, x := range row[:r] {
			sum -= x * x
		}
		if !(sum > 0) {
			return false
		}
		row[r] = math.Sqrt(sum)
	}
	return true
}

// solveLower replaces x by the solution y of L y = x.
func solveLower(l []float64, x []float64) {
	n := len(x)
	for r := range x {
		row := l[r*n : r*n+r+1]
		sum := x[r]
		for c, y := range x[:r] {
			sum -= row[c] * y
		}
		x[r] = sum / row[r]
	}
}

// solveUpper replaces x by the solution y of Lᵀ y = x.
func solveUpper(l []float64, x []float64) {
	n := len(x)
	for r := n - 1; r >= 0; r-- {
		row := l[r*n : r*n+r+1]
		y := x[r] / row[r]
		x[r] = y
		for c := range r {
			x[c] -= row[c] * y
		}
	}
}

// mustFactorise is for matrices that cannot but be positive definite: a prior's
// precision, which was factorised before, with squares added.
func mustFactorise(a []float64, n int) {
	if !factorise(a, n) {
		panic("rival: the sum of a positive definite matrix and squares is not positive definite")
	}
}

// timesSymmetric writes A x for a symmetric matrix of which the lower triangle is
// given.
func timesSymmetric(a, x, out []float64) {
	n := len(x)
	clear(out)
	for r := range x {
		row := a[r*n : r*n+r+1]
		for c, v := range row[:r] {
			out[r] += v * x[c]
			out[c] += v * x[r]
		}
		out[r] += row[r] * x[r]
	}
}

package cholesky_test

import (
	"math"
	"testing"

	"fubini/core/cholesky"
)

func TestFactorise(t *testing.T) {
	// By hand: L = (2 0 0; 1 3 0; -1 0.5 1).
	a := []float64{4, 99, 99, 2, 10, 99, -2, 0.5, 2.25}
	x := []float64{1, 2, 3}
	product := make([]float64, 3)
	cholesky.Times(a, x, product)
	if want := [3]float64{2, 23.5, 5.75}; [3]float64(product) != want {
		t.Errorf("A x is %v, by hand %v", product, want)
	}
	if !cholesky.Factorise(a, 3) {
		t.Fatal("refused")
	}
	for k, want := range []float64{2, 99, 99, 1, 3, 99, -1, 0.5, 1} {
		if !(math.Abs(a[k]-want) <= 1e-14) {
			t.Fatalf("L is %v", a)
		}
	}
	cholesky.SolveLower(a, product)
	cholesky.SolveUpper(a, product)
	for k := range x {
		if !(math.Abs(product[k]-x[k]) <= 1e-12) {
			t.Errorf("solved for %v instead of %v", product, x)
		}
	}
	if cholesky.Factorise([]float64{1, 0, 2, 1}, 2) || cholesky.Factorise([]float64{math.NaN()}, 1) {
		t.Error("factorised what is not positive definite")
	}
}

// Sums of squares are solved, and a matrix that is not positive definite is refused.
func TestSolve(t *testing.T) {
	a := []float64{1, 0, 0, 1}
	cholesky.AddOuter(a, 2, []float64{1, 3}) // 3 6, 6 19
	x := []float64{9, 25}                    // of 1, 1
	if !cholesky.Solve(a, x) || !(math.Abs(x[0]-1) <= 1e-12) || !(math.Abs(x[1]-1) <= 1e-12) {
		t.Errorf("solution %v", x)
	}
	if cholesky.Solve([]float64{1, 0, 2, 1}, x) {
		t.Error("a matrix with a negative eigenvalue has a solution")
	}
}

// A matrix that is not positive definite is raised until the solution goes uphill; a definite one stays as it is.
func TestSolveRaised(t *testing.T) {
	x := []float64{1, 2}
	y, definite := cholesky.SolveRaised([]float64{2, 0, 1, 3}, x) // [2 1; 1 3]
	if !definite || math.Abs(2*y[0]+y[1]-1) > 1e-12 || math.Abs(y[0]+3*y[1]-2) > 1e-12 {
		t.Errorf("solution %v, definite %v", y, definite)
	}
	y, definite = cholesky.SolveRaised([]float64{-2, 0, 1, 3}, x)
	if uphill := x[0]*y[0] + x[1]*y[1]; definite || !(uphill > 0) {
		t.Errorf("of an indefinite matrix: %v, definite %v", y, definite)
	}
	if y, _ = cholesky.SolveRaised([]float64{math.NaN(), 0, 1, 3}, x); y[0] != 0 || y[1] != 0 {
		t.Errorf("of no numbers: %v", y)
	}
}

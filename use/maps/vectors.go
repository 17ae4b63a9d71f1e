package maps

import (
	"fmt"
	"math"
)

// Vectors are rows of Dim numbers each.
type Vectors struct {
	Dim  int
	Data []float64 // row by row
}

// Len is the number of rows.
func (v Vectors) Len() int {
	if v.Dim == 0 {
		return 0
	}
	return len(v.Data) / v.Dim
}

// Row is a view of one row.
func (v Vectors) Row(n int) []float64 { return v.Data[n*v.Dim : (n+1)*v.Dim : (n+1)*v.Dim] }

// check refuses empty vectors and numbers that are not finite.
func (v Vectors) check() error {
	if v.Dim < 1 || len(v.Data) == 0 || len(v.Data)%v.Dim != 0 {
		return fmt.Errorf("maps: %d numbers in rows of %d; there must be a vector, and a model without hidden units has none", len(v.Data), v.Dim)
	}
	for at, x := range v.Data {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("maps: vector %d holds %g; all numbers must be finite", at/v.Dim, x)
		}
	}
	return nil
}

// Point is a place on a flat map.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// distance2 is the squared distance of two rows.
func distance2(a, b []float64) (sum float64) {
	for j, x := range a {
		d := x - b[j]
		sum += d * d
	}
	return sum
}

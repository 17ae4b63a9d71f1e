package maps

import (
	"fmt"
	"math"
)

// Vectors are rows of as many numbers each.
type Vectors struct {
	Dim  int
	Data []float64 // row by row
}

// Rows makes vectors of a list of rows.
func Rows(rows [][]float64) (Vectors, error) {
	if len(rows) == 0 {
		return Vectors{}, fmt.Errorf("maps: no vectors")
	}
	v := Vectors{Dim: len(rows[0])}
	for n, row := range rows {
		if len(row) != v.Dim {
			return Vectors{}, fmt.Errorf("maps: vector %d has %d numbers, the first %d", n, len(row), v.Dim)
		}
		v.Data = append(v.Data, row...)
	}
	return v, nil
}

// Len is the number of rows.
func (v Vectors) Len() int {
	if v.Dim == 0 {
		return 0
	}
	return len(v.Data) / v.Dim
}

// Row is one of them, a view.
func (v Vectors) Row(n int) []float64 { return v.Data[n*v.Dim : (n+1)*v.Dim : (n+1)*v.Dim] }

// check refuses vectors that nothing can be said of.
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

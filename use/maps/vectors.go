package maps

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fubini/core/vec"
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

// Metric is a similarity of two vectors.
type Metric int

// Cosine is the cosine of the angle between two vectors. Inner is their inner product, which for items is the model's
// own similarity: what placing one of them a place higher adds to the score of the other.
const (
	Cosine Metric = iota
	Inner
)

// ParseMetric reads the name of a metric, cosine or inner.
func ParseMetric(name string) (Metric, error) {
	if at := slices.Index([]string{"cosine", "inner"}, name); at >= 0 {
		return Metric(at), nil
	}
	return 0, fmt.Errorf("maps: no metric %q; there are cosine and inner", name)
}

// Neighbour is a row with its similarity to a given vector.
type Neighbour struct {
	Row        int
	Similarity float64
}

// Nearest returns the n rows nearest to a vector, without those to skip; equally near ones in the order of their numbers.
// The similarity to a vector of length zero is 0.
func Nearest(v Vectors, to []float64, n int, metric Metric, skip func(row int) bool) ([]Neighbour, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	if len(to) != v.Dim {
		return nil, fmt.Errorf("maps: a vector of %d numbers among those of %d", len(to), v.Dim)
	}
	length := math.Sqrt(vec.Dot(to, to))
	var found []Neighbour
	for r := range v.Len() {
		if skip != nil && skip(r) {
			continue
		}
		row := v.Row(r)
		similarity := vec.Dot(row, to)
		if metric == Cosine {
			both := length * math.Sqrt(vec.Dot(row, row))
			if both == 0 {
				similarity = 0
			} else {
				similarity = max(-1, min(1, similarity/both))
			}
		}
		found = append(found, Neighbour{r, similarity})
	}
	slices.SortStableFunc(found, func(a, b Neighbour) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return found[:min(n, len(found))], nil
}

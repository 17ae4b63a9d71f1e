package maps

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/vec"
)

// Metric is how near two vectors are, higher for nearer.
type Metric int

// Cosine looks at directions alone; Inner is the model's own: what placing the one
// adds to the score of the other, per place.
const (
	Cosine Metric = iota
	Inner
)

// ParseMetric reads the name on the command line.
func ParseMetric(name string) (Metric, error) {
	switch name {
	case "cosine":
		return Cosine, nil
	case "inner":
		return Inner, nil
	}
	return 0, fmt.Errorf("maps: no metric %q; there are cosine and inner", name)
}

// Neighbour is a row that is near.
type Neighbour struct {
	Row        int
	Similarity float64
}

// Nearest returns the n rows nearest to a vector, but for those to skip; equally near
// ones in the order of their numbers. A vector without length, of which nothing is
// known, is similar to none: 0.
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
	slices.SortStableFunc(found, func(a, b Neighbour) int {
		switch {
		case a.Similarity > b.Similarity:
			return -1
		case a.Similarity < b.Similarity:
			return 1
		}
		return 0
	})
	return found[:min(n, len(found))], nil
}

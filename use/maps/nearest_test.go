package maps

import (
	"fmt"
	"math"
	"testing"
)

func TestNearestAgainstAllPairs(t *testing.T) {
	v, _ := planted(3, 15, 4)
	clear(v.Row(7)) // one of which nothing is known
	for _, metric := range []Metric{Cosine, Inner} {
		to := v.Row(3)
		got, err := Nearest(v, to, 10, metric, func(row int) bool { return row == 3 })
		if err != nil {
			t.Fatal(err)
		}
		for rank, each := range got {
			nearer := 0
			for r := range v.Len() {
				if r != 3 && similarity(v.Row(r), to, metric) > each.Similarity+1e-12 {
					nearer++
				}
			}
			if each.Row == 3 || nearer > rank || !(math.Abs(similarity(v.Row(each.Row), to, metric)-each.Similarity) <= 1e-12) {
				t.Errorf("metric %d: place %d has row %d at %g, %d are nearer", metric, rank, each.Row, each.Similarity, nearer)
			}
		}
	}
	equal := Vectors{Dim: 1, Data: []float64{1, 2, 3}}
	if got, err := Nearest(equal, []float64{1}, 5, Cosine, nil); err != nil || len(got) != 3 || got[0].Row != 0 || got[2].Row != 2 {
		t.Errorf("equally near rows: %v, %v", got, err)
	}
	if _, err := Nearest(v, []float64{1}, 3, Cosine, nil); err == nil {
		t.Error("a vector of another length was taken")
	}
	if _, err := ParseMetric("taxi"); err == nil {
		t.Error("a metric that is none")
	}
}

func similarity(a, b []float64, metric Metric) float64 {
	var product, left, right float64
	for j := range a {
		product += a[j] * b[j]
		left += a[j] * a[j]
		right += b[j] * b[j]
	}
	if metric == Inner {
		return product
	}
	if left*right == 0 {
		return 0
	}
	return product / math.Sqrt(left*right)
}

func ExampleNearest() {
	// Three films by two tastes.
	films := Vectors{Dim: 2, Data: []float64{1, 0.1, -1, 0.2, 0.8, 0.3}}
	found, err := Nearest(films, films.Row(0), 2, Cosine, func(row int) bool { return row == 0 })
	if err != nil {
		panic(err)
	}
	for _, each := range found {
		fmt.Printf("film %d, %.2f\n", each.Row, each.Similarity)
	}
	// Output:
	// film 2, 0.97
	// film 1, -0.96
}

package maps

import (
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
)

// The objective never rises, and planted groups are found, as is their number.
func TestClustersArePlantedGroups(t *testing.T) {
	v, of := planted(4, 25, 5)
	c, silhouette, err := Groups(v, 8, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Centres) != 4 || !(silhouette > 0.6) {
		t.Fatalf("%d clusters of silhouette %g", len(c.Centres), silhouette)
	}
	for n := range of {
		for m := range n {
			if (of[n] == of[m]) != (c.Of[n] == c.Of[m]) {
				t.Fatalf("vectors %d and %d", n, m)
			}
		}
	}
	loose := Vectors{Dim: 5}
	r := rng.Stream(2, "loose")
	for range 500 {
		loose.Data = append(loose.Data, r.NormFloat64())
	}
	for k := 1; k <= 7; k++ {
		c, err := KMeans(loose, k, 1)
		if err != nil {
			t.Fatal(err)
		}
		run := &Clusters{Of: make([]int, loose.Len()), Centres: farApart(loose, k, r), Sizes: make([]int, k)}
		for before := math.Inf(1); run.assign(loose); before = run.Inner {
			if run.Inner > before*(1+1e-12) {
				t.Errorf("k = %d: the objective rose from %g to %g", k, before, run.Inner)
			}
			run.recentre(loose)
		}
		if !slices.IsSortedFunc(c.Sizes, func(a, b int) int { return b - a }) {
			t.Errorf("sizes %v", c.Sizes)
		}
	}
	same := Vectors{Dim: 1, Data: []float64{2, 2, 2}}
	if c, err := KMeans(same, 2, 1); err != nil || c.Inner != 0 {
		t.Errorf("equal vectors: %+v, %v", c, err)
	}
	for _, k := range []int{0, 4} {
		if _, err := KMeans(same, k, 1); err == nil {
			t.Errorf("%d clusters of three vectors", k)
		}
	}
}

// By hand: 0 and 1 in one cluster, 5 in another. Of 0 the silhouette is (5-1)/5, of 1
// (4-1)/4, and 5 is alone.
func TestSilhouetteByHand(t *testing.T) {
	v := Vectors{Dim: 1, Data: []float64{0, 1, 5}}
	got := Silhouette(v, &Clusters{Of: []int{0, 0, 1}, Centres: [][]float64{{0.5}, {5}}})
	if want := (0.8 + 0.75) / 3; !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("silhouette %g, by hand %g", got, want)
	}
	// Equal points in two clusters have no distance to compare, and a single cluster has no other: both count as 0.
	for name, c := range map[string]struct {
		of      []int
		centres [][]float64
	}{
		"equal points": {[]int{0, 0, 1, 1}, [][]float64{{3}, {3}}},
		"one cluster":  {[]int{0, 0, 0, 0}, [][]float64{{3}}},
	} {
		if got := Silhouette(Vectors{Dim: 1, Data: []float64{3, 3, 3, 3}}, &Clusters{Of: c.of, Centres: c.centres}); got != 0 {
			t.Errorf("%s: silhouette %g", name, got)
		}
	}
}

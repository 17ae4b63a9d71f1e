package rival

import (
	"slices"
	"testing"

	"fubini/core/rng"
)

// Four inner products at once are those of dot, to the bit. A sum in one go is not.
func TestDotsAreThoseOfDot(t *testing.T) {
	r := rng.Stream(1, "dots")
	differ := 0
	for n := range 60 {
		var v [5][]float64
		for k := range v {
			for range n {
				v[k] = append(v[k], r.NormFloat64())
			}
		}
		for k, got := range dots(v[4], [4][]float64(v[:])) {
			if want := dot(v[4], v[k]); got != want {
				t.Errorf("%d numbers: product %d is %v, by itself %v", n, k, got, want)
			}
			var plain float64
			for d, x := range v[4] {
				plain += x * v[k][d]
			}
			if plain != got {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("any order of sums gives the same bits: the test sees nothing")
	}
}

// Four additions at once are those of add, to the bit. The other way round they are
// not.
func TestFoursAddAsAddDoes(t *testing.T) {
	r := rng.Stream(1, "fours")
	differ := 0
	for vectors := range 14 {
		for n := range 20 {
			got, want, turned := make([]float64, n), make([]float64, n), make([]float64, n)
			factors, all := make([]float64, vectors), make([][]float64, vectors)
			for k := range all {
				factors[k] = r.NormFloat64()
				for range n {
					all[k] = append(all[k], r.NormFloat64())
				}
			}
			var some fours
			for k, v := range all {
				some.add(got, factors[k], v)
				add(want, factors[k], v)
				add(turned, factors[vectors-1-k], all[vectors-1-k])
			}
			some.finish(got)
			if !slices.Equal(got, want) {
				t.Errorf("%d vectors of %d add up to %v, one by one to %v", vectors, n, got, want)
			}
			if !slices.Equal(got, turned) {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("any order gives the same bits: the test sees nothing")
	}
}

package maps

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/core/vec"
)

// planted are vectors around a few centres far from each other, and which centre each
// has.
func planted(groups, each, dim int) (Vectors, []int) {
	r := rng.Stream(1, "planted")
	v := Vectors{Dim: dim}
	var of []int
	for g := range groups {
		centre := make([]float64, dim)
		for j := range centre {
			centre[j] = 10 * r.NormFloat64()
		}
		for range each {
			for _, c := range centre {
				v.Data = append(v.Data, c+r.NormFloat64())
			}
			of = append(of, g)
		}
	}
	return v, of
}

// By hand, in the plane: points along a diagonal, a little off it.
func TestPCAByHand(t *testing.T) {
	v := Vectors{Dim: 2, Data: []float64{1, 1, 3, 3, -1, -1, 1.5, 0.5, 0.5, 1.5}}
	p, err := NewPCA(v, 2)
	if err != nil {
		t.Fatal(err)
	}
	root := math.Sqrt2 / 2
	near(t, "axes", append(slices.Clone(p.Axes[0]), math.Abs(p.Axes[1][0])), []float64{root, root, root})
	near(t, "variances", p.Variance, []float64{16.0 / 5, 1.0 / 5})
	near(t, "mean and share", append(slices.Clone(p.Mean), p.Kept(1), p.Kept(2)), []float64{1, 1, 16.0 / 17, 1})
	at := p.At([]float64{3, 3})
	near(t, "place", []float64{at.X, at.Y}, []float64{2 * math.Sqrt2, 0})
}

// Axes are eigenvectors of the covariance, orthogonal to each other, the widest first;
// all of them keep everything.
func TestPCAIsTheEigenDecomposition(t *testing.T) {
	v, _ := planted(4, 20, 6)
	p, err := NewPCA(v, 6)
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(p.Kept(6)-1) <= 1e-12) || !slices.IsSortedFunc(p.Variance, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
		t.Errorf("kept %g, variances %v", p.Kept(6), p.Variance)
	}
	for a, axis := range p.Axes {
		times := make([]float64, v.Dim) // covariance times axis
		for n := range v.Len() {
			away := slices.Clone(v.Row(n))
			vec.AddTimes(away, p.Mean, -1)
			vec.AddTimes(times, away, vec.Dot(away, axis)/float64(v.Len()))
		}
		for j := range times {
			times[j] /= p.Variance[a]
		}
		near(t, fmt.Sprint("axis ", a), times, axis)
		for b, other := range p.Axes[:a] {
			if !(math.Abs(vec.Dot(axis, other)) <= 1e-12) {
				t.Errorf("axes %d and %d have the product %g", a, b, vec.Dot(axis, other))
			}
		}
	}
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= 1e-9*max(1, math.Abs(want[k]))) {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

func TestVectorsThatAreNone(t *testing.T) {
	for _, v := range []Vectors{{}, {Dim: 2, Data: []float64{1}}, {Dim: 1, Data: []float64{math.NaN()}}} {
		if _, err := NewPCA(v, 2); err == nil {
			t.Errorf("PCA of %v", v)
		}
	}
}

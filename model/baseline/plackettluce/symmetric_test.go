package plackettluce

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The witness forms every set.
func TestSymmetricMeansAgainstEverySet(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	const n = 9
	x := make([]float64, n)
	for k := range x {
		x[k] = r.Float64()
	}
	s := newSymmetricMeans(n, n)
	for degree := 1; degree <= n; degree++ {
		s.fill(x, degree)
		for m := 1; m <= n; m++ {
			var sum, sets float64
			for set := range 1 << m {
				product, size := 1.0, 0
				for k := range m {
					if set>>k&1 == 1 {
						product *= x[k]
						size++
					}
				}
				if size == degree {
					sum += product
					sets++
				}
			}
			want := 0.0
			if sets > 0 {
				want = sum / sets
			}
			if got := s.at(m); !(math.Abs(got-want) <= 1e-14) {
				t.Errorf("mean over sets of %d of %d: %.15g, listed %.15g", degree, m, got, want)
			}
		}
		weight, slope := normals(r, n+1, 1), make([]float64, n)
		s.back(x, weight, slope)
		for k := range x {
			const h = 1e-6
			at := func(v float64) (total float64) {
				was := x[k]
				x[k] = v
				s.fill(x, degree)
				x[k] = was
				for m := 1; m <= n; m++ {
					total += weight[m] * s.at(m)
				}
				return total
			}
			if want := (at(x[k]+h) - at(x[k]-h)) / (2 * h); !(math.Abs(slope[k]-want) <= 1e-8) {
				t.Errorf("degree %d: slope by %d is %.12g, by differences %.12g", degree, k, slope[k], want)
			}
		}
	}
}

// Long lists neither overflow nor vanish: for equal numbers every mean is a power.
func TestSymmetricMeansOfManyNumbers(t *testing.T) {
	x := make([]float64, 3000)
	for k := range x {
		x[k] = 0.999
	}
	s := newSymmetricMeans(len(x), 500)
	s.fill(x, 500)
	if got, want := s.at(3000), math.Pow(0.999, 500); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("mean of products of 500 numbers %g, want %g", got, want)
	}
}

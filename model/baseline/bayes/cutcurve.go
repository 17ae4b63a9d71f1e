package bayes

import (
	"math"

	"fubini/core/cholesky"
	"fubini/model/baseline/fitting"
)

// cutCurve is the log posterior of cut points at one place, its gradient, and the negative of its second derivatives, a
// matrix of which the lower triangle is kept. After factorise that is its Cholesky factor L.
type cutCurve struct {
	log, fit      float64 // with and without the prior
	slope, matrix []float64
}

func newCutCurve(n int) cutCurve {
	return cutCurve{slope: make([]float64, n), matrix: make([]float64, n*n)}
}

// addRatings adds log(Φ(high - mean) - Φ(low - mean)) of ratings, whose values are places of levels. Probabilities are
// multiplied as long as the product can carry it, which saves logarithms.
func (s *cutCurve) addRatings(at, means, levels []float64) {
	const least, enough = 1e-100, 1e-150
	product := 1.0
	for k, mean := range means {
		l := int(levels[k])
		low, high := interval(at, l)
		low, high = low-mean, high-mean
		probability := max(normalBetween(low, high), least)
		if product *= probability; product < enough {
			s.log += math.Log(product)
			product = 1
		}
		var up, down float64
		if l < len(at) {
			up = normalDensity(high) / probability
			s.slope[l] += up
			s.matrix[l*len(at)+l] += up * (up + high)
		}
		if l > 0 {
			down = normalDensity(low) / probability
			s.slope[l-1] -= down
			s.matrix[(l-1)*len(at)+l-1] += down * (down - low)
			if l < len(at) {
				s.matrix[l*len(at)+l-1] -= up * down
			}
		}
	}
	s.log += math.Log(product)
}

func (s *cutCurve) zero() {
	s.log, s.fit = 0, 0
	clear(s.slope)
	clear(s.matrix)
}

func (s *cutCurve) add(o *cutCurve) {
	s.log += o.log
	fitting.Add(s.slope, 1, o.slope)
	fitting.Add(s.matrix, 1, o.matrix)
}

// propose writes a draw around the Newton step from a point and returns the log of its density, up to a constant. It
// uses up the normal draws.
func (s *cutCurve) propose(from, normal, to []float64) float64 {
	logDensity := s.factorise()
	for _, z := range normal {
		logDensity -= z * z / 2
	}
	cholesky.SolveUpper(s.matrix, normal)
	for k := range to {
		to[k] = from[k] + s.slope[k] + normal[k]
	}
	return logDensity
}

// logDensity is the log density, up to the same constant, of a proposal from one point to another.
func (s *cutCurve) logDensity(from, to, difference []float64) float64 {
	logDensity := s.factorise()
	for k := range to {
		difference[k] = to[k] - from[k] - s.slope[k]
	}
	for k := range to { // Lᵀ times the difference is standard normal
		var z float64
		for r := k; r < len(to); r++ {
			z += s.matrix[r*len(to)+k] * difference[r]
		}
		logDensity -= z * z / 2
	}
	return logDensity
}

// factorise replaces the matrix by L and the slope by the Newton step, and returns the log of the product of the
// diagonal of L. The prior keeps the matrix positive definite.
func (s *cutCurve) factorise() (logRoot float64) {
	cholesky.MustSolve(s.matrix, s.slope)
	for k := range s.slope {
		logRoot += math.Log(s.matrix[k*len(s.slope)+k])
	}
	return logRoot
}

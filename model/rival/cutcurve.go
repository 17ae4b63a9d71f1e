package rival

import "math"

// cutCurve is the log posterior of cut points at one place, its gradient, and the
// negative of its second derivatives, a tridiagonal matrix: on the diagonal, and
// next to it. After factorise that is its Cholesky factor L.
type cutCurve struct {
	log, fit              float64 // with and without the prior
	slope, diagonal, next []float64
}

func newCutCurve(n int) cutCurve {
	return cutCurve{slope: make([]float64, n), diagonal: make([]float64, n), next: make([]float64, n)}
}

// addRatings adds log(Φ(high - mean) - Φ(low - mean)) of ratings, whose values are
// places of levels. Probabilities are multiplied as long as the product can carry
// it, which saves logarithms.
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
			s.diagonal[l] += up * (up + high)
		}
		if l > 0 {
			down = normalDensity(low) / probability
			s.slope[l-1] -= down
			s.diagonal[l-1] += down * (down - low)
			s.next[l-1] -= up * down
		}
	}
	s.log += math.Log(product)
}

func (s *cutCurve) zero() {
	s.log, s.fit = 0, 0
	clear(s.slope)
	clear(s.diagonal)
	clear(s.next)
}

func (s *cutCurve) add(o *cutCurve) {
	s.log += o.log
	add(s.slope, 1, o.slope)
	add(s.diagonal, 1, o.diagonal)
	add(s.next, 1, o.next)
}

// propose writes a draw around the Newton step from a point and returns the log of
// its density, up to a constant. It uses up the normal draws.
func (s *cutCurve) propose(from, normal, to []float64) float64 {
	logDensity := s.factorise()
	for _, z := range normal {
		logDensity -= z * z / 2
	}
	s.newton()
	s.solveUpper(normal)
	for k := range to {
		to[k] = from[k] + s.slope[k] + normal[k]
	}
	return logDensity
}

// logDensity is the log density, up to the same constant, of a proposal from one
// point to another.
func (s *cutCurve) logDensity(from, to, difference []float64) float64 {
	logDensity := s.factorise()
	s.newton()
	for k := range to {
		difference[k] = to[k] - from[k] - s.slope[k]
	}
	for k := range to { // Lᵀ times the difference is standard normal
		z := s.diagonal[k] * difference[k]
		if k+1 < len(to) {
			z += s.next[k] * difference[k+1]
		}
		logDensity -= z * z / 2
	}
	return logDensity
}

// factorise turns the matrix into L and returns the log of the product of its
// diagonal. The prior alone holds every pivot above its precision; rounding shall
// not undo that.
func (s *cutCurve) factorise() (logRoot float64) {
	for k := range s.diagonal {
		if k > 0 {
			s.next[k-1] /= s.diagonal[k-1]
			s.diagonal[k] -= s.next[k-1] * s.next[k-1]
		}
		s.diagonal[k] = math.Sqrt(max(s.diagonal[k], cutPrecision))
		logRoot += math.Log(s.diagonal[k])
	}
	return logRoot
}

// newton replaces the slope by the Newton step.
func (s *cutCurve) newton() {
	for k := range s.slope {
		if k > 0 {
			s.slope[k] -= s.next[k-1] * s.slope[k-1]
		}
		s.slope[k] /= s.diagonal[k]
	}
	s.solveUpper(s.slope)
}

// solveUpper replaces x by the solution y of Lᵀ y = x.
func (s *cutCurve) solveUpper(x []float64) {
	for k := len(x) - 1; k >= 0; k-- {
		if k+1 < len(x) {
			x[k] -= s.next[k] * x[k+1]
		}
		x[k] /= s.diagonal[k]
	}
}

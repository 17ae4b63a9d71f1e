package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// fullMatrix is the largest number of parameters for which steps use the whole
// information matrix; beyond, its diagonal.
const fullMatrix = 200

// scale is a running estimate of the Fisher information of one list, by which
// gradients are divided. The prior's share is part of it. See
// docs/maths.md#stochastic-approximation.
type scale struct {
	prior float64       // precision of the prior over the number of lists
	full  *mat.SymDense // nil when only the diagonal is kept
	diag  []float64
}

func newScale(dim int, prior float64) *scale {
	s := &scale{prior: prior, diag: make([]float64, dim)}
	if dim <= fullMatrix {
		s.full = mat.NewSymDense(dim, nil)
	}
	return s
}

// fade makes room for the next batch: the estimate is a mean over the batches
// so far, and over the last twenty or so from then on, since early ones were
// far from the solution. It returns the weight of that batch.
func (s *scale) fade(steps int) (room float64) {
	keep := 1 - 1/math.Min(float64(steps)+1, 20)
	for k := range s.diag {
		s.diag[k] *= keep
	}
	if s.full != nil {
		s.full.ScaleSym(keep, s.full)
	}
	return 1 - keep
}

// add adds the outer product of the gradient of one list, times a weight.
func (s *scale) add(index []int, gradient []float64, weight float64) {
	for a, i := range index {
		s.diag[i] += weight * gradient[a] * gradient[a]
		if s.full == nil {
			continue
		}
		for b, j := range index {
			if i <= j {
				s.full.SetSym(i, j, s.full.At(i, j)+weight*gradient[a]*gradient[b])
			}
		}
	}
}

// solve turns a gradient into a step: the gradient divided by the information.
// Both are first scaled to a unit diagonal, so that features of any size meet on
// equal terms; there a ridge keeps directions without information,
// such as a constant on all worths, from being divided by zero.
func (s *scale) solve(gradient []float64, ridge float64) {
	unit := make([]float64, len(s.diag))
	for k, v := range s.diag {
		if unit[k] = math.Sqrt(v + s.prior); !(unit[k] > 0) {
			unit[k] = 1 // no list depends on it, and its gradient is zero
		}
		gradient[k] /= unit[k]
	}
	if s.full == nil || !s.solveFull(gradient, unit, ridge) {
		for k := range gradient {
			gradient[k] /= 1 + ridge
		}
	}
	for k := range gradient {
		gradient[k] /= unit[k]
	}
}

// solveFull divides by the whole matrix; false when it is not positive definite.
func (s *scale) solveFull(gradient, unit []float64, ridge float64) bool {
	d := len(unit)
	sum := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			v := s.full.At(i, j)
			if i == j {
				v += s.prior
			}
			v /= unit[i] * unit[j]
			if i == j {
				v += ridge
			}
			sum.SetSym(i, j, v)
		}
	}
	var factors mat.Cholesky
	if !factors.Factorize(sum) {
		return false
	}
	g := mat.NewVecDense(d, nil)
	return factors.SolveVecTo(g, mat.NewVecDense(d, gradient)) == nil && copy(gradient, g.RawVector().Data) == d
}

// collapsed names a parameter whose information has fallen below a ten-thousandth of
// its value at the start, or -1: it runs away.
func (s *scale) collapsed(start []float64) int {
	for k, v := range s.diag {
		if v < 1e-4*start[k] {
			return k
		}
	}
	return -1
}

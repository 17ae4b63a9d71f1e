package train

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

// add takes in the difference of one list.
func (s *scale) add(index []int, apart []float64, weight float64) {
	for a, i := range index {
		s.diag[i] += weight * apart[a] * apart[a]
		if s.full == nil {
			continue
		}
		for b, j := range index {
			if i <= j {
				s.full.SetSym(i, j, s.full.At(i, j)+weight*apart[a]*apart[b])
			}
		}
	}
}

// ridge keeps directions that the data say nothing about, such as a constant on
// all worths, from being divided by zero: a thousandth of the mean diagonal,
// which slows no direction that matters.
func (s *scale) ridge() float64 {
	var total float64
	for _, v := range s.diag {
		total += v
	}
	return s.prior + 1e-3*total/float64(len(s.diag)) + 1e-12
}

// solve turns a gradient into a step: the gradient divided by the information.
func (s *scale) solve(gradient []float64) {
	ridge := s.ridge()
	if s.full != nil {
		sum := mat.NewSymDense(len(s.diag), nil)
		sum.CopySym(s.full)
		for k := range s.diag {
			sum.SetSym(k, k, sum.At(k, k)+ridge)
		}
		var factors mat.Cholesky
		if factors.Factorize(sum) {
			g := mat.NewVecDense(len(gradient), gradient)
			if factors.SolveVecTo(g, g) == nil {
				return
			}
		}
	}
	for k := range gradient {
		gradient[k] /= s.diag[k] + ridge
	}
}

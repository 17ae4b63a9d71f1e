package factor

import (
	"math"

	"fubini/model/baseline/fitting"
)

const (
	memory   = 8   // pairs of steps that a descent remembers
	mostStep = 100 // steps of a descent
)

// lbfgs minimises by the method L-BFGS (Nocedal and Wright, Numerical Optimization, algorithm 7.4), halving a step
// until it goes down enough. It keeps its space.
type lbfgs struct {
	step, turn                    [memory][]float64 // differences of points and of gradients
	curvature                     [memory]float64
	gradient, ahead, trial, after []float64
	weight                        [memory]float64
}

// minimise moves x to a minimum of a function, which also writes its gradient, or to the best point of at most mostStep
// steps.
func (m *lbfgs) minimise(function func(x, gradient []float64) float64, x []float64) float64 {
	n := len(x)
	m.gradient, m.ahead, m.trial, m.after = fitting.Resize(m.gradient, n), fitting.Resize(m.ahead, n), fitting.Resize(m.trial, n), fitting.Resize(m.after, n)
	for k := range memory {
		m.step[k], m.turn[k] = fitting.Resize(m.step[k], n), fitting.Resize(m.turn[k], n)
	}
	value := function(x, m.gradient)
	pairs := 0 // remembered so far; the latest is at (pairs-1) % memory
	for range mostStep {
		size := math.Sqrt(fitting.Dot(m.gradient, m.gradient))
		if !(size > 1e-9*(1+math.Abs(value))) {
			break
		}
		m.direction(pairs)
		slope := fitting.Dot(m.gradient, m.ahead)
		length := 1.0
		if pairs == 0 {
			length = math.Min(1, 1/size)
		}
		went := false
		for range 40 {
			for d := range x {
				m.trial[d] = x[d] + length*m.ahead[d]
			}
			if got := function(m.trial, m.after); got <= value+1e-4*length*slope {
				value, went = got, true
				break
			}
			length /= 2
		}
		if !went {
			break
		}
		k := pairs % memory
		for d := range x {
			m.step[k][d], m.turn[k][d] = m.trial[d]-x[d], m.after[d]-m.gradient[d]
		}
		copy(x, m.trial)
		copy(m.gradient, m.after)
		if c := fitting.Dot(m.step[k], m.turn[k]); c > 1e-10*fitting.Dot(m.step[k], m.step[k]) { // else it would not point down
			m.curvature[k] = c
			pairs++
		}
	}
	return value
}

// direction is minus the gradient times the inverse of the curvature seen so far.
func (m *lbfgs) direction(pairs int) {
	for d, g := range m.gradient {
		m.ahead[d] = -g
	}
	if pairs == 0 {
		return
	}
	oldest := max(0, pairs-memory)
	for at := pairs - 1; at >= oldest; at-- {
		k := at % memory
		m.weight[k] = fitting.Dot(m.step[k], m.ahead) / m.curvature[k]
		fitting.Add(m.ahead, -m.weight[k], m.turn[k])
	}
	k := (pairs - 1) % memory
	scale := m.curvature[k] / fitting.Dot(m.turn[k], m.turn[k])
	for d := range m.ahead {
		m.ahead[d] *= scale
	}
	for at := oldest; at < pairs; at++ {
		k := at % memory
		fitting.Add(m.ahead, m.weight[k]-fitting.Dot(m.turn[k], m.ahead)/m.curvature[k], m.step[k])
	}
}

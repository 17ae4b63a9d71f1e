package factor

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/vec"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// minimiser minimises the objective of a learner without factors over item biases and parameters of the loss.
type minimiser struct {
	*Learner
	items int
	unit  []float64 // of each coordinate: about one over the root of its curvature
}

// Minimise moves the biases and the loss parameters of a learner without factors to the minimum of the objective.
func (f *Learner) Minimise() error {
	s := &minimiser{Learner: f, items: f.set.Items().Len()}
	x := s.start()
	value := math.Inf(1)
	for rounds := 1; ; rounds++ {
		now := lbfgs(s.cost, x)
		if err := f.run.Err(); err != nil {
			return err
		}
		if math.IsNaN(now) || math.IsInf(now, 0) {
			return fmt.Errorf("the objective is %g; raise the prior", now)
		}
		if f.run.Observe != nil {
			f.run.Observe(model.Progress{Epoch: rounds, Epochs: rounds, Objective: now, Held: math.NaN()})
		}
		if !(now < value-1e-6*math.Abs(now)) { // after a hundred steps more
			s.move(x)
			return nil
		}
		value = now
	}
}

// start is the point of the learner. Curvatures are estimated by the sums of squared slopes of rows, which they equal
// in expectation at the maximum of a log likelihood.
func (s *minimiser) start() []float64 {
	s.gradient(s.order)
	x := append(make([]float64, s.items), s.shared()...)
	s.unit = append(slices.Repeat([]float64{s.options.BiasPrior}, s.items), make([]float64, len(x)-s.items)...)
	for k := range s.block {
		for j, i := range s.block[k].row.Items {
			s.unit[i] += s.block[k].slopes[j] * s.block[k].slopes[j]
		}
		for d, g := range s.block[k].shared {
			s.unit[s.items+d] += g * g
		}
	}
	for k, squares := range s.unit {
		s.unit[k] = 1 / math.Sqrt(squares+1)
		x[k] /= s.unit[k]
	}
	return x
}

// move puts the learner at x.
func (s *minimiser) move(x []float64) {
	for i := range s.items {
		s.itemVector(i)[s.hidden+1] = s.unit[i] * x[i]
	}
	for d, shared := 0, s.shared(); d < len(shared); d++ {
		shared[d] = s.unit[s.items+d] * x[s.items+d]
	}
}

// cost is the objective at x, and its gradient.
func (s *minimiser) cost(x, gradient []float64) float64 {
	if s.run.Over() {
		return math.NaN() // goes nowhere from here
	}
	s.move(x)
	total := s.gradient(s.order)
	clear(gradient)
	for _, i := range s.touched {
		gradient[i] = s.itemSlope(i)[s.hidden+1]
	}
	for i := range s.items {
		b := s.itemVector(i)[s.hidden+1]
		total += s.options.BiasPrior / 2 * b * b
		gradient[i] += s.options.BiasPrior * b
	}
	copy(gradient[s.items:], s.sharedSlope)
	for k, u := range s.unit {
		gradient[k] *= u
	}
	return total
}

const (
	memory   = 8   // steps that a descent remembers
	mostStep = 100 // steps of a descent
)

// step has the differences of points and of gradients over a step of a descent, and their inner product.
type step struct {
	way, turn []float64
	curvature float64
}

// lbfgs moves x to a minimum of a function, which also writes its gradient, in at most mostStep steps of the method
// L-BFGS (Nocedal and Wright, Numerical Optimization, algorithm 7.4). A step is halved until it goes down enough.
func lbfgs(function func(x, gradient []float64) float64, x []float64) float64 {
	gradient, trial, after := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	value := function(x, gradient)
	var steps []step // the last ones
	for range mostStep {
		size := math.Sqrt(fitting.Dot(gradient, gradient))
		if !(size > 1e-9*(1+math.Abs(value))) {
			break
		}
		ahead := direction(gradient, steps)
		slope, length, halved := fitting.Dot(gradient, ahead), 1.0, 0
		if len(steps) == 0 {
			length = math.Min(1, 1/size)
		}
		for ; halved < 40; halved++ {
			for d := range x {
				trial[d] = x[d] + length*ahead[d]
			}
			if got := function(trial, after); got <= value+1e-4*length*slope {
				value = got
				break
			}
			length /= 2
		}
		if halved == 40 {
			break
		}
		s := step{way: slices.Clone(trial), turn: slices.Clone(after)}
		fitting.Add(s.way, -1, x)
		fitting.Add(s.turn, -1, gradient)
		copy(x, trial)
		copy(gradient, after)
		s.curvature = fitting.Dot(s.way, s.turn)
		if s.curvature > 1e-10*fitting.Dot(s.way, s.way) { // else it would not point down
			steps = append(steps[max(0, len(steps)-memory+1):], s)
		}
	}
	return value
}

// direction is minus the gradient times the inverse of the curvature seen so far.
func direction(gradient []float64, steps []step) []float64 {
	ahead, weight := make([]float64, len(gradient)), make([]float64, len(steps))
	fitting.Add(ahead, -1, gradient)
	for k, s := range slices.Backward(steps) {
		weight[k] = fitting.Dot(s.way, ahead) / s.curvature
		fitting.Add(ahead, -weight[k], s.turn)
	}
	if len(steps) > 0 {
		last := steps[len(steps)-1]
		vec.Scale(ahead, last.curvature/fitting.Dot(last.turn, last.turn))
	}
	for k, s := range steps {
		fitting.Add(ahead, weight[k]-fitting.Dot(s.turn, ahead)/s.curvature, s.way)
	}
	return ahead
}

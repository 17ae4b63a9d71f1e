package factor

import (
	"fmt"
	"math"

	"fubini/model"
)

// minimiser takes a learner without factors to the minimum of its objective over the biases of items and the parameters
// of the loss, with all rows at once.
type minimiser struct {
	*Learner
	items int
	unit  []float64 // of each coordinate: about one over the root of its curvature
}

// Minimise moves a learner without factors to the minimum of its objective.
func (f *Learner) Minimise() error {
	s := &minimiser{Learner: f, items: f.set.Items().Len()}
	x := s.start()
	var m lbfgs
	value := math.Inf(1)
	for rounds := 1; ; rounds++ {
		now := m.minimise(s.cost, x)
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
	n := s.items + s.sharedCount()
	x, squares := make([]float64, n), make([]float64, n)
	for i := range s.items {
		squares[i] = s.options.BiasPrior
	}
	for k := range s.block {
		for j, i := range s.block[k].row.Items {
			squares[i] += s.block[k].slopes[j] * s.block[k].slopes[j]
		}
		for d, g := range s.block[k].shared {
			squares[s.items+d] += g * g
		}
	}
	s.unit = squares
	for k, v := range squares {
		s.unit[k] = 1 / math.Sqrt(v+1)
	}
	if s.shared != nil {
		for d, v := range s.shared.Parameters() {
			x[s.items+d] = v / s.unit[s.items+d]
		}
	}
	return x
}

// move puts the learner at x.
func (s *minimiser) move(x []float64) {
	for i := range s.items {
		s.itemVector(i)[s.hidden+1] = s.unit[i] * x[i]
	}
	if s.shared != nil {
		for d := range s.shared.Parameters() {
			s.shared.Parameters()[d] = s.unit[s.items+d] * x[s.items+d]
		}
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

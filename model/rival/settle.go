package rival

import (
	"context"
	"fmt"
	"math"
)

// settler takes a learner without factors to the minimum of its objective: over
// the biases of items, and what parameters the loss has, under all rows at once.
type settler struct {
	*factorLearner
	ctx   context.Context
	items int
	unit  []float64 // in which a coordinate counts: about one over the root of its curvature
	slope []float64
}

// settle returns with the learner at the minimum, or an error.
func (f *factorLearner) settle(ctx context.Context) error {
	f.run.ctx = ctx
	s := &settler{factorLearner: f, ctx: ctx, items: f.set.Items().Len(), slope: make([]float64, f.width)}
	x := s.start()
	var m descent
	value := math.Inf(1)
	for rounds := 1; ; rounds++ {
		now := m.minimise(s.cost, x)
		if err := ctx.Err(); err != nil {
			return err
		}
		if math.IsNaN(now) || math.IsInf(now, 0) {
			return fmt.Errorf("the objective is %g; raise the prior", now)
		}
		if f.run.Observe != nil {
			f.run.Observe(Progress{Epoch: rounds, Epochs: rounds, Objective: now, Held: math.NaN()})
		}
		if !(now < value-1e-6*math.Abs(now)) { // after a hundred steps more
			s.move(x)
			return nil
		}
		value = now
	}
}

// start is where the learner stands. Curvatures are taken for sums of squared
// slopes of rows, as they would be at the minimum of a log likelihood.
func (s *settler) start() []float64 {
	s.gradient(s.order)
	n := s.items + s.sharedCount()
	x, squares := make([]float64, n), make([]float64, n)
	for i := range s.items {
		squares[i] = s.options.BiasPrior
		for at := s.head[i]; at >= 0; at = s.next[at] {
			squares[i] += s.slopes[at] * s.slopes[at]
		}
	}
	for k := range s.block {
		for d, g := range s.block[k].shared {
			squares[s.items+d] += g * g
		}
	}
	s.unit = squares
	for k, v := range squares {
		s.unit[k] = 1 / math.Sqrt(v+1)
	}
	if s.shared != nil {
		for d, v := range s.shared.parameters() {
			x[s.items+d] = v / s.unit[s.items+d]
		}
	}
	return x
}

// move puts the learner at x.
func (s *settler) move(x []float64) {
	for i := range s.items {
		s.itemVector(i)[s.hidden+1] = s.unit[i] * x[i]
	}
	if s.shared != nil {
		for d := range s.shared.parameters() {
			s.shared.parameters()[d] = s.unit[s.items+d] * x[s.items+d]
		}
	}
}

// cost is the objective at x, and its gradient.
func (s *settler) cost(x, gradient []float64) float64 {
	if s.ctx.Err() != nil {
		return math.NaN() // goes nowhere from here
	}
	s.move(x)
	total := s.gradient(s.order)
	clear(gradient)
	for _, i := range s.touched {
		s.itemSlope(int(i), s.slope)
		gradient[i] = s.slope[s.hidden+1]
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

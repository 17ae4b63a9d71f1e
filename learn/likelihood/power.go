package likelihood

import (
	"context"
	"slices"

	"fubini/core/cholesky"
)

// Votes too long for exact sums have a slot likelihood in place of the likelihood. It counts a vote more than once, and a mixture of
// such likelihoods would take the units of raters for more certain than they are. To a power it is as wide as the likelihood: the one at
// which its scores vary as much as its curvature says, on average over all directions. See docs/maths.md#tastes.

// setPower sets the power by the scores of single votes, given the units of their raters: tr(C H) / tr(C J), where H is the curvature
// of the slot likelihood, C its inverse with the prior added, and J the sum of squares of the scores.
func (t *tasting) setPower(ctx context.Context) error {
	here, err := t.complete(ctx, t.theta, t.now, t.Jobs)
	if err != nil {
		return err
	}
	for k := range here.information { // without a power
		here.information[k] /= t.power
	}
	inverse, err := (&Fit{Data: t.Data, Prior: t.Prior, jobs: t.Jobs}).inverse(here)
	if err != nil {
		return err
	}
	states := 1 << t.Units
	squares, err := t.sumOverRaters(ctx, t.Global, t.Jobs, func(s *scorer, r int) error {
		for k := t.from[r]; k < t.from[r+1]; k++ {
			for state, q := range t.now.posterior[r*states : (r+1)*states] {
				if q*t.weight[k] == 0 {
					continue
				}
				if err := s.scoreOf(t.theta, k, state, 1); err != nil {
					return err
				}
				s.add(q*t.weight[k], s.sum)
				s.clear()
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	product := func(lower []float64) (sum float64) { // trace of C times a symmetric matrix
		for i := range t.Global {
			for j := range i {
				sum += 2 * inverse[i*t.Global+j] * lower[i*t.Global+j]
			}
			sum += inverse[i*(t.Global+1)] * lower[i*(t.Global+1)]
		}
		return sum
	}
	other := *t.panel
	other.power = min(1, max(firstPower, product(here.information)/product(squares)))
	t.panel = &other
	t.now, err = t.at(ctx, t.theta, t.shares)
	return err
}

// squaresOfRaters is the sum over raters of the squares of their scores, the units of each averaged over their posterior, with what
// the shares of units explain taken off. Lower triangle.
func (t *tasting) squaresOfRaters(ctx context.Context) ([]float64, error) {
	_, matrix, _, err := t.observed(ctx)
	if err != nil {
		return nil, err
	}
	g, n, states := t.Global, t.Global+t.Units, 1<<t.Units
	squares, err := t.sumOverRaters(ctx, n, t.Jobs, func(s *scorer, r int) error {
		for state, q := range t.now.posterior[r*states : (r+1)*states] {
			if err := s.score(t.theta, r, state, q*t.power); err != nil {
				return err
			}
			for k, share := range t.shares {
				s.put(g+k, q*(float64(state>>k&1)-share))
			}
		}
		s.add(t.times(r), s.sum)
		s.clear()
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range n {
		for j := range i {
			squares[j*n+i] = squares[i*n+j]
		}
	}
	shares := make([]float64, t.Units*t.Units) // their part of the matrix
	by := make([][]float64, g)                 // of each parameter: how much of the score of each share is taken off
	for k := range t.Units {
		copy(shares[k*t.Units:], matrix[(g+k)*n+g:(g+k)*n+g+k+1])
	}
	for i := range by {
		by[i] = make([]float64, t.Units)
		for k := range t.Units {
			by[i][k] = matrix[(g+k)*n+i]
		}
		cholesky.Solve(slices.Clone(shares), by[i])
	}
	out := make([]float64, g*g)
	for i := range g {
		for j := range i + 1 {
			v := squares[i*n+j]
			for k, a := range by[i] {
				v -= a*squares[(g+k)*n+j] + by[j][k]*squares[i*n+g+k]
				for l, b := range by[j] {
					v += a * b * squares[(g+k)*n+g+l]
				}
			}
			out[i*g+j] = v
		}
	}
	return out, nil
}

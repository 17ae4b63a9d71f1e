package likelihood

import (
	"context"
	"slices"

	"fubini/core/cholesky"
)

// observed is the negative matrix of second derivatives of the objective, by the parameters and the log odds of the shares, and its
// gradient (Louis): the information with the units seen, less the covariance of its score over their posterior. The point has
// the same information without priors, the shares eliminated.
func (t *tasting) observed(ctx context.Context) (*point, []float64, []float64, error) {
	here, err := t.complete(ctx, t.theta, t.now, t.Jobs)
	if err != nil {
		return nil, nil, nil, err
	}
	missing, err := t.missing(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	g, n := t.Global, t.Global+t.Units
	for i := range g {
		for j := range i + 1 {
			here.information[i*g+j] -= missing[i*n+j]
		}
	}
	matrix := make([]float64, n*n)
	penalised, _ := t.matrix(here, t.Prior)
	for i := range g {
		copy(matrix[i*n:i*n+i+1], penalised[i*g:i*g+i+1])
	}
	gradient := slices.Clone(here.gradient)
	for k := range gradient {
		precision, mean := t.prior(k, t.Prior)
		gradient[k] -= precision * (t.theta[k] - mean)
	}
	all := t.people() + 2
	for k, held := range t.withUnit() {
		row, share := matrix[(g+k)*n:(g+k+1)*n], t.shares[k]
		for j := range g + k + 1 {
			row[j] -= missing[(g+k)*n+j]
		}
		row[g+k] += all * share * (1 - share)
		gradient = append(gradient, held+1-all*share)
	}
	t.eliminate(here, matrix)
	return here, matrix, gradient, nil
}

// eliminate takes what shares explain off the information of the others.
func (t *tasting) eliminate(here *point, matrix []float64) {
	g, n := t.Global, t.Global+t.Units
	block := make([]float64, t.Units*t.Units)
	for k := range t.Units {
		copy(block[k*t.Units:], matrix[(g+k)*n+g:(g+k)*n+g+k+1])
	}
	if !cholesky.Factorise(block, t.Units) {
		return // far from the top
	}
	columns := make([][]float64, g)
	for i := range columns {
		columns[i] = make([]float64, t.Units)
		for k := range t.Units {
			columns[i][k] = matrix[(g+k)*n+i]
		}
		cholesky.SolveLower(block, columns[i])
		for j := range i + 1 {
			for k, v := range columns[i] {
				here.information[i*g+j] -= v * columns[j][k]
			}
		}
	}
}

// missing is the sum over raters of the covariance, over the posterior of their units, of the score that they would have if the
// units were seen: by the parameters, then by the log odds of the shares. Lower triangle.
func (t *tasting) missing(ctx context.Context) ([]float64, error) {
	g, n, states := t.Global, t.Global+t.Units, 1<<t.Units
	return t.sumOverRaters(ctx, n, t.Jobs, func(s *scorer, r int) error {
		posterior := t.now.posterior[r*states : (r+1)*states]
		if t.times(r) == 0 {
			return nil
		}
		for state, q := range posterior {
			if q < 1e-9 || q > 1-1e-9 {
				continue
			}
			if err := s.score(t.theta, r, state, t.power); err != nil {
				return err
			}
			for k := range t.Units {
				s.put(g+k, float64(state>>k&1))
			}
			s.keep(q * t.times(r))
		}
		s.close()
		return nil
	})
}

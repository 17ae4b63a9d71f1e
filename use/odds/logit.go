package odds

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/core/logprob"
)

// choice is an observation of a conditional logit: the features of several alternatives, and the one that was taken.
type choice struct {
	features [][]float64
	taken    int
}

// precision is that of the prior, whose mean is the start of a fit. It decides what the data leave open.
const precision = 1.0

// fitLogit finds the posterior mode of a conditional logit: an alternative has the log odds of its features times the
// parameters. The log posterior is concave, so Newton's method finds it.
func fitLogit(choices []choice, start []float64) ([]float64, error) {
	const most, enough = 100, 1e-8
	p := slices.Clone(start)
	value, gradient, hessian := logPosterior(choices, p, start)
	for range most {
		step := slices.Clone(gradient)
		cholesky.Must(cholesky.Factorise(hessian, len(p))) // the prior keeps it positive definite
		cholesky.SolveLower(hessian, step)
		cholesky.SolveUpper(hessian, step)
		var gain float64
		for k := range step {
			gain += step[k] * gradient[k]
		}
		if !(gain > enough) {
			return p, nil
		}
		for share := 1.0; ; share /= 2 { // until the posterior rises
			trial := slices.Clone(p)
			for k := range trial {
				trial[k] += share * step[k]
			}
			if v, g, h := logPosterior(choices, trial, start); v >= value {
				p, value, gradient, hessian = trial, v, g, h
				break
			}
			if share < 1e-9 {
				return p, nil
			}
		}
	}
	return nil, fmt.Errorf("odds: %w: no convergence in %d steps", errUncalibrated, most)
}

// logPosterior is the log posterior with its gradient and the lower triangle of minus its Hessian.
func logPosterior(choices []choice, p, start []float64) (value float64, gradient, hessian []float64) {
	n := len(p)
	gradient, hessian = make([]float64, n), make([]float64, n*n)
	for k := range p {
		d := p[k] - start[k]
		value -= precision * d * d / 2
		gradient[k] -= precision * d
		hessian[k*n+k] += precision
	}
	var logs []float64
	mean := make([]float64, n)
	for _, each := range choices {
		logs = logs[:0]
		for _, f := range each.features {
			var sum float64
			for k, v := range f {
				sum += p[k] * v
			}
			logs = append(logs, sum)
		}
		norm := logprob.SumExp(logs)
		value += logs[each.taken] - norm
		clear(mean)
		for s, f := range each.features {
			odds := math.Exp(logs[s] - norm)
			for k, v := range f {
				mean[k] += odds * v
				for j, w := range f[:k+1] {
					hessian[k*n+j] += odds * v * w
				}
			}
		}
		for k, v := range mean {
			gradient[k] += each.features[each.taken][k] - v
			for j, w := range mean[:k+1] {
				hessian[k*n+j] -= v * w
			}
		}
	}
	return value, gradient, hessian
}

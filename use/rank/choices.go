package rank

import (
	"fmt"
	"math"

	"fubini/core/cholesky"
	"fubini/core/logprob"
)

// choice is one of several that was taken, each with its features.
type choice struct {
	features [][]float64
	taken    int
}

// pull is the precision of the pull to where a fit starts, in choices.
const pull = 1.0

// fitChoices finds the parameters under which choices are likeliest, each having log
// odds of its features times the parameters, with a weak pull to the start, which
// decides what the data leave open. The log likelihood is concave, so Newton's steps
// find its top.
func fitChoices(choices []choice, start []float64) ([]float64, error) {
	const most, enough = 100, 1e-8
	p := append([]float64{}, start...)
	value, gradient, hessian := choiceLikelihood(choices, p, start)
	for range most {
		step := append([]float64{}, gradient...)
		cholesky.MustFactorise(hessian, len(p)) // the pull keeps it positive definite
		cholesky.SolveLower(hessian, step)
		cholesky.SolveUpper(hessian, step)
		var gain float64
		for k := range step {
			gain += step[k] * gradient[k]
		}
		if !(gain > enough) {
			return p, nil
		}
		for share := 1.0; ; share /= 2 { // until the likelihood rises
			trial := append([]float64{}, p...)
			for k := range trial {
				trial[k] += share * step[k]
			}
			if v, g, h := choiceLikelihood(choices, trial, start); v >= value {
				p, value, gradient, hessian = trial, v, g, h
				break
			}
			if share < 1e-9 {
				return p, nil
			}
		}
	}
	return nil, fmt.Errorf("rank: %w: no end in %d steps", ErrNoReading, most)
}

// choiceLikelihood is the log likelihood less the pull, with its gradient and minus
// its Hessian, of which the lower triangle counts.
func choiceLikelihood(choices []choice, p, start []float64) (value float64, gradient, hessian []float64) {
	n := len(p)
	gradient, hessian = make([]float64, n), make([]float64, n*n)
	for k := range p {
		d := p[k] - start[k]
		value -= pull * d * d / 2
		gradient[k] -= pull * d
		hessian[k*n+k] += pull
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

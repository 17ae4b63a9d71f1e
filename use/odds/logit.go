package odds

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/core/vec"
)

// choice is an observation of a conditional logit: the features of several alternatives, and the one that was taken.
type choice struct {
	features [][]float64
	taken    int
}

// precision is that of the prior. It decides what the data leave open.
const precision = 1.0

// fitLogit finds the posterior mode of a conditional logit: an alternative has the log odds of its features times the
// parameters. The log posterior is concave, so Newton's method finds it, from any point.
func fitLogit(choices []choice, prior, from []float64) ([]float64, error) {
	const most, enough = 100, 1e-8
	p := slices.Clone(from)
	value, gradient, hessian := logPosterior(choices, p, prior)
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
			if v, g, h := logPosterior(choices, trial, prior); v >= value {
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
func logPosterior(choices []choice, p, prior []float64) (value float64, gradient, hessian []float64) {
	n := len(p)
	gradient, hessian = make([]float64, n), make([]float64, n*n)
	for k := range p {
		d := p[k] - prior[k]
		value -= precision * d * d / 2
		gradient[k] -= precision * d
		hessian[k*n+k] += precision
	}
	var chances []float64 // of the alternatives of a choice, before that their log odds
	mean := make([]float64, n)
	for _, each := range choices {
		chances = chances[:0]
		for _, f := range each.features {
			var sum float64
			for k, v := range f {
				sum += p[k] * v
			}
			chances = append(chances, sum)
		}
		most := slices.Max(chances)
		value += chances[each.taken] - most
		for s := range chances {
			chances[s] -= most
		}
		vec.Exp(chances)
		var total float64
		for _, c := range chances {
			total += c
		}
		value -= math.Log(total)
		clear(mean)
		if n == correctionSize {
			addChances((*[correctionSize]float64)(mean), (*[correctionSize * correctionSize]float64)(hessian), each.features, chances, total)
		} else {
			for s, f := range each.features {
				chance := chances[s] / total
				for k, v := range f {
					v *= chance
					mean[k] += v
					addTimes(hessian[k*n:], f[:k+1], v)
				}
			}
		}
		for k, v := range mean {
			gradient[k] += each.features[each.taken][k] - v
			addTimes(hessian[k*n:], mean[:k+1], -v)
		}
	}
	return value, gradient, hessian
}

// addChances adds the mean features of a choice, and their mean products, where there are as many as a correction has: most of the time goes here.
func addChances(mean *[correctionSize]float64, hessian *[correctionSize * correctionSize]float64, features [][]float64, chances []float64, total float64) {
	const n = correctionSize
	for s, features := range features {
		chance, f := chances[s]/total, (*[n]float64)(features)
		a, b, c, d, e, g := f[0]*chance, f[1]*chance, f[2]*chance, f[3]*chance, f[4]*chance, f[5]*chance
		mean[0] += a
		mean[1] += b
		mean[2] += c
		mean[3] += d
		mean[4] += e
		mean[5] += g
		hessian[0] += a * f[0]
		for k := range 2 {
			hessian[n+k] += b * f[k]
		}
		for k := range 3 {
			hessian[2*n+k] += c * f[k]
		}
		for k := range 4 {
			hessian[3*n+k] += d * f[k]
		}
		for k := range 5 {
			hessian[4*n+k] += e * f[k]
		}
		for k := range n {
			hessian[5*n+k] += g * f[k]
		}
	}
}

// addTimes adds a factor times a few numbers to others: [vec.AddTimes] is for more of them.
func addTimes(to, from []float64, factor float64) {
	to = to[:len(from)]
	for k, v := range from {
		to[k] += factor * v
	}
}

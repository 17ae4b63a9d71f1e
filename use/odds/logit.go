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
		chances = slices.Grow(chances[:0], len(each.features))[:len(each.features)]
		if n == correctionSize {
			logOdds((*[correctionSize]float64)(p), each.features, chances)
		} else {
			for s, f := range each.features {
				chances[s] = 0
				for k, v := range f {
					chances[s] += p[k] * v
				}
			}
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

// logOdds writes the products of the parameters with the features of each alternative, where there are as many as a correction has.
func logOdds(p *[correctionSize]float64, features [][]float64, odds []float64) {
	for s, features := range features {
		f := (*[correctionSize]float64)(features)
		odds[s] = p[0]*f[0] + p[1]*f[1] + p[2]*f[2] + p[3]*f[3] + p[4]*f[4] + p[5]*f[5]
	}
}

// addChances adds the mean features of a choice, and their mean products, where there are as many as a correction has: most of the time goes here, and loops
// over so few numbers would take twice that.
func addChances(mean *[correctionSize]float64, hessian *[correctionSize * correctionSize]float64, features [][]float64, chances []float64, total float64) {
	h := hessian
	for s, features := range features {
		chance, f := chances[s]/total, (*[correctionSize]float64)(features)
		f0, f1, f2, f3, f4, f5 := f[0], f[1], f[2], f[3], f[4], f[5]
		a, b, c, d, e, g := f0*chance, f1*chance, f2*chance, f3*chance, f4*chance, f5*chance
		mean[0], mean[1], mean[2], mean[3], mean[4], mean[5] = mean[0]+a, mean[1]+b, mean[2]+c, mean[3]+d, mean[4]+e, mean[5]+g
		h[0] += a * f0
		h[6], h[7] = h[6]+b*f0, h[7]+b*f1
		h[12], h[13], h[14] = h[12]+c*f0, h[13]+c*f1, h[14]+c*f2
		h[18], h[19], h[20], h[21] = h[18]+d*f0, h[19]+d*f1, h[20]+d*f2, h[21]+d*f3
		h[24], h[25], h[26], h[27], h[28] = h[24]+e*f0, h[25]+e*f1, h[26]+e*f2, h[27]+e*f3, h[28]+e*f4
		h[30], h[31], h[32], h[33], h[34], h[35] = h[30]+g*f0, h[31]+g*f1, h[32]+g*f2, h[33]+g*f3, h[34]+g*f4, h[35]+g*f5
	}
}

// addTimes adds a factor times a few numbers to others: [vec.AddTimes] is for more of them.
func addTimes(to, from []float64, factor float64) {
	to = to[:len(from)]
	for k, v := range from {
		to[k] += factor * v
	}
}

package bayes

import (
	"math"

	"fubini/core/cholesky"
	"fubini/core/rng"
	"fubini/model/baseline/fitting"
)

// normalWishart is the prior of the vectors (bias, factors) on one side: normal with mean μ and precision Λ, both
// drawn. Λ is Wishart with Degrees + width - 1 degrees of freedom and scale matrix 1/Rate, and μ normal around zero
// with precision Weight Λ. A full Λ lets bias and factors depend on each other.
type normalWishart struct {
	mean      []float64
	precision []float64 // lower triangle of Λ
	shift     []float64 // Λμ

	centre, normal []float64
	scatter, root  []float64 // width x width
}

// newNormalWishart holds biases near 1 and factors near a deviation for the first draws.
func newNormalWishart(width int, deviation float64) *normalWishart {
	square := func() []float64 { return make([]float64, width*width) }
	line := func() []float64 { return make([]float64, width) }
	p := &normalWishart{mean: line(), precision: square(), shift: line(), centre: line(), normal: line(), scatter: square(), root: square()}
	p.precision[0] = 1
	for k := 1; k < width; k++ {
		p.precision[k*width+k] = 1 / (deviation * deviation)
	}
	return p
}

// draw draws Λ and then μ given the vectors on one side, n of them with mean v̄: Λ is Wishart with n more degrees of
// freedom, and the inverse of its scale matrix is Rate + Σ (v - v̄)(v - v̄)ᵀ + n Weight/(n + Weight) v̄ v̄ᵀ.
func (p *normalWishart) draw(r *rng.Rand, s *side, h hyperprior) bool {
	d, n := len(p.mean), float64(len(s.rated))
	p.scatterOf(s)
	for a := range d {
		p.scatter[a*d+a] += h.Rate
	}
	cholesky.AddOuter(p.scatter, n*h.Weight/(n+h.Weight), p.centre)
	if !cholesky.Factorise(p.scatter, d) {
		return false
	}
	p.wishart(r, h.Degrees+float64(d)-1+n)
	copy(p.root, p.precision)
	if !cholesky.Factorise(p.root, d) {
		return false
	}
	for k := range p.normal {
		p.normal[k] = r.NormFloat64()
	}
	cholesky.SolveUpper(p.root, p.normal)
	for k := range p.mean {
		p.mean[k] = p.centre[k]*n/(n+h.Weight) + p.normal[k]/math.Sqrt(n+h.Weight)
	}
	cholesky.Times(p.precision, p.mean, p.shift)
	return true
}

// scatterOf computes the mean of the vectors on a side and their squares around it.
func (p *normalWishart) scatterOf(s *side) {
	clear(p.centre)
	clear(p.scatter)
	for _, e := range s.rated {
		p.centre[0] += s.bias[e]
		fitting.Add(p.centre[1:], 1, s.row(e)[1:])
	}
	for k := range p.centre {
		p.centre[k] /= float64(len(s.rated))
	}
	v := p.normal
	for _, e := range s.rated {
		copy(v, s.row(e))
		v[0] = s.bias[e]
		fitting.Add(v, -1, p.centre)
		cholesky.AddOuter(p.scatter, 1, v)
	}
}

// wishart draws Λ = M Mᵀ, M = R⁻ᵀ B, by Bartlett's decomposition: R Rᵀ is the inverse of the scale matrix, and B is lower
// triangular, with roots of chi-square draws of falling degrees on its diagonal and standard normal draws below.
func (p *normalWishart) wishart(r *rng.Rand, degrees float64) {
	d := len(p.mean)
	clear(p.precision)
	for c := range d {
		column := p.normal
		clear(column)
		column[c] = math.Sqrt(gammaDraw(r, (degrees-float64(c))/2, 0.5))
		for k := c + 1; k < d; k++ {
			column[k] = r.NormFloat64()
		}
		cholesky.SolveUpper(p.scatter, column)
		cholesky.AddOuter(p.precision, 1, column)
	}
}

// gammaDraw draws from the gamma distribution of this shape and rate (Marsaglia and Tsang 2000). A shape below one is
// drawn one higher and brought back by a power of a uniform draw.
func gammaDraw(r *rng.Rand, shape, rate float64) float64 {
	boost := 1.0
	if shape < 1 {
		boost = math.Pow(1-r.Float64(), 1/shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		root := 1 + float64(c*x)
		if root <= 0 {
			continue
		}
		v := root * root * root
		if -r.ExpFloat64() < x*x/2+float64(d*(1-v+math.Log(v))) {
			return boost * d * v / rate
		}
	}
}

package likelihood

import (
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/learn/ballot"
	"fubini/learn/reliability"
)

// point is the log likelihood at a point, its gradient and the expected information.
type point struct {
	value       float64
	gradient    []float64
	information []float64 // lower triangle
	// With reliabilities of raters: what is lost of the information because they are unknown, and what is known of each.
	missing []float64
	raters  []reliability.Posterior
}

// prior is the precision of parameter k and the mean of its prior.
func (d *Data) prior(k int, p ballot.Precision) (precision, mean float64) {
	switch {
	case k < d.Items:
		return p.Worth, 0
	case k >= d.Layout.Tie && k < d.Distance:
		return p.Tie, 0
	case k >= d.Layout.Size && k < d.W:
		return p.Size, 0
	case k >= d.W && k < d.Spread:
		return p.Unit, 0
	case k >= d.Spread && k < d.Global:
		return p.Spread, ballot.CentreOfSpread
	}
	return 0, 0
}

func (d *Data) penalty(theta []float64, p ballot.Precision) (sum float64) {
	for k, v := range theta[:d.Global] {
		precision, mean := d.prior(k, p)
		sum += precision * (v - mean) * (v - mean) / 2
	}
	return sum
}

// matrix is the information, with that of the prior. The constant on each redundant range has
// information of its own beside: the mean of the range, given as size.
func (d *Data) matrix(p *point, prior ballot.Precision) (a, size []float64) {
	g := d.Global
	a = slices.Clone(p.information)
	for k, v := range p.missing {
		a[k] -= v
	}
	for k := range g {
		precision, _ := d.prior(k, prior)
		a[k*g+k] += precision
	}
	for _, r := range d.Redundant() {
		var sum float64
		for k := r[0]; k < r[1]; k++ {
			sum += a[k*g+k]
		}
		size = append(size, sum/float64(r[1]-r[0]))
	}
	for n, r := range d.Redundant() {
		for i := r[0]; i < r[1]; i++ {
			for j := r[0]; j <= i; j++ {
				a[i*g+j] += size[n]
			}
		}
	}
	return a, size
}

// regular is the matrix with parameters of no effect at this point held, as the curve of distances at equal worths.
func (d *Data) regular(p *point, prior ballot.Precision) []float64 {
	a, size := d.matrix(p, prior)
	for k := range d.Global {
		own := &a[k*d.Global+k]
		if math.Abs(*own) < 1e-12*size[0] {
			*own += 1e-9 * size[0]
		}
		*own *= 1 + 1e-9
	}
	return a
}

// damped is the factorised matrix of a step where that of the point is not positive definite: far from the maximum the likelihood may
// be convex along the log spread of reliabilities. The step along it is made shorter and shorter, and if that is not enough, nothing
// is taken to be missing, as EM has it. Nil if that is no remedy either, or there are no reliabilities.
func (d *Data) damped(p *point, prior ballot.Precision) []float64 {
	seen := *p
	for more := 1.0; seen.missing != nil; more *= 10 {
		if more > 1e6 {
			seen.missing = nil
		}
		factor := d.regular(&seen, prior)
		factor[d.Spread*(d.Global+1)] += more
		if cholesky.Factorise(factor, d.Global) {
			return factor
		}
	}
	return nil
}

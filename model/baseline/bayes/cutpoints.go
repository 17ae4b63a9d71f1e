package bayes

import (
	"math"

	"fubini/core/cholesky"
	"fubini/model/baseline/fitting"
)

// cutPoints divide the line of an ordered probit: a rating has level l if its latent value, normal around the model's
// mean with variance 1, lies between cuts l-1 and l. A priori they are ordered normal draws of standard deviation
// cutSpread: at mean zero and that much noise, level probabilities would be uniform on the simplex.
type cutPoints struct {
	at       []float64
	proposal []float64
	normal   []float64

	means       [][]float64 // of the ratings of each user
	here, there cutCurve
	parts       []cutCurve // one for every piece of the users
}

const (
	cutSpread    = 3
	cutPrecision = 1.0 / (cutSpread * cutSpread)
	cutPiece     = 32 // users that are summed together
)

func newCutPoints(at []float64, users *side) *cutPoints {
	n := len(at)
	c := &cutPoints{at: at, proposal: make([]float64, n), normal: make([]float64, n), here: newCutCurve(n), there: newCutCurve(n)}
	for u, ratings := range users.value {
		c.means = append(c.means, make([]float64, len(ratings)))
		if u%cutPiece == 0 {
			c.parts = append(c.parts, newCutCurve(n))
		}
	}
	return c
}

// interval returns the ends of a level.
func interval(cuts []float64, level int) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if level > 0 {
		low = cuts[level-1]
	}
	if level < len(cuts) {
		high = cuts[level]
	}
	return low, high
}

// moveCuts makes a Metropolis-Hastings step with the latent values integrated out. The proposal is normal around the
// point to which Newton's method steps from here, with the curvature here for its precision. The posterior is
// log-concave and, with many ratings, nearly normal: more than nine in ten are accepted.
func (c *chain) moveCuts() {
	p := c.cuts
	c.cutPosterior(p.at, &p.here, true)
	var n float64
	for _, means := range p.means {
		n += float64(len(means))
	}
	c.misfit = -p.here.fit / n
	for k := range p.normal {
		p.normal[k] = c.stream.NormFloat64()
	}
	forward := p.here.propose(p.at, p.normal, p.proposal)
	if !ascends(p.proposal) {
		return
	}
	c.cutPosterior(p.proposal, &p.there, false)
	ratio := p.there.log - p.here.log
	if back := p.there.logDensity(p.proposal, p.at, p.normal); c.stream.Accept(ratio + back - forward) {
		copy(p.at, p.proposal)
	}
}

// cutPosterior computes the log posterior of cut points given biases and factors, up to a constant, and its derivatives;
// with means, those of the ratings first. Sums go by pieces of users, whatever the number of workers.
func (c *chain) cutPosterior(at []float64, total *cutCurve, means bool) {
	c.share(len(c.users.bias), cutPiece, func(_ *worker, from, to int) {
		part := &c.cuts.parts[from/cutPiece]
		part.zero()
		for u := from; u < to && means; u++ {
			for k, i := range c.users.other[u] {
				c.cuts.means[u][k] = c.users.bias[u] + c.items.bias[i] + fitting.Dot(c.users.row(u)[1:], c.items.row(int(i))[1:])
			}
		}
		part.addRatings(at, c.cuts.means[from:to], c.users.value[from:to])
	})
	total.zero()
	for k := range c.cuts.parts {
		total.add(&c.cuts.parts[k])
	}
	total.fit = total.log
	for k, x := range at {
		total.log -= cutPrecision * x * x / 2
		total.slope[k] -= cutPrecision * x
		total.matrix[k*len(at)+k] += cutPrecision
	}
}

// startingCuts give every level its share of the ratings at a mean of zero.
func startingCuts(count []int) []float64 {
	total, below := 0, 0
	for _, n := range count {
		total += n
	}
	cuts := make([]float64, len(count)-1)
	for k := range cuts {
		below += count[k]
		cuts[k] = math.Sqrt2 * math.Erfinv(2*float64(below)/float64(total)-1)
	}
	return cuts
}

// cutCurve is the log posterior of cut points at one place, its gradient, and the negative of its second derivatives, a
// matrix of which the lower triangle is kept. After factorise that is its Cholesky factor L.
type cutCurve struct {
	log, fit      float64 // with and without the prior
	slope, matrix []float64
}

func newCutCurve(n int) cutCurve {
	return cutCurve{slope: make([]float64, n), matrix: make([]float64, n*n)}
}

// addRatings adds log(Φ(high - mean) - Φ(low - mean)) of the ratings of users, whose values are places of levels.
// Probabilities are multiplied as long as the product can carry it, which saves logarithms.
func (s *cutCurve) addRatings(at []float64, means, levels [][]float64) {
	const least, enough = 1e-100, 1e-150
	product, n := 1.0, len(at)
	for u := range means {
		for k, mean := range means[u] {
			l := int(levels[u][k])
			low, high := interval(at, l)
			low, high = low-mean, high-mean
			probability := max(normalBetween(low, high), least)
			if product *= probability; product < enough {
				s.log += math.Log(product)
				product = 1
			}
			var up, down float64
			if l < n {
				up = normalDensity(high) / probability
				s.slope[l] += up
				s.matrix[l*n+l] += up * (up + high)
			}
			if l > 0 {
				down = normalDensity(low) / probability
				s.slope[l-1] -= down
				s.matrix[(l-1)*n+l-1] += down * (down - low)
			}
			if l > 0 && l < n {
				s.matrix[l*n+l-1] -= up * down
			}
		}
	}
	s.log += math.Log(product)
}

func (s *cutCurve) zero() {
	s.log, s.fit = 0, 0
	clear(s.slope)
	clear(s.matrix)
}

func (s *cutCurve) add(o *cutCurve) {
	s.log += o.log
	fitting.Add(s.slope, 1, o.slope)
	fitting.Add(s.matrix, 1, o.matrix)
}

// propose writes a draw around the Newton step from a point, and returns its log density up to a constant.
func (s *cutCurve) propose(from, normal, to []float64) float64 {
	logDensity := s.factorise()
	for _, z := range normal {
		logDensity -= z * z / 2
	}
	cholesky.SolveUpper(s.matrix, normal)
	for k := range to {
		to[k] = from[k] + s.slope[k] + normal[k]
	}
	return logDensity
}

// logDensity is the log density, up to the same constant, of a proposal from one point to another.
func (s *cutCurve) logDensity(from, to, difference []float64) float64 {
	logDensity := s.factorise()
	for k := range to {
		difference[k] = to[k] - from[k] - s.slope[k]
	}
	for k := range to { // Lᵀ times the difference is standard normal
		var z float64
		for r := k; r < len(to); r++ {
			z += s.matrix[r*len(to)+k] * difference[r]
		}
		logDensity -= z * z / 2
	}
	return logDensity
}

// factorise replaces the matrix by L and the slope by the Newton step, and returns the log of the product of the
// diagonal of L. The prior keeps the matrix positive definite.
func (s *cutCurve) factorise() (logRoot float64) {
	cholesky.Must(cholesky.Solve(s.matrix, s.slope))
	for k := range s.slope {
		logRoot += math.Log(s.matrix[k*len(s.slope)+k])
	}
	return logRoot
}

package bayes

import (
	"math"

	"fubini/model/baseline/fitting"
)

// cutPoints divide the line of an ordered probit: a rating has level l if its latent value, normal around the model's
// mean with variance 1, lies between cuts l-1 and l. A priori they are normal draws of standard deviation cutSpread, in
// order, so that at a mean of zero and that much noise all ways to divide the probability among the levels would be
// equally likely.
type cutPoints struct {
	at       []float64
	proposal []float64
	normal   []float64

	means       []float64 // of every rating, user by user
	here, there cutCurve
	parts       []cutCurve // one for every piece of the users
	moves, took int
}

const (
	cutSpread = 3
	cutPiece  = 32 // users that are summed together
)

func newCutPoints(at []float64, users, ratings int) *cutPoints {
	n := len(at)
	c := &cutPoints{
		at: at, proposal: make([]float64, n), normal: make([]float64, n), means: make([]float64, ratings),
		here: newCutCurve(n), there: newCutCurve(n),
	}
	for range (users + cutPiece - 1) / cutPiece {
		c.parts = append(c.parts, newCutCurve(n))
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
	c.misfit = -p.here.fit / float64(len(p.means))
	forward := c.proposeCuts()
	p.moves++
	for k := 1; k < len(p.proposal); k++ {
		if !(p.proposal[k] > p.proposal[k-1]) {
			return
		}
	}
	c.cutPosterior(p.proposal, &p.there, false)
	ratio := p.there.log - p.here.log
	if back := p.there.logDensity(p.proposal, p.at, p.normal); c.stream.Accept(ratio + back - forward) {
		p.took++
		copy(p.at, p.proposal)
	}
}

// proposeCuts draws a proposal and returns the log of its density.
func (c *chain) proposeCuts() float64 {
	for k := range c.cuts.normal {
		c.cuts.normal[k] = c.stream.NormFloat64()
	}
	return c.cuts.here.propose(c.cuts.at, c.cuts.normal, c.cuts.proposal)
}

// cutPosterior computes the log posterior of cut points given all biases and factors, up to a constant, and its
// derivatives; the means of ratings only if they are not known yet. Sums go by pieces of users, whatever the number of
// workers.
func (c *chain) cutPosterior(at []float64, total *cutCurve, means bool) {
	c.share(len(c.users.bias), cutPiece, func(_ *worker, from, to int) {
		part := &c.cuts.parts[from/cutPiece]
		part.zero()
		first, end := c.users.start[from], c.users.start[to]
		if means {
			for u := from; u < to; u++ {
				mine := c.users.row(u)[1:]
				for k := c.users.start[u]; k < c.users.start[u+1]; k++ {
					j := int(c.users.other[k])
					c.cuts.means[k] = c.users.bias[u] + c.items.bias[j] + fitting.Dot(mine, c.items.row(j)[1:])
				}
			}
		}
		part.addRatings(at, c.cuts.means[first:end], c.users.value[first:end])
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

const cutPrecision = 1.0 / (cutSpread * cutSpread)

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

package reliability

import (
	"fubini/learn/ballot"
)

// The integral over a log reliability is a sum over equidistant points around its posterior mean. Of smooth functions that fall off
// as normal densities do such a sum is exact to many digits, if points are at most 1.1 standard deviations apart and reach four
// to either side. For a spread of 1, more than is found in practice, the log of the integral is off by less than 3e-3
// (TestIntegralsByBruteForce).
const (
	reach  = 7
	nodes  = 2*reach + 1
	widest = 1.1
	// alone is the distance of points, in standard deviations, of a rater whose points are on no grid.
	alone = 0.85
)

// points are those of the integral of one rater: at a distance of step, around centre. On a grid they are every stride-th of its
// points, from point at on; a stride of 0 means on none.
type points struct {
	Place        // for which they were chosen
	centre, step float64
	at, stride   int
}

// node is point q.
func (p *points) node(q int) float64 { return p.centre + p.step*float64(q-reach) }

// pointsAt are points on no grid.
func pointsAt(p Place) points { return points{Place: p, centre: p.Mean, step: alone * p.SD} }

// grid is equidistant log reliabilities that the points of several raters are among.
type grid struct {
	low, step float64
	used      []bool // whether some rater has the point
}

func (g *grid) node(k int) float64 { return g.low + g.step*float64(k) }

// Posterior is the posterior distribution of the reliability of one rater, given their votes.
type Posterior struct {
	Place    Place          // of its logarithm
	Weights  [nodes]float64 // probabilities of the points of the integral
	Mean     float64        // of the reliability
	Variance float64
	Lean     []ballot.Entry // covariance of the reliability with the score of the rater's votes; of [Panel.Observed] alone
}

package reliability

import "math"

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

// place chooses the points of all raters around the places given. Those of a rater with so many votes that the grid is too coarse
// are on none.
func (p *Panel) place(prior Prior, where []Place) {
	p.points, p.grid = make([]points, len(where)), grid{}
	for r, at := range where {
		p.points[r] = pointsAt(at)
	}
	if p.rows == nil {
		return
	}
	narrow := math.Inf(1)
	for _, at := range where {
		narrow = min(narrow, at.SD)
	}
	// Strides are whole numbers of at least 2, so that points are between 0.73 and 1.1 standard deviations apart.
	step := widest * max(narrow, prior.Spread/16) / 2
	first, last := math.MaxInt, math.MinInt
	for r, at := range where {
		stride := int(widest*at.SD/step + 1e-9)
		if stride < 2 {
			continue
		}
		middle := int(math.Round(at.Mean / step))
		p.points[r] = points{at, step * float64(middle), step * float64(stride), middle - reach*stride, stride}
		first, last = min(first, middle-reach*stride), max(last, middle+reach*stride)
	}
	p.grid = grid{step * float64(first), step, make([]bool, last-first+1)}
	if len(p.grid.used)*p.rows.width() > most { // a table of all points would be too large
		p.grid = grid{}
		for r, at := range where {
			p.points[r] = pointsAt(at)
		}
		return
	}
	for r := range p.points {
		if own := &p.points[r]; own.stride > 0 {
			own.at -= first
			for q := range nodes {
				p.grid.used[own.at+q*own.stride] = true
			}
		}
	}
}

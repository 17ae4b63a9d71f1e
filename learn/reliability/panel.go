package reliability

import (
	"math"

	"fubini/learn/ballot"
)

// Panel is the votes of raters with reliabilities, and the points over which these are integrated out.
type Panel struct {
	*ballot.Data
	// Common is the votes put together whoever cast them, without reliabilities.
	Common *ballot.Data
	rows   *rows // nil where few raters have votes on the same items
	grid   grid
	points []points  // of each rater; nil until they are placed
	times  []float64 // how often each rater counts; nil for once
}

// NewPanel prepares votes whose design has raters.
func NewPanel(d *ballot.Data) *Panel {
	p := &Panel{Data: d, rows: newRows(d)}
	p.Common = p.rows.Data
	if 4*len(p.rows.Groups) > len(d.Groups) { // a table would save little
		p.rows = nil
	}
	return p
}

// Reweighted is the panel of data with other weights of its orders.
func (p *Panel) Reweighted(d *ballot.Data) *Panel {
	q := *p
	q.Data, q.Common = d, nil
	return &q
}

// Times returns the panel with rater r counted times[r] times: a rater who is drawn twice is two raters, not one with twice the votes.
func (p *Panel) Times(times []float64) *Panel {
	q := *p
	q.times = times
	return &q
}

func (p *Panel) count(rater int) float64 {
	if p.times == nil {
		return 1
	}
	return p.times[rater]
}

// Prior is the distribution of reliabilities at theta.
func (p *Panel) Prior(theta []float64) Prior { return Prior{math.Exp(theta[p.Spread])} }

// Moved is the panel with points around the posteriors given, or nil where those it has fit: no mean is further away than slack times
// a third of a standard deviation, and no log standard deviation than slack times 0.2.
func (p *Panel) Moved(theta []float64, raters []Posterior, slack float64) *Panel {
	prior := p.Prior(theta)
	where, moved := make([]Place, len(raters)), p.points == nil
	for r := range where {
		if where[r] = raters[r].Place; where[r].SD == 0 { // without votes, or not known yet
			where[r] = prior.Place()
		}
		if !moved {
			was := p.points[r].Place
			moved = math.Abs(where[r].Mean-was.Mean) > slack*was.SD/3 || math.Abs(math.Log(where[r].SD/was.SD)) > 0.2*slack
		}
	}
	if !moved {
		return nil
	}
	q := *p
	q.place(prior, where)
	return &q
}

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

// most is the largest number of numbers in a table: 200 MB.
const most = 25e6

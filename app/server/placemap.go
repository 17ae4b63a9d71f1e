package server

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"fubini/model/latent"
)

// placeMap is the plane in which items differ most: the two leading directions of
// their weights.
type placeMap struct {
	catalogue  *latent.Catalogue
	plane      [2][]float64 // unit vectors; zero where there are fewer units
	stranger   point        // where nobody in particular stands: the origin of people
	items      []point
	kept       float64
	directions int
}

func newPlaceMap(m *served) (*placeMap, error) {
	c := m.catalogue
	p := &placeMap{catalogue: c, plane: [2][]float64{make([]float64, c.K), make([]float64, c.K)}, items: make([]point, len(c.U)), directions: min(2, c.K)}
	if c.K == 0 {
		return p, nil
	}
	mean := make([]float64, c.K)
	for i := range c.U {
		for k, w := range weights(c, i) {
			mean[k] += w / float64(len(c.U))
		}
	}
	spread := mat.NewSymDense(c.K, nil)
	for i := range c.U {
		w := weights(c, i)
		for j := range c.K {
			for k := j; k < c.K; k++ {
				spread.SetSym(j, k, spread.At(j, k)+(w[j]-mean[j])*(w[k]-mean[k]))
			}
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(spread, true) {
		return nil, errors.New("the weights of the items have no principal directions")
	}
	values := eigen.Values(nil) // ascending
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	all := 0.0
	for _, v := range values {
		all += max(0, v)
	}
	for d := range p.directions {
		at := c.K - 1 - d
		mat.Col(p.plane[d], at, &vectors)
		settleSign(p.plane[d])
		if all > 0 {
			p.kept += max(0, values[at]) / all
		}
	}
	p.kept = math.Min(1, p.kept)
	p.stranger = p.project(c.Unknown())
	for i := range c.U {
		p.items[i] = p.project(weights(c, i))
	}
	return p, nil
}

// settleSign makes the largest part of a direction positive: either sign would do,
// and the map must not turn over from one machine to the next.
func settleSign(direction []float64) {
	largest := 0.0
	for _, v := range direction {
		if math.Abs(v) > math.Abs(largest) {
			largest = v
		}
	}
	if largest < 0 {
		for k := range direction {
			direction[k] = -direction[k]
		}
	}
}

func (p *placeMap) project(vector []float64) point {
	var at point
	for k, v := range vector {
		at.X += v * p.plane[0][k]
		at.Y += v * p.plane[1][k]
	}
	return at
}

// person is where a taste stands, and the ellipse around it that holds its true
// place with a probability of 80 %. Units given a list are independent, with
// variance 1 if Gaussian and h (1-h) if binary; the plane cuts their covariance.
func (p *placeMap) person(taste []float64) (point, ring) {
	at := p.project(taste)
	at.X, at.Y = at.X-p.stranger.X, at.Y-p.stranger.Y
	var xx, xy, yy float64
	for k, h := range taste {
		variance := 1.0
		if p.catalogue.Units == latent.Binary {
			variance = h * (1 - h)
		}
		x, y := p.plane[0][k], p.plane[1][k]
		xx, xy, yy = xx+variance*x*x, xy+variance*x*y, yy+variance*y*y
	}
	middle, half := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	const inside = 0.8
	reach := math.Sqrt(-2 * math.Log(1-inside)) // of a standard normal in two directions
	r := ring{X: at.X, Y: at.Y, RX: reach * math.Sqrt(middle+half), RY: reach * math.Sqrt(max(0, middle-half))}
	if xy != 0 || xx != yy {
		r.Angle = math.Atan2(2*xy, xx-yy) / 2
	}
	return at, r
}

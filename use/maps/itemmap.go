package maps

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/rank"
)

// ItemMap is a map of all items in two dimensions, by their rows of W, on which people have a
// place too: the middle of the items that they prefer, so that nobody stands outside. The origin
// is an average person, and the middle of all items. Several goroutines may use it.
type ItemMap struct {
	catalogue *latent.Catalogue
	pca       *PCA
	points    []Point
	// People are placed among these items, evenly chosen: the middle of many does not hang on a few.
	among  []int
	spread float64 // standard deviation of items along an axis of the map, and of worths that tastes change
}

// mostAmong is the number of items among which people are placed, and draws that of draws of a person's posterior: the
// standard error of the share in a ring of 0.8 is 0.02.
const (
	mostAmong = 500
	draws     = 400
)

// NewItemMap computes the map of a catalogue.
func NewItemMap(c *latent.Catalogue) (*ItemMap, error) {
	v := Items(c)
	pca, err := NewPCA(v, 2)
	if err != nil {
		return nil, err
	}
	m := &ItemMap{catalogue: c, pca: pca, points: pca.Points(v)}
	for _, variance := range pca.Variance {
		m.spread += variance / 2
	}
	m.spread = math.Sqrt(m.spread)
	if c.Units == latent.Binary {
		m.spread /= 2 // a fair coin has the deviation 1/2
	}
	for i := 0; i < c.Items; i += 1 + (c.Items-1)/mostAmong {
		m.among = append(m.among, i)
	}
	return m, nil
}

// Items are the vectors of all items of a model.
func Items(c *latent.Catalogue) Vectors { return Vectors{Dim: c.K, Data: c.W} }

// Item is the place of an item.
func (m *ItemMap) Item(i int) Point { return m.points[i] }

// Kept is the share of the variance of the item vectors that the map preserves.
func (m *ItemMap) Kept() float64 { return m.pca.Kept(2) }

// Directions returns the number of dimensions of the map, and that of the vectors.
func (m *ItemMap) Directions() (shown, of int) { return len(m.pca.Axes), m.catalogue.K }

// Ring is an ellipse: centre, semi-axes before rotation, and the angle of rotation in degrees
// from the x axis towards the y axis.
type Ring struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	RX    float64 `json:"rx"`
	RY    float64 `json:"ry"`
	Angle float64 `json:"angle"`
}

// Person returns the place of a person, the mean over the posterior of their units, and the ellipse
// around it that contains their true place with the given posterior probability. Both are computed
// from the same draws for everybody, so that a person who changes nothing stays.
func (m *ItemMap) Person(p model.Person, probability float64) (at Point, ring Ring, err error) {
	if !(probability > 0 && probability < 1) {
		return Point{}, Ring{}, fmt.Errorf("maps: a ring of probability %g; it must lie between 0 and 1", probability)
	}
	folded, err := rank.Read(m.catalogue, p)
	if err != nil {
		return Point{}, Ring{}, err
	}
	if len(folded.List.Items) == 0 {
		copy(folded.Embedding, m.catalogue.PriorMeans())
	}
	r := rng.Stream(1, "places of a person")
	units, places := make([]float64, m.catalogue.K), make([]Point, draws)
	weights := make([]float64, len(m.among))
	for d := range places {
		draw(r, m.catalogue.Units, folded.Embedding, units)
		places[d] = m.preferred(units, weights)
		at.X += places[d].X / draws
		at.Y += places[d].Y / draws
	}
	return at, ringAround(at, places, probability), nil
}

// draw draws independent units with these posterior means.
func draw(r *rng.Rand, kind latent.Units, means, units []float64) {
	for k, mean := range means {
		units[k] = 0
		switch {
		case kind == latent.Gaussian:
			units[k] = mean + r.NormFloat64()
		case r.Float64() < mean:
			units[k] = 1
		}
	}
}

// preferred is the middle of the items under the preferences of a person with these units. An item
// weighs exp(W_i · (h - E h) / s): by how much the units raise its worth above that for an average
// person, in standard deviations. See docs/maths.md#maps.
func (m *ItemMap) preferred(units, weights []float64) (at Point) {
	c := m.catalogue
	away := c.PriorMeans()
	for k, h := range units {
		away[k] = (h - away[k]) / max(m.spread, math.SmallestNonzeroFloat32)
	}
	for n, i := range m.among {
		weights[n] = vec.Dot(c.W[i*c.K:(i+1)*c.K], away)
	}
	norm := logprob.SumExp(weights)
	for n, i := range m.among {
		w := math.Exp(weights[n] - norm)
		at.X += w * m.points[i].X
		at.Y += w * m.points[i].Y
	}
	return at
}

// Embedding is the place on the map of a person with these values of the hidden units.
func (m *ItemMap) Embedding(units []float64) Point {
	return m.preferred(units, make([]float64, len(m.among)))
}

// ringAround is the ellipse around a middle with the shape of the places' covariance, just large
// enough to hold a share of them.
func ringAround(at Point, places []Point, share float64) Ring {
	var xx, xy, yy float64
	for _, p := range places {
		x, y := p.X-at.X, p.Y-at.Y
		xx, xy, yy = xx+x*x, xy+x*y, yy+y*y
	}
	n := float64(len(places))
	xx, xy, yy = xx/n, xy/n, yy/n
	middle, half := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	ring := Ring{X: at.X, Y: at.Y, RX: math.Sqrt(middle + half), RY: math.Sqrt(max(0, middle-half))}
	if half > 1e-12*middle { // a circle is not turned
		ring.Angle = math.Atan2(2*xy, xx-yy) / 2 * 180 / math.Pi
	}
	away := make([]float64, len(places))
	for k, p := range places {
		away[k] = ring.distance(p)
	}
	slices.Sort(away)
	size := away[int(math.Ceil(share*n))-1]
	ring.RX, ring.RY = size*ring.RX, size*ring.RY
	return ring
}

// distance is how far a point lies from the middle, in half-axes of the ellipse.
func (r Ring) distance(p Point) float64 {
	sin, cos := math.Sincos(r.Angle * math.Pi / 180)
	x, y := p.X-r.X, p.Y-r.Y
	part := func(d, half float64) float64 {
		if half <= 1e-12*max(r.RX, r.RY) { // a line
			return 0
		}
		return d / half
	}
	return math.Hypot(part(x*cos+y*sin, r.RX), part(y*cos-x*sin, r.RY))
}

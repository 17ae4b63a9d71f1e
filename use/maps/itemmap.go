package maps

import (
	"fmt"
	"math"

	"fubini/core/vec"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/rank"
)

// ItemMap is a map of all items in two dimensions, by their rows of W, on which people have a
// place too. The origin is an average person, and items with zero weights; a person lies in the
// direction of their preferred items. Several goroutines may use it.
type ItemMap struct {
	catalogue *latent.Catalogue
	pca       *PCA
	points    []Point
	stretch   float64 // of people, who live on the scale of units and not of weights
}

// NewItemMap computes the map of a catalogue.
func NewItemMap(c *latent.Catalogue) (*ItemMap, error) {
	v := Items(c)
	pca, err := NewPCA(v, 2)
	if err != nil {
		return nil, err
	}
	m := &ItemMap{catalogue: c, pca: pca, points: pca.Points(v)}
	// One standard deviation of a unit of which nothing is known is as long as one of
	// items on the map.
	var spread float64
	for _, variance := range pca.Variance {
		spread += variance / 2
	}
	m.stretch = math.Sqrt(spread)
	if c.Units == latent.Binary {
		m.stretch *= 2 // a fair coin has the deviation 1/2
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

// Person returns the place of a person, and the ellipse that contains their true place with the
// given posterior probability: the posterior of the units, which are independent, projected on
// the map. Binary units are approximated by normal ones of the same variance.
func (m *ItemMap) Person(p model.Person, probability float64) (Point, Ring, error) {
	if !(probability > 0 && probability < 1) {
		return Point{}, Ring{}, fmt.Errorf("maps: a ring of probability %g; it must lie between 0 and 1", probability)
	}
	folded, err := rank.Read(m.catalogue, p)
	if err != nil {
		return Point{}, Ring{}, err
	}
	at := m.Embedding(folded.Embedding)
	ring := m.ring(folded.Embedding, math.Sqrt(-2*math.Log(1-probability))) // chi-square of two
	ring.X, ring.Y = at.X, at.Y
	return at, ring, nil
}

// Embedding is the place of a person with these posterior means of the units.
func (m *ItemMap) Embedding(means []float64) Point {
	away := m.catalogue.PriorMeans()
	for k, mean := range means {
		away[k] = (mean - away[k]) * m.stretch
	}
	return m.pca.Direction(away)
}

// ring is the ellipse of n standard deviations of independent units with these posterior means, by the eigenvalues
// of their covariance on the map.
func (m *ItemMap) ring(means []float64, deviations float64) Ring {
	var covariance [2][2]float64
	scaled := make([]float64, len(means))
	for a, axis := range m.pca.Axes {
		for k, mean := range means {
			variance := 1.0
			if m.catalogue.Units == latent.Binary {
				variance = mean * (1 - mean)
			}
			scaled[k] = axis[k] * variance * m.stretch * m.stretch
		}
		for b, other := range m.pca.Axes {
			covariance[a][b] = vec.Dot(scaled, other)
		}
	}
	xx, xy, yy := covariance[0][0], covariance[0][1], covariance[1][1]
	middle, half := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	ring := Ring{RX: deviations * math.Sqrt(middle+half), RY: deviations * math.Sqrt(max(0, middle-half))}
	if half > 1e-12*middle { // a circle is not turned
		ring.Angle = math.Atan2(2*xy, xx-yy) / 2 * 180 / math.Pi
	}
	return ring
}

package maps

import (
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/latent"
)

// A stranger stands near the middle, somebody who likes an item on its side; the ring holds
// draws of the posterior as often as it says, and nobody stands outside the items, however
// strong their tastes.
func TestPeopleOnTheItemMap(t *testing.T) {
	r := rng.Stream(4, "item map")
	for _, units := range []latent.Units{latent.Gaussian, latent.Binary} {
		c := latent.NewCatalogue(30, 5, units, latent.Options{Size: 2, Centred: true})
		for i := range c.W {
			c.W[i] = 0.2 * r.NormFloat64() * float64(1+i%5)
		}
		m, err := NewItemMap(c)
		if err != nil {
			t.Fatal(err)
		}
		at, _, err := m.Person(model.Person{}, 0.8)
		if err != nil || !(math.Hypot(at.X, at.Y) <= 0.2*m.furthest()) { // the mean of draws that go to all sides

			t.Errorf("a stranger stands at %v (%v)", at, err)
		}
		order, err := partition.Parse("0 > 1 > 2")
		if err != nil {
			t.Fatal(err)
		}
		person := model.Person{Known: ratings.Row{Items: []uint32{3, 9, 20}, Values: []float32{3, 2, 1}}}
		at, ring, err := m.Person(person, 0.8)
		if err != nil || ring.X != at.X || ring.Y != at.Y || !(ring.RX >= ring.RY && ring.RY > 0) {
			t.Fatalf("person %v, ring %+v, %v", at, ring, err)
		}
		listed, err := c.Model([]int{3, 9, 20})
		if err != nil {
			t.Fatal(err)
		}
		mean, draw := make([]float64, 5), make([]float64, 5)
		listed.Posterior(order, mean)
		const many = 20000
		inside := 0
		sin, cos := math.Sincos(ring.Angle * math.Pi / 180)
		for range many {
			for k, v := range mean {
				draw[k] = v + r.NormFloat64()
				if units == latent.Binary {
					draw[k] = 0
					if r.Float64() < v {
						draw[k] = 1
					}
				}
			}
			p := m.Embedding(draw)
			if dx, dy := p.X-at.X, p.Y-at.Y; math.Hypot((dx*cos+dy*sin)/ring.RX, (dy*cos-dx*sin)/ring.RY) <= 1 {
				inside++
			}
		}
		if share := float64(inside) / many; !(math.Abs(share-0.8) <= 0.06) { // three standard errors of a ring of 400 draws
			t.Errorf("%v: the ring holds %.3f of the draws", units, share)
		}
		for k := range draw {
			draw[k] = 1000 * mean[k]
		}
		if p := m.Embedding(draw); !(math.Hypot(p.X, p.Y) <= m.furthest()*(1+1e-12)) || !(math.Hypot(p.X, p.Y) > 0) {
			t.Errorf("%v: somebody of strong tastes stands at %v, and no item is further than %g", units, p, m.furthest())
		}
		if shown, of := m.Directions(); shown != 2 || of != 5 || !(m.Kept() > 0.4 && m.Kept() <= 1) {
			t.Errorf("%d of %d directions keep %g", shown, of, m.Kept())
		}
		if _, _, err := m.Person(person, 1); err == nil {
			t.Error("a ring that holds everything")
		}
		if _, _, err := m.Person(model.Person{Known: ratings.Row{Items: []uint32{99}, Values: []float32{1}}}, 0.8); err == nil {
			t.Error("an item outside the catalogue")
		}
	}
	if _, err := NewItemMap(latent.NewCatalogue(4, 0, latent.Gaussian, latent.Options{})); err == nil {
		t.Error("a map without units")
	}
	one := latent.NewCatalogue(3, 1, latent.Gaussian, latent.Options{})
	copy(one.W, []float64{1, 0, -1})
	m, err := NewItemMap(one)
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Item(0); p.Y != 0 || p.X == 0 {
		t.Errorf("with a single unit an item stands at %v", p)
	}
}

// furthest is the largest distance of an item from the origin.
func (m *ItemMap) furthest() (far float64) {
	for _, p := range m.points {
		far = max(far, math.Hypot(p.X, p.Y))
	}
	return far
}

// Planted groups are the regions, each named by the first of the items near its middle.
func TestRegionsArePlantedGroups(t *testing.T) {
	c := latent.NewCatalogue(40, 2, latent.Gaussian, latent.Options{})
	r := rng.Stream(1, "regions")
	for i := range c.Items {
		c.W[2*i], c.W[2*i+1] = float64(4*(i%2))+0.1*r.NormFloat64(), float64(6*(i/2%2))+0.1*r.NormFloat64()
	}
	m, err := NewItemMap(c)
	if err != nil {
		t.Fatal(err)
	}
	items := make([]int, c.Items)
	for i := range items {
		items[i] = c.Items - 1 - i // the last is the best known
	}
	regions, err := m.Regions(items, 4, 1)
	if err != nil || len(regions) != 4 {
		t.Fatalf("%v, %v", regions, err)
	}
	groups := map[int]bool{}
	for _, region := range regions {
		groups[region.Item%4] = true
		at := m.Item(region.Item)
		if region.Items != 10 || !(math.Hypot(at.X-region.Middle.X, at.Y-region.Middle.Y) <= 0.3) {
			t.Errorf("%+v, whose exemplar stands at %v", region, at)
		}
	}
	if len(groups) != 4 {
		t.Errorf("exemplars of %d groups", len(groups))
	}
	if few, err := m.Regions(items[:2], 4, 1); err != nil || len(few) != 2 {
		t.Errorf("two items: %v, %v", few, err)
	}
	if none, err := m.Regions(nil, 4, 1); err != nil || len(none) != 0 {
		t.Errorf("no items: %v, %v", none, err)
	}
}

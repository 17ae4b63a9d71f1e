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

// A stranger stands at the middle, somebody who likes an item on its side; the ring
// holds draws of the posterior as often as it says.
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
		if err != nil || !(math.Hypot(at.X, at.Y) <= 1e-12) {
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
		const draws = 20000
		inside := 0
		sin, cos := math.Sincos(ring.Angle * math.Pi / 180)
		for range draws {
			for k, v := range mean {
				draw[k] = v + r.NormFloat64()
				if units == latent.Binary { // normal with its variance, as the ring has it
					draw[k] = v + math.Sqrt(v*(1-v))*r.NormFloat64()
				}
			}
			p := m.Embedding(draw)
			dx, dy := p.X-at.X, p.Y-at.Y
			if math.Hypot((dx*cos+dy*sin)/ring.RX, (dy*cos-dx*sin)/ring.RY) <= 1 {
				inside++
			}
		}
		if share := float64(inside) / draws; !(math.Abs(share-0.8) <= 0.015) { // five standard errors
			t.Errorf("%v: the ring holds %.3f of the draws", units, share)
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

// Package measure has artificial models and ratings to measure the speed of recommendations. All programs measure on
// them, so that their numbers can be compared.
package measure

import (
	"bytes"
	"io"
	"math"
	"strconv"

	"fubini/core/rng"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model/interest"
	"fubini/model/latent"
)

// Sizes of the model and of the task.
const (
	Items  = 10_000 // in the catalogue
	Units  = 50     // hidden units
	Placed = 20     // items that a person placed
	Top    = 10     // items recommended to a person

	neighbours = 400 // weights of each item in the model of picks: those that train makes have 250, and 330 to 430 for the items that people pick
)

// Model returns a model with random parameters.
func Model(seed uint64) *modelstore.Saved {
	r := rng.Stream(seed, "bench shelf") // fixed: another name changes results
	c := latent.Shape{Items: Items, K: Units, Units: latent.Gaussian, Options: latent.Options{Size: 2, Centred: true}, Presence: true}.New()
	for _, list := range [][]float64{c.U, c.W, c.V} {
		for i := range list {
			list[i] = 0.3 * r.NormFloat64()
		}
	}
	saved := &modelstore.Saved{Name: "latent-osm", Low: 1, High: 5, Model: &registry.Latent{Catalogue: c}}
	for i := range Items {
		saved.ItemIDs = append(saved.ItemIDs, strconv.Itoa(i))
		saved.Seen = append(saved.Seen, 100) // enough for any --min-support
	}
	saved.ItemNames = saved.ItemIDs
	return saved
}

// Whole returns the model of [Model] with a random model of picks beside it, of as many units: recommendations from it are by interest and
// taste. Items differ in popularity as much as those of MovieLens: the log has a standard deviation of 1.5.
func Whole(seed uint64) *modelstore.Saved {
	saved := Model(seed)
	r := rng.Stream(seed, "bench picks")
	m := &interest.Model{
		Average: make([]float64, Items), Low: 1, High: 5, Units: Units, In: make([]float64, Items*Units), Gain: make([]float64, Items), Eigen: make([]float64, Units), Factor: make([]float64, Items),
		Noise: 4, Smooth: .3, Short: 10, Taste: .1,
	}
	for i := range m.Average {
		m.Average[i] = .01 * math.Exp(1.5*r.NormFloat64()-1)
		m.Gain[i] = m.Average[i]
		m.Factor[i] = 1
	}
	for k := range m.In {
		m.In[k] = float64(float32(r.NormFloat64()))
	}
	for k := range m.Eigen {
		m.Eigen[k] = 1 / float64(1+k)
	}
	m.Near.Start = make([]int64, Items+1)
	for i := range Items {
		for k := range neighbours {
			j := k*Items/neighbours + r.IntN(Items/neighbours)
			m.Near.Target, m.Near.Value = append(m.Near.Target, uint32(j)), append(m.Near.Value, float32(m.Average[j]*r.NormFloat64()))
		}
		m.Near.Start[i+1] = int64(len(m.Near.Target))
	}
	m.Prepare()
	saved.Interest = m
	return saved
}

// Ratings returns a CSV table of the ratings of n people, which is generated as it is read.
func Ratings(n int) io.Reader {
	return &table{people: n, text: *bytes.NewBufferString("user,item,rating\n")}
}

type table struct {
	people, done int
	text         bytes.Buffer // made and not yet read
}

// Read implements [io.Reader].
func (c *table) Read(to []byte) (int, error) {
	b := c.text.AvailableBuffer()
	for ; c.text.Len()+len(b) < len(to) && c.done < c.people; c.done++ {
		state := uint64(c.done)*0x9e3779b97f4a7c15 + 1
		for k := range uint64(Placed) {
			state = state*6364136223846793005 + 1442695040888963407
			b = strconv.AppendUint(append(b, 'u'), uint64(c.done), 10)
			// One item from each of as many stretches of the catalogue: none twice.
			item := k*(Items/Placed) + (state>>33)%(Items/Placed)
			b = strconv.AppendUint(append(b, ','), item, 10)
			b = append(b, ',', byte('1'+(state>>20)%5), '\n')
		}
	}
	c.text.Write(b)
	return c.text.Read(to)
}

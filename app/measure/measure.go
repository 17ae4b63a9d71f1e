// Package measure has what the speed of recommending is measured on: a made-up model of a
// catalogue, and a crowd of made-up people. Both programs measure on it, so that their
// numbers can be set beside each other.
package measure

import (
	"io"
	"strconv"

	"fubini/core/rng"
	"fubini/learn/zoo"
	"fubini/model/latent"
)

// The sizes: people with so many placed items of a catalogue, and as many recommended.
const (
	Items  = 10_000
	Units  = 50
	Placed = 20
	Top    = 10
)

// Model is a model of random parameters.
func Model(seed uint64) *zoo.Saved {
	r := rng.Stream(seed, "bench shelf")
	c := latent.NewCatalogue(Items, Units, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	c.V = make([]float64, len(c.W))
	for _, list := range [][]float64{c.U, c.W, c.V} {
		for i := range list {
			list[i] = 0.3 * r.NormFloat64()
		}
	}
	saved := &zoo.Saved{Name: "latent-osm", Low: 1, High: 5, Model: &zoo.Latent{Catalogue: c}}
	for i := range Items {
		saved.ItemIDs = append(saved.ItemIDs, strconv.Itoa(i))
		saved.Seen = append(saved.Seen, 100) // enough for any --min-support
	}
	saved.ItemNames = saved.ItemIDs
	return saved
}

// Crowd is a table of ratings of so many people, made as it is read.
func Crowd(people int) io.Reader { return &crowd{people: people} }

type crowd struct {
	people, done int
	text, left   []byte
}

func (c *crowd) Read(to []byte) (int, error) {
	if len(c.left) == 0 {
		if c.done == c.people {
			return 0, io.EOF
		}
		c.text = c.text[:0]
		if c.done == 0 {
			c.text = append(c.text, "user,item,rating\n"...)
		}
		for range min(100, c.people-c.done) {
			state := uint64(c.done)*0x9e3779b97f4a7c15 + 1
			for k := range uint64(Placed) {
				state = state*6364136223846793005 + 1442695040888963407
				c.text = strconv.AppendUint(append(c.text, 'u'), uint64(c.done), 10)
				// One item from each of as many stretches of the catalogue: none twice.
				item := k*(Items/Placed) + (state>>33)%(Items/Placed)
				c.text = strconv.AppendUint(append(c.text, ','), item, 10)
				c.text = append(c.text, ',', byte('1'+(state>>20)%5), '\n')
			}
			c.done++
		}
		c.left = c.text
	}
	n := copy(to, c.left)
	c.left = c.left[n:]
	return n, nil
}

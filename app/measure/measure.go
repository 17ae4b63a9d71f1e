// Package measure has an artificial model and ratings to measure the speed of recommendations. All programs measure on
// them, so that their numbers can be compared.
package measure

import (
	"bytes"
	"io"
	"strconv"

	"fubini/core/rng"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model/latent"
)

// Sizes of the model and of the task.
const (
	Items  = 10_000 // in the catalogue
	Units  = 50     // hidden units
	Placed = 20     // items that a person placed
	Top    = 10     // items recommended to a person
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

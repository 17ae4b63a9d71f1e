// Package planted is support for tests of what runs cells: a store in memory, and a small world of ratings.
package planted

import (
	"fmt"
	"io/fs"
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/paper/cells"
)

// Memory is a store without files.
type Memory map[string][]byte

// Get implements [cells.Store].
func (m Memory) Get(name string) ([]byte, error) {
	text, there := m[name]
	if !there {
		return nil, fs.ErrNotExist
	}
	return text, nil
}

// Put implements [cells.Store].
func (m Memory) Put(name string, data []byte) error {
	m[name] = data
	return nil
}

// Small has 40 people and 30 items, the later ones better.
func Small(t testing.TB) cells.Data {
	t.Helper()
	r := rng.Stream(1, "small")
	b := ratings.NewBuilder()
	for u := range 40 {
		for i := range 30 {
			if r.Float64() < 0.6 {
				v := math.Round(1 + 4*float64(i)/29 + r.NormFloat64())
				if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%02d", i), float32(min(5, max(1, v))), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return cells.Data{Name: "small", Set: s, MinTest: 3}
}

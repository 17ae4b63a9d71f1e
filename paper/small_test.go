package paper_test

import (
	"fmt"
	"io/fs"
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/paper/cells"
)

// memory is a store in memory.
type memory map[string][]byte

func (m memory) Get(name string) ([]byte, error) {
	text, there := m[name]
	if !there {
		return nil, fs.ErrNotExist
	}
	return text, nil
}

func (m memory) Put(name string, data []byte) error {
	m[name] = data
	return nil
}

func small(t testing.TB) cells.Data {
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

// skipIfShort leaves out whole trainings where time is short: what several goroutines do
// here, the race detector sees in TestLikelihoodsForAnyNumberOfJobs, and what they do in
// training and judging it sees in the packages for that.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("whole trainings: not with -short")
	}
}

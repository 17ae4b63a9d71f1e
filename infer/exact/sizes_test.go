package exact_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/stattest"
)

// sized is a model with weights of blocks by their sizes, and of the last block.
type sized struct {
	*pairs
	every, last []float64
}

func newSized(n int, spread float64) sized {
	r := rng.Stream(1, "sized", uint64(n))
	s := sized{pairs: randomPairs(1, n, spread), every: []float64{0}, last: []float64{0}}
	for range max(1, n-1) { // a block of all items has no weight
		s.every, s.last = append(s.every, spread*r.NormFloat64()), append(s.last, spread*r.NormFloat64())
	}
	return s
}

func (s sized) LogSizes() (every, last []float64) { return s.every, s.last }

func (s sized) LogWeight(x *partition.Partition) float64 {
	w := s.pairs.LogWeight(x)
	for t := range x.Len() {
		if n := x.Size(t); n < len(s.every) {
			w += s.every[n]
			if t == x.Len()-1 {
				w += s.last[n]
			}
		}
	}
	return w
}

// With weights by size the table agrees with the listing, also in logarithms, and tells
// how many blocks of each size there are.
func TestSizesAgainstListing(t *testing.T) {
	for _, spread := range []float64{1, 300} {
		for n := 1; n <= 6; n++ {
			for _, space := range spaces(n) {
				m := newSized(n, spread)
				compareWithListing(t, fmt.Sprintf("sized, spread %g, n = %d, %+v", spread, n, space), m, space)
				table, err := exact.NewTable(m, space)
				if err != nil {
					continue // the space is empty
				}
				list, err := exact.List(m, space)
				if err != nil {
					t.Fatal(err)
				}
				a, b := table.Moments(), list.Moments()
				for s := 1; s <= n; s++ {
					blocks := list.Mean(func(x *partition.Partition) (count float64) {
						for t := range x.Len() {
							if x.Size(t) == s {
								count++
							}
						}
						return count
					})
					if !near(a.Blocks(s), blocks, 1e-11) || !near(b.Blocks(s), blocks, 1e-11) || !near(a.Last(s), b.Last(s), 1e-11) {
						t.Errorf("spread %g, n = %d, %+v: %g blocks of %d and %g the last, listed %g and %g", spread, n, space, a.Blocks(s), s, a.Last(s), blocks, b.Last(s))
					}
				}
			}
		}
	}
}

func TestDrawsKeepToSizes(t *testing.T) {
	m := newSized(4, 0.8)
	list, err := exact.List(m, partition.Space{})
	if err != nil {
		t.Fatal(err)
	}
	fit := func(m model) float64 {
		table, err := exact.NewTable(m, partition.Space{})
		if err != nil {
			t.Fatal(err)
		}
		const draws = 20_000
		index, expected := map[string]int{}, make([]float64, len(list.States()))
		for x, p := range list.All() {
			expected[len(index)] = p * draws
			index[x.String()] = len(index)
		}
		r, x, observed := rng.Stream(1, "draws"), partition.OneBlock(4), make([]int, len(expected))
		for range draws {
			table.Draw(r, x)
			observed[index[x.String()]]++
		}
		return stattest.ChiSquare(observed, expected)
	}
	if p := fit(m); !(p > 1e-6) {
		t.Errorf("draws do not follow the probabilities, p = %g", p)
	}
	if p := fit(m.pairs); !(p < 1e-6) {
		t.Errorf("the test cannot see that draws forget the sizes, p = %g", p)
	}
}

func TestBadSizesAreRefused(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		m := newSized(3, 1)
		m.last[1] = bad
		if _, err := exact.NewTable(m, partition.Space{}); err == nil || !strings.Contains(err.Error(), "blocks by size") {
			t.Errorf("%g: %v", bad, err)
		}
	}
}

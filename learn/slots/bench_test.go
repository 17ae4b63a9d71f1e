package slots

import (
	"context"
	"fmt"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/osm"
)

// BenchmarkVisit is the cost of one list in an epoch, by its length, in five tiers: lists of more than Longest items, 200, are
// used in part, so that somebody with thousands of ratings does not hold up their block.
func BenchmarkVisit(b *testing.B) {
	const people = 100
	for _, length := range []int{10, 50, 100, 200, 500, 1000, 5000} {
		b.Run(fmt.Sprintf("items=%d", length), func(b *testing.B) {
			epochs(b, 1, people, func(int) int { return length })
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*people), "µs/list")
		})
	}
}

// BenchmarkUnequal is an epoch over 1,000 people with lists of 20 items, or one in fifty of them with 5,000, on one core and on two.
func BenchmarkUnequal(b *testing.B) {
	for _, long := range []int{20, 5000} {
		for _, jobs := range []int{1, 2} {
			b.Run(fmt.Sprintf("items=%d/cores=%d", long, jobs), func(b *testing.B) {
				epochs(b, jobs, 1000, func(l int) int {
					if l%50 == 0 {
						return long
					}
					return 20
				})
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(1000*b.N), "ms/epoch")
			})
		}
	}
}

// epochs fits random lists of 6,000 items for as many epochs as the benchmark asks for.
func epochs(b *testing.B, jobs, people int, length func(l int) int) {
	const items = 6000
	packed := osm.Pack(randomLists(b, items, people, length))
	o := Defaults()
	o.Epochs, o.Jobs, o.CoOccurrence = max(1, b.N), jobs, 0
	b.ResetTimer()
	if _, err := o.Fit(context.Background(), items, packed); err != nil {
		b.Fatal(err)
	}
}

// randomLists are lists in five tiers of items drawn by lot.
func randomLists(t testing.TB, items, people int, length func(l int) int) []osm.List {
	r := rng.Stream(1, "visit", uint64(length(0)))
	all := make([]int, items)
	lists := make([]osm.List, people)
	for l := range lists {
		rng.Permutation(r, all)
		levels := make([]int, length(l))
		for k := range levels {
			levels[k] = r.IntN(5)
		}
		order, err := partition.FromLevels(levels)
		if err != nil {
			t.Fatal(err)
		}
		lists[l] = osm.List{Items: append([]int{}, all[:len(levels)]...), Order: order}
	}
	return lists
}

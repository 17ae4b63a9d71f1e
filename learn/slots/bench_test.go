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
	const items, people = 6000, 100
	for _, length := range []int{10, 50, 100, 200, 500, 1000, 5000} {
		b.Run(fmt.Sprintf("items=%d", length), func(b *testing.B) {
			r := rng.Stream(1, "visit", uint64(length))
			all := make([]int, items)
			lists := make([]osm.List, people)
			for l := range lists {
				rng.Permutation(r, all)
				levels := make([]int, length)
				for k := range levels {
					levels[k] = r.IntN(5)
				}
				order, err := partition.FromLevels(levels)
				if err != nil {
					b.Fatal(err)
				}
				lists[l] = osm.List{Items: append([]int{}, all[:length]...), Order: order}
			}
			o := Defaults()
			o.Epochs, o.Jobs, o.CoOccurrence = max(1, b.N), 1, 0
			b.ResetTimer()
			if _, err := o.Fit(context.Background(), items, osm.Pack(lists)); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*people), "µs/list")
		})
	}
}

package ascent_test

import (
	"context"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/slots"
	"fubini/model/latent"
	"fubini/model/osm"
)

// An epoch over 1,000 users with 20 items each and 50 units.
func BenchmarkEpoch(b *testing.B) {
	const users, n, items = 1000, 20, 1853
	r := rng.Stream(1, "bench lists")
	lists := make([]osm.List, users)
	all, levels := make([]int, items), make([]int, n)
	for l := range lists {
		rng.Permutation(r, all)
		for k := range levels {
			levels[k] = r.IntN(5)
		}
		x, err := partition.FromLevels(levels)
		if err != nil {
			b.Fatal(err)
		}
		lists[l] = osm.List{Items: append([]int{}, all[:n]...), Order: x}
	}
	for name, v := range map[string]func() trainer{
		"slots gaussian":                       bySlots(func(*slots.Options) {}),
		"slots gaussian without co-occurrence": bySlots(func(o *slots.Options) { o.CoOccurrence = 0 }),
		"slots binary":                         bySlots(func(o *slots.Options) { o.Units = latent.Binary }),
		"chains gaussian":                      byChains(func(o *chains.Options) { o.Units, o.Sweeps = latent.Gaussian, 1 }),
		"chains binary":                        byChains(func(o *chains.Options) { o.Sweeps = 1 }),
	} {
		b.Run(name, func(b *testing.B) {
			if _, err := fitted(context.Background(), v, items, lists, func(o *ascent.Options) { o.Hidden, o.Epochs, o.Jobs = 50, b.N, 1 }); err != nil {
				b.Fatal(err)
			}
		})
	}
}

package train_test

import (
	"context"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/learn/train"
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
	for name, o := range map[string]train.LatentOptions{
		"slots gaussian":                 with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units = latent.Gaussian }),
		"slots gaussian without company": with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units, o.Company = latent.Gaussian, 0 }),
		"slots binary":                   with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Units = latent.Binary }),
		"chains gaussian":                with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Objective, o.Units, o.Sweeps = train.Chains, latent.Gaussian, 1 }),
		"chains binary":                  with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Objective, o.Units, o.Sweeps = train.Chains, latent.Binary, 1 }),
	} {
		b.Run(name, func(b *testing.B) {
			o.Hidden, o.Epochs, o.Jobs = 50, b.N, 1
			if _, err := train.FitLatent(context.Background(), items, lists, o); err != nil {
				b.Fatal(err)
			}
		})
	}
}

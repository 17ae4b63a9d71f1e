package main

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/learn/train"
	"fubini/model/latent"
	"fubini/model/osm"
)

// The size of MovieLens 1M under the paper's protocol, N = 20.
const (
	benchListed    = 20
	benchCatalogue = 1853
	benchHidden    = 50
)

type epochSpeed struct {
	name    string
	items   int
	seconds float64
}

// benchTraining are the objectives that are measured.
var benchTraining = []struct {
	name    string
	options train.LatentOptions
}{
	{"slots, gaussian units", train.LatentOptions{Units: latent.Gaussian}},
	{"chains, gaussian units, one sweep", train.LatentOptions{Objective: train.Chains, Units: latent.Gaussian, Sweeps: 1}},
	{"chains, binary units, one sweep", train.LatentOptions{Objective: train.Chains, Sweeps: 1}},
}

// measureEpoch times epochs on lists drawn at random: five tiers, as stars make.
func measureEpoch(ctx context.Context, kind struct {
	name    string
	options train.LatentOptions
}, users int, seed uint64, jobs int) (epochSpeed, error) {
	speed := epochSpeed{name: kind.name, items: benchListed}
	r := rng.Stream(seed, "bench training")
	lists := make([]osm.List, users)
	all, levels := make([]int, benchCatalogue), make([]int, benchListed)
	for l := range lists {
		rng.Permutation(r, all)
		for i := range levels {
			levels[i] = r.IntN(5)
		}
		order, err := partition.FromLevels(levels)
		if err != nil {
			return speed, err
		}
		lists[l] = osm.List{Items: slices.Clone(all[:benchListed]), Order: order}
	}
	o := kind.options
	o.Hidden, o.Epochs, o.Seed, o.Jobs = benchHidden, 11, seed, jobs
	var times []float64
	last := time.Now()
	o.Observer = func(train.LatentProgress) {
		now := time.Now()
		times = append(times, now.Sub(last).Seconds())
		last = now
	}
	if _, err := train.FitLatent(ctx, benchCatalogue, lists, o); err != nil {
		return speed, err
	}
	times = times[1:] // the first holds the preparations
	slices.Sort(times)
	speed.seconds = times[len(times)/2]
	return speed, nil
}

func cores(jobs int) int { return cmp.Or(jobs, runtime.GOMAXPROCS(0)) }

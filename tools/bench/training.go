package main

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/learn/train"
	"fubini/model/latent"
	"fubini/model/osm"
)

// world is the size of a problem of lists drawn at random.
type world struct {
	users, listed, levels, catalogue, hidden int
}

// The size of MovieLens 1M under the paper's protocol at N = 20, and that of Netflix.
var (
	movieLens = world{users: 3466, listed: 20, levels: 5, catalogue: 1853, hidden: 50}
	netflix   = world{users: 480_000, listed: 50, levels: 5, catalogue: 17_770, hidden: 50}
)

// lists draws everybody's, popular items more often than others.
func (b world) lists() ([]osm.List, error) {
	r := rng.Stream(seed, "bench training")
	lists := make([]osm.List, b.users)
	levels := make([]int, b.listed)
	for l := range lists {
		chosen := map[int]bool{}
		items := make([]int, 0, b.listed)
		for len(items) < b.listed {
			x := r.Float64()
			if i := int(x * x * float64(b.catalogue)); !chosen[i] {
				chosen[i] = true
				items = append(items, i)
			}
		}
		for i := range levels {
			levels[i] = r.IntN(b.levels)
		}
		order, err := partition.FromLevels(levels)
		if err != nil {
			return nil, err
		}
		lists[l] = osm.List{Items: items, Order: order}
	}
	return lists, nil
}

// objectives are the ways of training that are measured.
var objectives = []struct {
	name    string
	options train.LatentOptions
}{
	{"chains, gaussian units drawn, one sweep", objective(train.Chains, latent.Gaussian, true)},
	{"the same without presence weights", objective(train.Chains, latent.Gaussian, false)},
	{"chains, binary units drawn, one sweep", objective(train.Chains, latent.Binary, true)},
	{"slots, gaussian units", objective(train.Slots, latent.Gaussian, true)},
	{"slots, binary units", objective(train.Slots, latent.Binary, true)},
}

func objective(objective train.Objective, units latent.Units, presence bool) train.LatentOptions {
	o := train.LatentDefaults()
	o.Objective, o.Units, o.Presence, o.Sweeps = objective, units, presence, 1
	return o
}

// epochTimes are of one objective: the median, the fastest, and the most memory that this program held.
type epochTimes struct {
	median, fastest, memory float64
}

// measureEpochs times epochs; the first is left out.
func measureEpochs(ctx context.Context, kind int, b world, epochs int) (found epochTimes, err error) {
	tell("an epoch of %d users, %d items, %d tiers, %d units, %s ...", b.users, b.listed, b.levels, b.hidden, objectives[kind].name)
	debug.FreeOSMemory()
	lists, err := b.lists()
	if err != nil {
		return found, err
	}
	o := objectives[kind].options
	o.Hidden, o.Epochs, o.Seed = b.hidden, epochs+1, seed
	var times []float64
	last := time.Now()
	o.Observer = func(train.LatentProgress) {
		times = append(times, time.Since(last).Seconds())
		found.memory = max(found.memory, residentMemory("self")/1e6)
		last = time.Now()
	}
	if _, err := train.FitLatent(ctx, b.catalogue, lists, o); err != nil {
		return found, err
	}
	times = times[1:]
	slices.Sort(times)
	found.median, found.fastest = times[len(times)/2], times[0]
	return found, nil
}

func (p *page) training(ctx context.Context, w *bufio.Writer, peers []trainingPeer) error {
	epochs, users := p.sized(30, 2), p.sized(movieLens.users, 20)
	fmt.Fprintf(w, `
## Training

One epoch over %d users with %d items each in five tiers, of a catalogue of %d, and
%d hidden units, on %d cores: the median and the fastest of %d, which lie apart where other
programs share the machine. The size is that of MovieLens 1M under the paper's protocol
at N = 20. Memory is what the whole program held. Inner loops run in %s.

| objective | epoch, s | fastest, s | a user, µs | memory, MB |
|---|---:|---:|---:|---:|
`, users, movieLens.listed, movieLens.catalogue, movieLens.hidden, runtime.GOMAXPROCS(0), epochs, vec.Kernels())
	b := movieLens
	b.users = users
	for kind, o := range objectives {
		e, err := measureEpochs(ctx, kind, b, epochs)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | %.3g | %.3g | %.3g | %.0f |\n", o.name, e.median, e.fastest, 1e6*e.median/float64(users), e.memory)
	}
	fmt.Fprint(w, `
Cost by size, slot likelihood with Gaussian units and one sweep of chains with drawn
ones: each row changes one number of the first. An epoch is linear in users; the slots
of a list take N (T+2) K steps and a sweep with its gradient N K + N T', T' the tiers of
the chain, so doubling one factor should at most double the time a user takes.

| users | N | tiers | units | slots, epoch s | a user, µs | chains, epoch s | a user, µs |
|---:|---:|---:|---:|---:|---:|---:|---:|
`)
	b.users = p.sized(2000, 20)
	for _, factors := range [][4]int{{1, 1, 1, 1}, {2, 1, 1, 1}, {4, 1, 1, 1}, {1, 2, 1, 1}, {1, 4, 1, 1}, {1, 1, 1, 2}, {1, 1, 1, 4}, {1, 1, 2, 1}, {1, 1, 4, 1}}[:p.sized(9, 2)] {
		b := world{b.users * factors[0], b.listed * factors[1], b.levels * factors[2], b.catalogue, b.hidden * factors[3]}
		fmt.Fprintf(w, "| %d | %d | %d | %d |", b.users, b.listed, b.levels, b.hidden)
		for _, kind := range []int{3, 0} {
			e, err := measureEpochs(ctx, kind, b, epochs)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, " %.3g | %.3g |", e.median, 1e6*e.median/float64(b.users))
		}
		fmt.Fprintln(w)
	}
	if p.large {
		fmt.Fprintf(w, `
A synthetic problem of the size of Netflix: %d users with %d items each of %d, %d units.

| objective | epoch, s | fastest, s | memory, MB |
|---|---:|---:|---:|
`, netflix.users, netflix.listed, netflix.catalogue, netflix.hidden)
		for _, kind := range []int{3, 0, 1} {
			e, err := measureEpochs(ctx, kind, netflix, 3)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "| %s | %.3g | %.3g | %.0f |\n", objectives[kind].name, e.median, e.fastest, e.memory)
		}
	}
	if p.split != "" {
		tell("a whole training ...")
		took, err := p.timed(ctx, "train", filepath.Join(p.split, "train.tsv"), "-o", filepath.Join(p.folder, "whole"), "--calibrate", "0", "--quiet")
		if err != nil {
			return err
		}
		peers = append([]trainingPeer{{"latent-osm", took}}, peers...)
	}
	if len(peers) > 0 {
		fmt.Fprint(w, `
Whole trainings on one split of MovieLens 1M (paper's protocol, N = 20), this program with
default settings beside peers on the same machine and split, as peers/README.md says.

| model | fit, s |
|---|---:|
`)
	}
	for _, t := range peers {
		fmt.Fprintf(w, "| %s | %.3g |\n", t.Model, t.Seconds)
	}
	return nil
}

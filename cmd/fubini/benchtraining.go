package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/data/format"
	"fubini/infer/ais"
	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/slots"
	"fubini/learn/zoo"
	"fubini/model/latent"
	"fubini/model/osm"
)

// benchWorld is a problem of lists drawn at random.
type benchWorld struct {
	users, listed, levels, catalogue, hidden int
}

// The size of MovieLens 1M under the paper's protocol at N = 20, and that of
// Netflix.
var (
	movieLensWorld = benchWorld{users: 3466, listed: 20, levels: 5, catalogue: 1853, hidden: 50}
	netflixWorld   = benchWorld{users: 480_000, listed: 50, levels: 5, catalogue: 17_770, hidden: 50}
)

// lists draws everybody's, popular items more often than others.
func (b benchWorld) lists(seed uint64) ([]osm.List, error) {
	r := rng.Stream(seed, "bench training")
	lists := make([]osm.List, b.users)
	chosen := make([]bool, b.catalogue)
	levels := make([]int, b.listed)
	for l := range lists {
		items := make([]int, 0, b.listed)
		for len(items) < b.listed {
			x := r.Float64()
			if i := int(x * x * float64(b.catalogue)); !chosen[i] {
				chosen[i] = true
				items = append(items, i)
			}
		}
		for _, i := range items {
			chosen[i] = false
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

// epochSpeed is how long an epoch takes.
type epochSpeed struct {
	name    string
	world   benchWorld
	seconds float64 // the median
	fastest float64
	memory  float64 // bytes, the most that the program held while it trained
}

// benchTraining are the objectives that are measured.
var benchTraining = []struct {
	name    string
	trainer func() zoo.Trainer
}{
	{"chains, gaussian units drawn, one sweep", byChains(latent.Gaussian, true)},
	{"the same without presence weights", byChains(latent.Gaussian, false)},
	{"chains, binary units drawn, one sweep", byChains(latent.Binary, true)},
	{"slots, gaussian units", bySlots(latent.Gaussian)},
	{"slots, binary units", bySlots(latent.Binary)},
}

func byChains(units latent.Units, presence bool) func() zoo.Trainer {
	return func() zoo.Trainer {
		o := chains.Defaults()
		o.Units, o.Presence, o.Sweeps = units, presence, 1
		return &o
	}
}

func bySlots(units latent.Units) func() zoo.Trainer {
	return func() zoo.Trainer {
		o := slots.Defaults()
		o.Units = units
		return &o
	}
}

// measureEpoch times epochs; the first is left out, the median of the rest told.
func measureEpoch(ctx context.Context, name string, t zoo.Trainer, world benchWorld, epochs int, seed uint64, jobs int) (epochSpeed, error) {
	speed := epochSpeed{name: name, world: world}
	debug.FreeOSMemory()
	lists, err := world.lists(seed)
	if err != nil {
		return speed, err
	}
	o := t.Base()
	o.Hidden, o.Epochs, o.Seed, o.Jobs = world.hidden, epochs+1, seed, jobs
	var times []float64
	last := time.Now()
	o.Observer = func(ascent.Progress) {
		now := time.Now()
		times = append(times, now.Sub(last).Seconds())
		speed.memory = max(speed.memory, residentMemory())
		last = time.Now()
	}
	if _, err := t.Fit(ctx, world.catalogue, lists); err != nil {
		return speed, err
	}
	times = times[1:]
	slices.Sort(times)
	speed.seconds, speed.fastest = times[len(times)/2], times[0]
	return speed, nil
}

// residentMemory is what the program holds now; where the system does not tell,
// what it asked for.
func residentMemory() float64 {
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(status)) {
			if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
				if err == nil {
					return kilobytes * 1024
				}
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys)
}

// benchScaling are worlds that differ in one thing each from one between
// MovieLens and nothing.
func benchScaling() []benchWorld {
	base := benchWorld{users: 2000, listed: 20, levels: 5, catalogue: 1853, hidden: 50}
	var worlds []benchWorld
	for _, change := range []func(w *benchWorld){
		func(*benchWorld) {},
		func(w *benchWorld) { w.users *= 2 }, func(w *benchWorld) { w.users *= 4 },
		func(w *benchWorld) { w.listed *= 2 }, func(w *benchWorld) { w.listed *= 4 },
		func(w *benchWorld) { w.hidden *= 2 }, func(w *benchWorld) { w.hidden *= 4 },
		func(w *benchWorld) { w.levels *= 2 }, func(w *benchWorld) { w.levels *= 4 },
	} {
		w := base
		change(&w)
		worlds = append(worlds, w)
	}
	return worlds
}

// annealSpeed is how one way of annealing did.
type annealSpeed struct {
	units, way            string
	deviation, told, time float64 // of log Z over repetitions; mean standard error told; seconds a run of R
}

// measureAnnealing compares annealing with the units drawn in turn, and summed
// out, on random models at the paper's smaller settings.
func measureAnnealing(ctx context.Context, repeats int, seed uint64, jobs int) ([]annealSpeed, error) {
	const n, k = 10, 10
	var found []annealSpeed
	for _, units := range []latent.Units{latent.Binary, latent.Gaussian} {
		r := rng.Stream(seed, "bench annealing")
		p := latent.Parameters{Units: units, U: make([]float64, n), W: make([][]float64, n), Nu: 0.5 * r.NormFloat64()}
		spread := 0.5
		if units == latent.Gaussian {
			spread = 0.05 // raw scores enter as squares
		}
		for i := range p.U {
			p.U[i] = 0.5 * r.NormFloat64()
			p.W[i] = make([]float64, k)
			for j := range p.W[i] {
				p.W[i][j] = spread * r.NormFloat64()
			}
		}
		m, err := latent.New(p, latent.Options{})
		if err != nil {
			return nil, err
		}
		for _, summed := range []bool{false, true} {
			speed := annealSpeed{units: units.String(), way: "alternating"}
			if summed {
				speed.way = "summed out"
			}
			var sum, squares float64
			start := time.Now()
			for repeat := range repeats {
				e, err := ais.Run(ctx, m.Annealing(latent.Reinsertion, summed), ais.Options{Steps: 1000, Runs: 10, Seed: seed + uint64(repeat), Jobs: jobs})
				if err != nil {
					return nil, err
				}
				sum += e.LogZ
				squares += e.LogZ * e.LogZ
				speed.told += e.StdErr / float64(repeats)
			}
			speed.time = time.Since(start).Seconds() / float64(repeats)
			mean := sum / float64(repeats)
			speed.deviation = max(0, squares/float64(repeats)-mean*mean)
			found = append(found, speed)
		}
	}
	return found, nil
}

// wholeTraining is the time of a whole training with default settings.
type wholeTraining struct {
	Model   string  `json:"model"`
	Seconds float64 `json:"fit_s"`
	NDCG5   float64 `json:"ndcg@5"`
}

// measureWhole trains latent-osm on train.tsv of a split.
func (p *program) measureWhole(ctx context.Context, split string) (wholeTraining, error) {
	set, _, err := readPath(filepath.Join(split, "train.tsv"), format.Options{Format: "tsv"})
	if err != nil {
		return wholeTraining{}, err
	}
	start := time.Now()
	_, err = zoo.Train(ctx, set, zoo.Request{Model: "latent-osm", Seed: p.seed, Jobs: p.jobs})
	return wholeTraining{Model: "latent-osm", Seconds: time.Since(start).Seconds()}, err
}

// readPeers reads what other libraries took: on the same split, as recommenders.py
// tells it, and to recommend, as implicit_speed.py does.
func readPeers(path string) (whole []wholeTraining, people []recommendPeer, err error) {
	text, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return nil, nil, err
	}
	scanner := bufio.NewScanner(bytes.NewReader(text))
	for line := 1; scanner.Scan(); line++ {
		if strings.TrimSpace(scanner.Text()) == "" {
			continue
		}
		var one struct {
			wholeTraining
			recommendPeer
		}
		err := json.Unmarshal(scanner.Bytes(), &one)
		switch {
		case err == nil && one.Peer != "" && one.One > 0 && one.PerCore > 0:
			people = append(people, one.recommendPeer)
		case err == nil && one.Model != "" && one.Seconds > 0:
			whole = append(whole, one.wholeTraining)
		default:
			return nil, nil, fmt.Errorf("%s:%d: %q is no line with model and fit_s, as peers/recommenders.py writes them, nor with peer, one_us and batch_per_s, as peers/implicit_speed.py does", path, line, scanner.Text())
		}
	}
	return whole, people, scanner.Err()
}

func cores(jobs int) int { return cmp.Or(jobs, runtime.GOMAXPROCS(0)) }

// writeTraining is the part of the page on training.
func writeTraining(w *bufio.Writer, p *program, plan benchPlan, found benchFound) {
	mega := func(bytes float64) float64 { return bytes / 1e6 }
	fmt.Fprintf(w, `
## Training

One epoch over %d users with %d items each in five tiers, of a catalogue of %d, and
%d hidden units, on %d cores: the median and the fastest of %d, which lie apart where other
programs share the machine. The size is that of MovieLens 1M under the paper's protocol
at N = 20. Memory is what the whole program held. Inner loops run in %s.

| objective | epoch, s | fastest, s | a user, µs | memory, MB |
|---|---:|---:|---:|---:|
`, plan.users, movieLensWorld.listed, movieLensWorld.catalogue, movieLensWorld.hidden, cores(p.jobs), plan.epochs, vec.Kernels())
	for _, e := range found.epochs {
		fmt.Fprintf(w, "| %s | %.3g | %.3g | %.3g | %.0f |\n", e.name, e.seconds, e.fastest, 1e6*e.seconds/float64(e.world.users), mega(e.memory))
	}
	fmt.Fprint(w, `
Cost by size, slot likelihood with Gaussian units and one sweep of chains with drawn
ones: each row changes one number of the first. An epoch is linear in users; the slots
of a list take N (T+2) K steps and a sweep with its gradient N K + N T', T' the tiers of
the chain, so doubling one factor should at most double the time a user takes.

| users | N | tiers | units | slots, epoch s | a user, µs | chains, epoch s | a user, µs |
|---:|---:|---:|---:|---:|---:|---:|---:|
`)
	for k, e := range found.slots {
		c := found.sweeps[k]
		fmt.Fprintf(w, "| %d | %d | %d | %d | %.3g | %.3g | %.3g | %.3g |\n", e.world.users, e.world.listed, e.world.levels, e.world.hidden,
			e.seconds, 1e6*e.seconds/float64(e.world.users), c.seconds, 1e6*c.seconds/float64(e.world.users))
	}
	if len(found.large) > 0 {
		fmt.Fprintf(w, `
A synthetic problem of the size of Netflix: %d users with %d items each of %d, %d units.

| objective | epoch, s | fastest, s | memory, MB |
|---|---:|---:|---:|
`, netflixWorld.users, netflixWorld.listed, netflixWorld.catalogue, netflixWorld.hidden)
		for _, e := range found.large {
			fmt.Fprintf(w, "| %s | %.3g | %.3g | %.0f |\n", e.name, e.seconds, e.fastest, mega(e.memory))
		}
	}
	if len(found.whole) > 0 {
		fmt.Fprint(w, `
Whole trainings on one split of MovieLens 1M (paper's protocol, N = 20), this program with
default settings beside peers on the same machine and split, as peers/README.md says.

| model | fit, s |
|---|---:|
`)
		for _, t := range found.whole {
			fmt.Fprintf(w, "| %s | %.3g |\n", t.Model, t.Seconds)
		}
	}
	fmt.Fprintf(w, `
## Annealing

One random model of each kind of units with N = K = 10 (worths and tie weight from
N(0, 0.5²), weights the same for binary units and a tenth of it for Gaussian ones), S = 1000
temperatures, R = 10 runs, %d times over. *Alternating* draws the units and the tier list in
turn, as in the paper; *summed out* moves the tier list alone (Rao-Blackwellised).

| units | way | variance of log Z | mean standard error told | s |
|---|---|---:|---:|---:|
`, plan.anneals)
	for _, a := range found.anneals {
		fmt.Fprintf(w, "| %s | %s | %.2g | %.2g | %.2g |\n", a.units, a.way, a.deviation, a.told, a.time)
	}
}

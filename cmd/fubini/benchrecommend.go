package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"time"

	"fubini/app/measure"
	"fubini/app/recommend"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/data/format"
	"fubini/model/osm"
	"fubini/use/rank"
)

// largeCrowd is how many people --large recommends for.
const largeCrowd = 1_000_000

// recommendSpeed is how fast people are folded in and ranked for.
type recommendSpeed struct {
	one      float64 // seconds for somebody alone, the median
	allocs   float64 // of memory, for somebody alone
	core     float64 // people a second in blocks, on one core
	batches  []batchSpeed
	rate     float64 // float32 operations a second of the scoring kernel, at its fastest
	transfer float64 // bytes a second to and from memory
}

// batchSpeed is that of the command, from the text that comes in to the text that
// goes out.
type batchSpeed struct {
	what        string
	cores       int
	people      int
	perSecond   float64
	early, late float64 // the most memory in the first and the last tenth of the people
}

// recommendPeer is what another library took.
type recommendPeer struct {
	Peer    string  `json:"peer"`
	One     float64 `json:"one_us"`
	PerCore float64 `json:"batch_per_s"`
	Known   float64 `json:"known_per_s"`
}

// measureRecommending measures all of it.
func (p *program) measureRecommending(ctx context.Context, plan benchPlan) (*recommendSpeed, error) {
	saved := measure.Model(p.seed)
	speed := &recommendSpeed{}
	r, err := recommend.New(saved, recommend.Rules{Count: measure.Top})
	if err != nil {
		return nil, err
	}
	p.tell("recommending, one by one and in blocks ...")
	if err := speed.library(ctx, r, p.seed); err != nil {
		return nil, err
	}
	people := plan.people
	if plan.large {
		people = largeCrowd
	}
	for _, way := range []struct {
		what   string
		cores  int
		people int
		odds   bool
	}{
		{"ranking", 1, plan.people, false},
		{"ranking", cores(p.jobs), people, false},
		{"ranking and odds", cores(p.jobs), max(1, plan.people/10), true},
	} {
		p.tell("a batch of %d people, %s, on %d cores ...", way.people, way.what, way.cores)
		r.Odds = way.odds
		one, err := p.measureBatch(ctx, r, way.people, way.cores)
		if err != nil {
			return nil, err
		}
		one.what = way.what
		speed.batches = append(speed.batches, one)
	}
	p.tell("what the machine can do ...")
	speed.rate, speed.transfer = kernelRate(), transferRate()
	return speed, nil
}

// library measures folding in and ranking without reading and writing, on one core.
func (s *recommendSpeed) library(ctx context.Context, r *recommend.Recommender, seed uint64) error {
	draw := rng.Stream(seed, "bench people")
	lists := make([]osm.List, 512)
	all := make([]int, measure.Items)
	for l := range lists {
		rng.Permutation(draw, all)
		levels := make([]int, measure.Placed)
		for k := range levels {
			levels[k] = draw.IntN(5)
		}
		order, err := partition.FromLevels(levels)
		if err != nil {
			return err
		}
		lists[l] = osm.List{Items: slices.Clone(all[:measure.Placed]), Order: order}
	}
	index, err := rank.NewIndex(r.Catalogue, nil)
	if err != nil {
		return err
	}
	var scratch rank.Scratch
	var times []float64
	var before, after runtime.MemStats
	for round := range 3 { // the first warms up
		times = times[:0]
		runtime.ReadMemStats(&before)
		for l := range lists {
			start := time.Now()
			if _, err := index.ForLists(lists[l:l+1], measure.Top, nil, &scratch); err != nil {
				return err
			}
			if took := time.Since(start).Seconds(); round > 0 {
				times = append(times, took)
			}
		}
		runtime.ReadMemStats(&after)
	}
	s.allocs = float64(after.Mallocs-before.Mallocs) / float64(len(lists))
	slices.Sort(times)
	s.one = times[len(times)/2]
	fastest := math.Inf(1)
	for range 6 {
		start := time.Now()
		for from := 0; from < len(lists); from += recommend.BlockUsers {
			if _, err := index.ForLists(lists[from:from+recommend.BlockUsers], measure.Top, nil, &scratch); err != nil {
				return err
			}
		}
		fastest = min(fastest, time.Since(start).Seconds())
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	s.core = float64(len(lists)) / fastest
	return nil
}

// measureBatch runs a batch as the command does, from a table to lines of JSON that
// nobody keeps. On one core all of it shares that core.
func (p *program) measureBatch(ctx context.Context, r *recommend.Recommender, people, jobs int) (speed batchSpeed, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(jobs))
	b, err := newBatch(r, &recommendFlags{users: "people", unknown: "error", dataFlags: dataFlags{duplicates: "error"}}, p.formOf("jsonl", r))
	if err != nil {
		return speed, err
	}
	reader, err := format.NewUserReader(measure.Ratings(people), "people", format.Options{Format: "csv"})
	if err != nil {
		return speed, err
	}
	defer reader.Close()
	speed = batchSpeed{cores: jobs, people: people}
	step := max(1, people/100)
	look := step
	sink := b.Form.Open(io.Discard)
	start := time.Now()
	err = b.Run(ctx, jobs, reader.Next, func(a *recommend.Answered) error {
		if b.Users >= look {
			memory := residentMemory()
			if b.Users <= people/10 || speed.early == 0 {
				speed.early = max(speed.early, memory)
			}
			if b.Users >= people-people/10 {
				speed.late = max(speed.late, memory)
			}
			look += step
		}
		return sink.Put(a)
	})
	speed.perSecond = float64(b.Users) / time.Since(start).Seconds()
	return speed, err
}

// fastestOf is the shortest time of some calls, per call, over about so long.
func fastestOf(long time.Duration, calls int, work func()) float64 {
	fastest := math.Inf(1)
	for begun := time.Now(); time.Since(begun) < long; {
		start := time.Now()
		for range calls {
			work()
		}
		fastest = min(fastest, time.Since(start).Seconds()/float64(calls))
	}
	return fastest
}

// kernelRate is how many float32 operations a second the scoring kernel makes on
// numbers that stay in the nearest cache: about what the processor can do.
func kernelRate() float64 {
	const rows, k, vectors = 16, 256, 4
	panels := vec.NewPanels(make([]float64, rows*k), make([]float64, rows), k)
	out, tastes := make([]float32, vectors*panels.Stride()), make([]float32, vectors*k)
	return 2 * rows * k * vectors / fastestOf(time.Second/4, 200, func() { panels.Scores(out, tastes) })
}

// transferRate is how many bytes a second go to and from memory when one core
// copies what no cache holds.
func transferRate() float64 {
	const size = 64 << 20
	from, to := make([]byte, size), make([]byte, size)
	for i := 0; i < size; i += 4096 { // have the pages in memory first
		from[i], to[i] = 1, 1
	}
	return 2 * size / fastestOf(time.Second/4, 1, func() { copy(to, from) })
}

// recommendRecords are the rows for the table of bench.
func recommendRecords(s *recommendSpeed) [][]field {
	row := func(what string, perSecond, seconds any) []field {
		return []field{
			{"what", what}, {"items", measure.Items}, {"moves_per_s", perSecond}, {"effective_per_s", nil},
			{"relative_per_s", nil}, {"moves_per_effective", nil}, {"r_hat", nil}, {"time_s", seconds},
		}
	}
	records := [][]field{
		row("fold in and rank one", nil, round(s.one)),
		row("fold in and rank in blocks, one core", round(s.core), nil),
	}
	for _, b := range s.batches {
		records = append(records, row(fmt.Sprintf("batch, %s, %d cores", b.what, b.cores), round(b.perSecond), nil))
	}
	return append(records,
		row("limit, the kernel in the nearest cache, one core", round(s.rate/scoringOperations), round(scoringOperations/s.rate)),
		row("limit, the catalogue from memory, one core", round(s.transfer/packedBytes), round(packedBytes/s.transfer)))
}

// What it takes to score a catalogue for one person: float32 operations, and bytes
// of the packed catalogue.
const (
	scoringOperations = 2.0 * measure.Items * (measure.Units + 1)
	packedBytes       = 4.0 * measure.Items * (measure.Units + 1)
)

// writeRecommending is the part of the page on recommending.
func writeRecommending(w *bufio.Writer, s *recommendSpeed, peers []recommendPeer) {
	fmt.Fprintf(w, `
## Recommending

People with %d placed items of a catalogue of %d, %d hidden units: folded in, all other items
scored, the best %d found. *One* is the median for somebody alone, *in blocks* how many a second when %d
are taken at a time, both on one core and without reading and writing. Peers are measured by
peers/implicit_speed.py on one thread of the same machine: *known* people of the training set
are only ranked there, not folded in.

| | one, µs | in blocks, people/s a core | known, people/s a core |
|---|---:|---:|---:|
| fubini | %.3g | %.3g | |
`, measure.Placed, measure.Items, measure.Units, measure.Top, recommend.BlockUsers, 1e6*s.one, s.core)
	for _, peer := range peers {
		fmt.Fprintf(w, "| %s | %.3g | %.3g | %.3g |\n", peer.Peer, peer.One, peer.PerCore, peer.Known)
	}
	fmt.Fprintf(w, `
Somebody alone takes %.2g allocations of memory.

What the machine could do at best: the scoring kernel, on numbers that stay in the nearest cache, makes
%.3g float32 operations a second on one core, and a person takes %.3g: %.3g people a second, %.3g µs each, with
everything but the products for nothing. One core moves %.3g bytes a second to and from memory, the packed catalogue has
%.3g: from memory, for one person at a time, %.3g µs.

Whole batches, `+"`recommend --users`"+` from a table to lines of JSON; one core shares reading, ranking and writing. Memory is
that of the whole program, the most in the first tenth of the people and the most in the last: it does not grow with them. Peers have
their people in memory and write nothing; the last row is the kernel's rate from above, with everything else for nothing.

| | cores | people | people/s | people/s a core | memory in the first tenth, MB | in the last, MB |
|---|---:|---:|---:|---:|---:|---:|
`, s.allocs, s.rate, scoringOperations, s.rate/scoringOperations, 1e6*scoringOperations/s.rate, s.transfer, packedBytes, 1e6*packedBytes/s.transfer)
	for _, b := range s.batches {
		fmt.Fprintf(w, "| %s | %d | %d | %.3g | %.3g | %.0f | %.0f |\n", b.what, b.cores, b.people, b.perSecond, b.perSecond/float64(b.cores), b.early/1e6, b.late/1e6)
	}
	for _, peer := range peers {
		fmt.Fprintf(w, "| %s, ranking | 1 | | %.3g | %.3g | | |\n", peer.Peer, peer.PerCore, peer.PerCore)
	}
	fmt.Fprintf(w, "| the machine at best | 1 | | %.3g | %.3g | | |\n", s.rate/scoringOperations, s.rate/scoringOperations)
}

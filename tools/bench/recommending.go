package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"fubini/app/measure"
	"fubini/app/recommend"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model/osm"
)

// The cost of scoring a catalogue for one person: float32 operations, and bytes of the packed catalogue.
const (
	scoringOperations = 2.0 * measure.Items * (measure.Units + 1)
	packedBytes       = 4.0 * measure.Items * (measure.Units + 1)
)

func (p *page) recommending(ctx context.Context, w *bufio.Writer, peers []recommendingPeer) error {
	tell("recommending, one by one and in blocks ...")
	one, allocations, perCore, err := foldIn(ctx)
	if err != nil {
		return err
	}
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
`, measure.Placed, measure.Items, measure.Units, measure.Top, recommend.BlockUsers, 1e6*one, perCore)
	for _, peer := range peers {
		fmt.Fprintf(w, "| %s | %.3g | %.3g | %.3g |\n", peer.Peer, peer.One, peer.PerCore, peer.Known)
	}
	rate, transfer := kernelRate(), transferRate()
	fmt.Fprintf(w, `
Somebody alone takes %.2g allocations of memory.

What the machine could do at best: the scoring kernel, on numbers that stay in the nearest cache, makes
%.3g float32 operations a second on one core, and a person takes %.3g: %.3g people a second, %.3g µs each, with
everything but the products for nothing. One core moves %.3g bytes a second to and from memory, the packed catalogue has
%.3g: from memory, for one person at a time, %.3g µs.

Whole batches, `+"`recommend --users`"+` from a table to lines of JSON, with the start of the program; one core shares reading, ranking
and writing. Memory is that of the whole program, the most in the first tenth of the people and the most in the last: it does not
grow with them. Peers have their people in memory and write nothing; the last row is the kernel's rate from above, with everything
else for nothing.

| | cores | people | people/s | people/s a core | memory in the first tenth, MB | in the last, MB |
|---|---:|---:|---:|---:|---:|---:|
`, allocations, rate, scoringOperations, rate/scoringOperations, 1e6*scoringOperations/rate, transfer, packedBytes, 1e6*packedBytes/transfer)
	model := filepath.Join(p.folder, "world.safetensors")
	if err := writeWorld(model); err != nil {
		return err
	}
	people, many := p.sized(20_000, 200), p.sized(20_000, 200)
	if p.large {
		many = 1_000_000
	}
	for _, way := range []struct {
		what          string
		cores, people int
		arguments     []string
	}{
		{"ranking", 1, people, []string{"--no-odds"}},
		{"ranking", runtime.GOMAXPROCS(0), many, []string{"--no-odds"}},
		{"ranking and odds", runtime.GOMAXPROCS(0), people / 10, nil},
	} {
		tell("a batch of %d people, %s, on %d cores ...", way.people, way.what, way.cores)
		perSecond, early, late, err := p.batch(ctx, model, way.people, way.cores, way.arguments...)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | %d | %d | %.3g | %.3g | %.0f | %.0f |\n", way.what, way.cores, way.people, perSecond, perSecond/float64(way.cores), early/1e6, late/1e6)
	}
	for _, peer := range peers {
		fmt.Fprintf(w, "| %s, ranking | 1 | | %.3g | %.3g | | |\n", peer.Peer, peer.PerCore, peer.PerCore)
	}
	fmt.Fprintf(w, "| the machine at best | 1 | | %.3g | %.3g | | |\n", rate/scoringOperations, rate/scoringOperations)
	return nil
}

// foldIn measures folding in and ranking without reading and writing, on one core: the median seconds for somebody
// alone, the allocations of memory for one, and people a second in blocks.
func foldIn(ctx context.Context) (one, allocations, perCore float64, err error) {
	r, err := recommend.New(measure.Model(seed), make([]float64, measure.Items), measure.Top, false)
	if err != nil {
		return 0, 0, 0, err
	}
	draw := rng.Stream(seed, "bench people")
	lists := make([]osm.List, 512)
	all, levels := make([]int, measure.Items), make([]int, measure.Placed)
	for l := range lists {
		rng.Permutation(draw, all)
		for k := range levels {
			levels[k] = draw.IntN(5)
		}
		order, err := partition.FromLevels(levels)
		if err != nil {
			return 0, 0, 0, err
		}
		lists[l] = osm.List{Items: slices.Clone(all[:measure.Placed]), Order: order}
	}
	ranker := r.Desk().Crowd
	inBlocks := func(size int, took func(seconds float64)) error {
		for from := 0; from < len(lists); from += size {
			start := time.Now()
			if _, err := ranker.Best(lists[from:from+size], measure.Top); err != nil {
				return err
			}
			took(time.Since(start).Seconds())
		}
		return ctx.Err()
	}
	var times []float64
	var before, after runtime.MemStats
	for range 3 { // the last counts
		times = slices.Grow(times[:0], len(lists))
		runtime.ReadMemStats(&before)
		if err := inBlocks(1, func(seconds float64) { times = append(times, seconds) }); err != nil {
			return 0, 0, 0, err
		}
		runtime.ReadMemStats(&after)
	}
	slices.Sort(times)
	fastest := math.Inf(1)
	for range 6 {
		total := 0.0
		if err := inBlocks(recommend.BlockUsers, func(seconds float64) { total += seconds }); err != nil {
			return 0, 0, 0, err
		}
		fastest = min(fastest, total)
	}
	return times[len(times)/2], float64(after.Mallocs-before.Mallocs) / float64(len(lists)), float64(len(lists)) / fastest, nil
}

// batch runs the program on a table of people, and returns people a second and the most memory that it held in the
// first and the last tenth of them.
func (p *page) batch(ctx context.Context, model string, people, cores int, arguments ...string) (perSecond, early, late float64, err error) {
	arguments = append([]string{"recommend", model, "--users", "-", "--min-support", "0", "--format", "jsonl", "--quiet", "-j", strconv.Itoa(cores)}, arguments...)
	program := exec.CommandContext(ctx, p.program, arguments...)
	program.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", cores))
	program.Stderr = os.Stderr
	to, err := program.StdinPipe()
	if err != nil {
		return 0, 0, 0, err
	}
	start := time.Now()
	if err := program.Start(); err != nil {
		return 0, 0, 0, err
	}
	all, err := io.Copy(io.Discard, measure.Crowd(people))
	if err != nil {
		return 0, 0, 0, err
	}
	sent, from := int64(0), measure.Crowd(people)
	for sent < all {
		n, err := io.CopyN(to, from, min(all-sent, max(1, all/100)))
		if err != nil {
			return 0, 0, 0, fmt.Errorf("fubini recommend: %w", err)
		}
		sent += n
		memory := residentMemory(program.Process.Pid)
		if sent <= all/10 || early == 0 {
			early = max(early, memory)
		}
		if sent >= all-all/10 {
			late = max(late, memory)
		}
	}
	if err := to.Close(); err != nil {
		return 0, 0, 0, err
	}
	err = program.Wait()
	return float64(people) / time.Since(start).Seconds(), early, late, err
}

// fastest is the shortest time of some calls, for each call, over a quarter of a second.
func fastest(calls int, work func()) float64 {
	least := math.Inf(1)
	for begun := time.Now(); time.Since(begun) < time.Second/4; {
		start := time.Now()
		for range calls {
			work()
		}
		least = min(least, time.Since(start).Seconds()/float64(calls))
	}
	return least
}

// kernelRate is the number of float32 operations a second of the scoring kernel on numbers that stay in the nearest
// cache: about what the processor can do.
func kernelRate() float64 {
	const rows, k, vectors = 16, 256, 4
	panels := vec.NewPanels(make([]float64, rows*k), make([]float64, rows), k)
	out, in := make([]float32, vectors*panels.Stride()), make([]float32, vectors*k)
	return 2 * rows * k * vectors / fastest(200, func() { panels.Scores(out, in) })
}

// transferRate is the number of bytes a second to and from memory when one core copies what no cache holds.
func transferRate() float64 {
	const size = 64 << 20
	from, to := make([]byte, size), make([]byte, size)
	for i := 0; i < size; i += 4096 { // have the pages in memory first
		from[i], to[i] = 1, 1
	}
	return 2 * size / fastest(1, func() { copy(to, from) })
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/infer/exact"
	"fubini/learn/zoo"
)

// benchPlan is what a run of bench measures.
type benchPlan struct {
	items   []float64 // sizes of lists for the kernels
	chains  int
	records int       // per chain
	exact   []float64 // sizes of lists for the table
	users   int       // lists to train on
	epochs  int       // of each training
	anneals int       // repetitions of annealing
	people  int       // of the batch to recommend for
	part    string    // what is measured, or all
	large   bool      // also a problem of the size of Netflix, and a million people
	split   string    // folder of a split to train on, or none
	peers   string    // what others took on it
	load    string    // table of a server under load
	browser string    // table of the page in a browser
}

func newBench(p *program) *cobra.Command {
	plan := benchPlan{items: []float64{10, 20, 50, 200}, chains: 20, records: 1000, exact: []float64{10, 12, 16}, users: movieLensWorld.users, epochs: 30, anneals: 100, people: 20_000, part: "all"}
	page := false
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure sampling, training and recommending on this machine",
		Long: `Measure, on one core, how many moves and how many effective samples each kernel
makes in a second, and how long exact answers take; and, on all cores, how long an
epoch of training takes, how that grows with the data, and how sure annealing is; how
fast people are folded in and ranked for, and what the machine could do at best.

The target has worths drawn from N(0, 1), nu 0.5 and size normalisation 4. Effective
samples are those of the worst of four statistics: log weight, tied pairs, and the
scores of the items with the highest and the lowest worth. Chains start from
equilibrium, so that a kernel which hardly moves is flattered, not punished.`,
		Example: "  fubini bench --sizes 10,50\n  fubini bench --page -o docs/performance.md",
		Args:    noArguments,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addFlag(flags, "sizes", "", &plan.items, "LIST", parseList, "sizes of lists")
	flags.Lookup("sizes").DefValue = "10,20,50,200"
	addFlag(flags, "chains", "", &plan.chains, "N", parseWhole(2), "chains for each kernel")
	addFlag(flags, "records", "", &plan.records, "N", parseWhole(8), "records of the statistics in each chain")
	addFlag(flags, "exact", "", &plan.exact, "LIST", parseList, "sizes of lists for the exact table")
	flags.Lookup("exact").DefValue = "10,12,16"
	addFlag(flags, "users", "", &plan.users, "N", parseWhole(10), "users of the training that is measured")
	addFlag(flags, "epochs", "", &plan.epochs, "N", parseWhole(1), "epochs of each training")
	addFlag(flags, "anneals", "", &plan.anneals, "N", parseWhole(2), "repetitions of annealing")
	addFlag(flags, "people", "", &plan.people, "N", parseWhole(100), "people of the batch that is recommended for")
	addChoice(cmd, flags, "part", &plan.part, []string{"all", "samplers", "training", "recommending"}, "what to measure: all, samplers, training, recommending")
	addSwitch(flags, "large", &plan.large, "also train on a synthetic problem of the size of Netflix (a few minutes, 2 GB), and recommend for a million people")
	addInput(flags, "split", &plan.split, "DIR", "also time a whole training on DIR/train.tsv, as data split writes it")
	addInput(flags, "load", &plan.load, "FILE", "table of a server under load, as bench load --markdown writes it")
	addInput(flags, "browser", &plan.browser, "FILE", "table of the page in a browser, as FUBINI_PAGE_TABLE=FILE go test ./app/web -run PageIsQuick writes it")
	addInput(flags, "peers", &plan.peers, "FILE", "set beside what peers took: JSON lines with model and fit_s on that split, or with peer and batch_per_s of recommending")
	addSwitch(flags, "page", &page, "write docs/performance.md instead of a table, or with --part recommending that part of it")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkSizes("--sizes", plan.items, 10_000); err != nil {
			return err
		}
		if err := checkSizes("--exact", plan.exact, exact.MaxItems); err != nil {
			return err
		}
		if page && plan.part != "all" && plan.part != "recommending" {
			return exit.Usagef("--page is of all parts, or of recommending; leave --part out")
		}
		return p.deliver(func(w *bufio.Writer) error {
			found, err := p.measure(cmd.Context(), plan)
			if err != nil {
				return err
			}
			switch {
			case page && plan.part == "recommending":
				writeRecommending(w, found.people, found.peers)
				return nil
			case page:
				writeBenchPage(w, p, plan, found)
				return nil
			}
			return p.writeRecords(w, benchRecords(found))
		})
	}
	cmd.AddCommand(newLoad(p))
	return cmd
}

func checkSizes(flag string, sizes []float64, most int) error {
	for _, n := range sizes {
		if n != float64(int(n)) || n < 2 || n > float64(most) {
			return exit.Usagef("%s: %g is not a whole number from 2 to %d", flag, n, most)
		}
	}
	return nil
}

// benchFound is what was measured.
type benchFound struct {
	kernels []kernelSpeed
	tables  []exactSpeed
	epochs  []epochSpeed
	slots   []epochSpeed // by size
	sweeps  []epochSpeed
	large   []epochSpeed
	whole   []wholeTraining
	anneals []annealSpeed
	people  *recommendSpeed // nil where not measured
	peers   []recommendPeer
	load    string // what bench load --markdown wrote
	browser string // what the test of the page wrote
}

func (p *program) measure(ctx context.Context, plan benchPlan) (found benchFound, err error) {
	for _, table := range []struct {
		flag, file string
		text       *string
	}{{"--load", plan.load, &found.load}, {"--browser", plan.browser, &found.browser}} {
		if table.file == "" {
			continue
		}
		text, err := os.ReadFile(table.file)
		if err != nil {
			return found, fmt.Errorf("%s: %w", table.flag, err)
		}
		*table.text = string(text)
	}
	if plan.peers != "" {
		if found.whole, found.peers, err = readPeers(plan.peers); err != nil {
			return found, err
		}
	}
	for _, part := range []struct {
		name string
		work func(context.Context, benchPlan, *benchFound) error
	}{
		{"samplers", p.measureSamplers},
		{"training", p.measureTraining},
		{"recommending", func(ctx context.Context, plan benchPlan, found *benchFound) (err error) {
			found.people, err = p.measureRecommending(ctx, plan)
			return err
		}},
	} {
		if plan.part != "all" && plan.part != part.name {
			continue
		}
		if err := part.work(ctx, plan, &found); err != nil {
			return found, err
		}
	}
	return found, nil
}

func (p *program) measureSamplers(ctx context.Context, plan benchPlan, found *benchFound) error {
	for _, n := range plan.items {
		var base float64
		for _, name := range benchKernels {
			p.tell("%s, %g items ...", name, n)
			speed, err := measureKernel(ctx, name, int(n), p.seed, plan)
			if err != nil {
				return err
			}
			if base == 0 { // split-merge comes first
				base = speed.effectivePerSecond
			}
			speed.times = speed.effectivePerSecond / base
			found.kernels = append(found.kernels, speed)
		}
	}
	for _, n := range plan.exact {
		p.tell("exact, %g items ...", n)
		speed, err := measureExact(ctx, int(n), p.seed)
		if err != nil {
			return err
		}
		found.tables = append(found.tables, speed)
	}
	return nil
}

func (p *program) measureTraining(ctx context.Context, plan benchPlan, found *benchFound) error {
	var failed error
	epoch := func(name string, t zoo.Trainer, world benchWorld, epochs int) epochSpeed {
		if failed != nil {
			return epochSpeed{}
		}
		p.tell("an epoch of %d users, %d items, %d tiers, %d units, %s ...", world.users, world.listed, world.levels, world.hidden, name)
		speed, err := measureEpoch(ctx, name, t, world, epochs, p.seed, p.jobs)
		failed = err
		return speed
	}
	world := movieLensWorld
	world.users = plan.users
	for _, kind := range benchTraining {
		found.epochs = append(found.epochs, epoch(kind.name, kind.trainer(), world, plan.epochs))
	}
	chains, slots := benchTraining[0], benchTraining[3]
	for _, world := range benchScaling() {
		world.users = max(1, world.users*plan.users/movieLensWorld.users)
		found.slots = append(found.slots, epoch(slots.name, slots.trainer(), world, plan.epochs))
		found.sweeps = append(found.sweeps, epoch(chains.name, chains.trainer(), world, plan.epochs))
	}
	if plan.large {
		for _, kind := range []int{3, 0, 1} {
			one := benchTraining[kind]
			found.large = append(found.large, epoch(one.name, one.trainer(), netflixWorld, 3))
		}
	}
	if failed != nil {
		return failed
	}
	if plan.split != "" {
		p.tell("a whole training ...")
		whole, err := p.measureWhole(ctx, plan.split)
		if err != nil {
			return err
		}
		found.whole = append([]wholeTraining{whole}, found.whole...)
	}
	p.tell("annealing ...")
	found.anneals, failed = measureAnnealing(ctx, plan.anneals, p.seed, p.jobs)
	return failed
}

func benchRecords(found benchFound) [][]field {
	var records [][]field
	for _, k := range found.kernels {
		records = append(records, []field{
			{"what", k.kernel}, {"items", k.items}, {"moves_per_s", round(k.movesPerSecond)}, {"effective_per_s", round(k.effectivePerSecond)},
			{"relative_per_s", round(k.times)}, {"moves_per_effective", round(k.movesPerEffective)}, {"r_hat", round(k.rHat)}, {"time_s", nil},
		})
	}
	for _, e := range found.epochs {
		records = append(records, []field{
			{"what", "epoch, " + e.name}, {"items", e.world.listed}, {"moves_per_s", nil}, {"effective_per_s", nil},
			{"relative_per_s", nil}, {"moves_per_effective", nil}, {"r_hat", nil}, {"time_s", round(e.seconds)},
		})
	}
	for _, t := range found.tables {
		for _, part := range []struct {
			name    string
			seconds float64
		}{{"exact log Z", t.logZ}, {"exact moments", t.moments}} {
			records = append(records, []field{
				{"what", part.name}, {"items", t.items}, {"moves_per_s", nil}, {"effective_per_s", nil},
				{"relative_per_s", nil}, {"moves_per_effective", nil}, {"r_hat", nil}, {"time_s", round(part.seconds)},
			})
		}
	}
	if found.people != nil {
		records = append(records, recommendRecords(found.people)...)
	}
	return records
}

func writeBenchPage(w *bufio.Writer, p *program, plan benchPlan, found benchFound) {
	command := "go run ./cmd/fubini bench --page"
	if plan.large {
		command += " --large"
	}
	if plan.split != "" {
		command += " --split SPLIT"
	}
	if plan.peers != "" {
		command += " --peers PEERS"
	}
	if plan.load != "" {
		command += " --load LOAD"
	}
	if plan.browser != "" {
		command += " --browser BROWSER"
	}
	command += " -o docs/performance.md"
	build := buildVersion()
	version := build.version
	if build.revision != nil {
		version += fmt.Sprintf(", commit %.12s", build.revision)
	}
	fmt.Fprintf(w, `# Performance

This page is written by

    %s

on: %s, %s/%s, %s; seed %d, fubini %s. Samplers and tables run on one core. Times differ from machine to
machine; ratios within one run do so far less.

## Samplers

Worths drawn from N(0, 1), nu = 0.5, size normalisation c = 4. A *move* is one
try to split or merge, or one item reinserted. *Effective samples* are those of
the worst of four statistics (log weight, tied pairs, the scores of the items of
highest and lowest worth), from %d chains of %d records each, a record every N
moves, or every 10 N for split-merge. Chains start from equilibrium, which
flatters a kernel that hardly moves: its chains count as %d samples even if they
stand still. R-hat is the largest of the four. *mixed* is a sweep of reinsertions
followed by N/4 split-merge moves.

| items | kernel | moves/s | moves per effective sample | effective samples/s | times split-merge | R-hat |
|---:|---|---:|---:|---:|---:|---:|
`, command, processor(), runtime.GOOS, runtime.GOARCH, runtime.Version(), p.seed, version, plan.chains, plan.records, plan.chains)
	for _, k := range found.kernels {
		fmt.Fprintf(w, "| %d | %s | %.3g | %.3g | %.3g | %.3g | %.3f |\n", k.items, k.kernel, k.movesPerSecond, k.movesPerEffective, k.effectivePerSecond, k.times, k.rHat)
	}
	fmt.Fprint(w, `
## Exact answers

The subset table of docs/maths.md#subset-table: log Z alone, and with all pair
probabilities.

| items | log Z, s | with moments, s |
|---:|---:|---:|
`)
	for _, t := range found.tables {
		fmt.Fprintf(w, "| %d | %.2g | %.2g |\n", t.items, t.logZ, t.moments)
	}
	writeTraining(w, p, plan, found)
	writeRecommending(w, found.people, found.peers)
	writeLoad(w, found.load)
	writeBrowser(w, found.browser)
	fmt.Fprint(w, `
No kernel allocates memory in a step; tests hold them to that
(TestKernelsDoNotAllocate, TestMovesDoNotAllocate). Finer benchmarks: `+"`go test -bench . ./...`"+`.
`)
}

// writeLoad is the part of the page on the server.
func writeLoad(w *bufio.Writer, table string) {
	if table == "" {
		return
	}
	fmt.Fprintf(w, `
## The server under load

`+"`fubini bench load --world -o w; fubini serve w --db sqlite::memory: & fubini bench load URL --markdown`"+`: POST
/v1/recommend for somebody with 20 placed items, the best ten of 10,000 with their odds, 50
hidden units, client and server on the same cores. Times are from when a request was due,
so waiting counts; what the client could not send within a second is *not sent*. *Turned
away* is 429 or 503 with Retry-After. The capacity is what eight clients get that ask again
as soon as they have their answer.

%s`, table)
}

// writeBrowser is the part of the page on the page.
func writeBrowser(w *bufio.Writer, table string) {
	if table == "" {
		return
	}
	fmt.Fprintf(w, `
## The page in a browser

`+"`FUBINI_PAGE_TABLE=BROWSER go test ./app/web -count=1 -run PageIsQuick`"+`: Chromium without a graphics card and
the real server, on the same cores. A drop is timed from when the button goes up until what it
changes is drawn, first paints from the start of the navigation, in a profile with nothing
cached. The demonstration world, but where 10,000 items are named: these are random, with 50
hidden units.

%s`, table)
}

// processor is the model name of the first core, where the system tells it.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(info)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return "an unnamed processor"
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// page is what docs/performance.md is made of.
type page struct {
	program                     string // fubini, built where it is not given
	split, peers, load, browser string
	large, quick                bool
	folder                      string // for what is made meanwhile
	command                     string
}

func newPage(flags *flag.FlagSet) *page {
	p := &page{}
	flags.StringVar(&p.program, "program", "", "the program fubini; built from the repository if empty")
	flags.StringVar(&p.split, "split", "", "`folder` of a split: also time a whole training on its train.tsv")
	flags.StringVar(&p.peers, "peers", "", "`file` of JSON lines with the times of other libraries, as the scripts in peers write them")
	flags.StringVar(&p.load, "load", "", "`file` with the table of bench load")
	flags.StringVar(&p.browser, "browser", "", "`file` with the table of FUBINI_PAGE_TABLE=FILE go test ./app/web -run PageIsQuick")
	flags.BoolVar(&p.large, "large", false, "also train on a problem of the size of Netflix (minutes, 2 GB), and recommend for a million people")
	flags.BoolVar(&p.quick, "quick", false, "tiny sizes, to see that everything runs")
	return p
}

// sized is a size, or a tiny one with -quick.
func (p *page) sized(full, tiny int) int {
	if p.quick {
		return tiny
	}
	return full
}

func (p *page) write(ctx context.Context, w *bufio.Writer) (err error) {
	var tables [2]string
	for k, name := range []string{p.load, p.browser} {
		if name != "" {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			tables[k] = string(text)
		}
	}
	trainings, recommenders, err := readPeers(p.peers)
	if err != nil {
		return err
	}
	if p.folder, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	defer os.RemoveAll(p.folder)
	if p.program == "" {
		repository, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "fubini").Output()
		if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		p.program = filepath.Join(p.folder, "fubini")
		build := exec.CommandContext(ctx, "go", "build", "-C", strings.TrimSpace(string(repository)), "-o", p.program, "./cmd/fubini")
		if text, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w: %s", err, text)
		}
	}
	version, err := exec.CommandContext(ctx, p.program, "--version").Output()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, `# Performance

This page is written by

    go run -C tools ./bench page -large -split SPLIT -peers PEERS -load LOAD -browser BROWSER -o ../docs/performance.md

on: %s, %s/%s, %s; seed %d, %s. Samplers and tables run on one core. Times differ from machine to
machine; ratios within one run do so far less.
`, processor(), runtime.GOOS, runtime.GOARCH, runtime.Version(), seed, strings.TrimSpace(string(version)))
	for _, part := range []func() error{
		func() error { return p.samplers(ctx, w) },
		func() error { return p.exact(ctx, w) },
		func() error { return p.training(ctx, w, trainings) },
		func() error { return p.annealing(ctx, w) },
		func() error { return p.recommending(ctx, w, recommenders) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	if tables[0] != "" {
		fmt.Fprintf(w, `
## The server under load

`+"`bench world w; fubini serve w --db sqlite::memory: & bench load URL`"+`: POST /v1/recommend for somebody with 20 placed
items, the best ten of 10,000 with their odds, 50 hidden units, client and server on the same cores. Times are from when
a request was due, so waiting counts; what the client could not send within a second is *not sent*. *Turned away* is 429
or 503 with Retry-After. The capacity is what eight clients get that ask again as soon as they have their answer.

%s`, tables[0])
	}
	if tables[1] != "" {
		fmt.Fprintf(w, `
## The page in a browser

`+"`FUBINI_PAGE_TABLE=BROWSER go test ./app/web -count=1 -run PageIsQuick`"+`: Chromium without a graphics card and
the real server, on the same cores. A drop is timed from when the button goes up until what it
changes is drawn, first paints from the start of the navigation, in a profile with nothing
cached. The demonstration world, but where 10,000 items are named: these are random, with 50
hidden units.

%s`, tables[1])
	}
	fmt.Fprint(w, `
No kernel allocates memory in a step; tests hold them to that
(TestKernelsDoNotAllocate, TestMovesDoNotAllocate). Finer benchmarks: `+"`go test -bench . ./...`"+`.
`)
	return nil
}

// A training peer is the time that another library took to train on the same split.
type trainingPeer struct {
	Model   string  `json:"model"`
	Seconds float64 `json:"fit_s"`
}

// A recommending peer is the speed of another library on the same sizes.
type recommendingPeer struct {
	Peer    string  `json:"peer"`
	One     float64 `json:"one_us"`
	PerCore float64 `json:"batch_per_s"`
	Known   float64 `json:"known_per_s"`
}

// readPeers reads what peers/recommenders.py and peers/implicit_speed.py write.
func readPeers(name string) (trainings []trainingPeer, recommenders []recommendingPeer, err error) {
	if name == "" {
		return nil, nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	line := 0
	for row := range strings.Lines(string(text)) {
		line++
		if strings.TrimSpace(row) == "" {
			continue
		}
		var one struct {
			trainingPeer
			recommendingPeer
		}
		err := json.Unmarshal([]byte(row), &one)
		switch {
		case err == nil && one.Peer != "" && one.One > 0 && one.PerCore > 0:
			recommenders = append(recommenders, one.recommendingPeer)
		case err == nil && one.Model != "" && one.Seconds > 0:
			trainings = append(trainings, one.trainingPeer)
		default:
			return nil, nil, fmt.Errorf("%s:%d: %q has neither model and fit_s nor peer, one_us and batch_per_s", name, line, strings.TrimSpace(row))
		}
	}
	return trainings, recommenders, nil
}

// processor is the model name of the first core, where the system has it.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // elsewhere than on Linux there is none
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unnamed processor"
}

// residentMemory is the memory of a process in bytes, 0 where the system does not report it.
func residentMemory(process any) float64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%v/status", process))
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kilobytes * 1024
		}
	}
	return 0
}

// timed runs the program and returns the seconds that it took.
func (p *page) timed(ctx context.Context, args ...string) (float64, error) {
	start := time.Now()
	text, err := exec.CommandContext(ctx, p.program, args...).CombinedOutput()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("fubini %s: %w: %s", args[0], err, text)
	}
	return time.Since(start).Seconds(), err
}

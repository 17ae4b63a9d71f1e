package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// section is a part of the page: Go benchmarks of some packages, and what they measure.
type section struct {
	title, text string
	folder      string // of the module: tools, or the repository
	benchmarks  string // regular expression
	packages    []string
}

var sections = []section{
	{"Samplers", `Worths drawn from N(0, 1), nu = 0.5, size normalisation c = 4. A *move* is one try to split or merge, or one item
reinserted. *Effective samples* are those of the worst of four statistics (log weight, tied pairs, the scores of the items of
highest and lowest worth), from 20 chains of 1000 records each, a record every N moves, or every 10 N for split-merge. Chains
start from equilibrium, which flatters a kernel that hardly moves: its chains count as 20 samples even if they stand still.
R-hat is the largest of the four. *mixed* is a sweep of reinsertions followed by N/4 split-merge moves.`, ".", "Effective", []string{"./bench"}},
	{"Inference", "Single moves, exact tables, annealing and diagnostics.", "..", ".", []string{"./infer/..."}},
	{"Annealing", `One random model of each kind of units with N = K = 10 (worths and tie weight from N(0, 0.5²), weights the same for
binary units and a tenth of it for Gaussian ones), S = 1000 temperatures, R = 10 runs, 100 times over. *Alternating* draws the units
and the tier list in turn, as in the paper; *summed out* moves the tier list alone (Rao-Blackwellised).`, ".", "Annealing", []string{"./bench"}},
	{"Training", "Epochs on one core.", "..", ".", []string{"./learn/..."}},
	{"The command train", `fubini train on lists drawn at random, on all cores: seconds an epoch, from runs of 2 and of 12 epochs,
and the most memory of the longer run. The first size is that of MovieLens 1M under the paper's protocol at N = 20; the others change
one number of the second. FUBINI_LONG=1 adds the size of Netflix.`, ".", "Train", []string{"./bench"}},
	{"Recommending", "Folding in, ranking, odds and answers, without reading and writing.", "..", ".", []string{"./use/...", "./app/recommend/..."}},
	{"The command recommend", `fubini recommend --users from a table to lines of JSON, with the start of the program: people with 20 placed
items of a catalogue of 10,000, 50 hidden units. Memory is that of the program, the most in the first tenth of the people and the most in
the last: it does not grow with them. FUBINI_LONG=1 has a million people.`, ".", "Recommend", []string{"./bench"}},
	{"Arithmetic", "Inner loops, plain and in assembly.", "..", ".", []string{"./core/..."}},
	{"Serving", "Answers of the server without a network.", "..", ".", []string{"./app/server/..."}},
}

// page is what docs/performance.md is made of.
type page struct {
	peers, load, browser string
	benchtime            string
	run                  func(ctx context.Context, folder string, args ...string) ([]byte, error)
}

func newPage(flags *flag.FlagSet) *page {
	p := &page{run: func(ctx context.Context, folder string, args ...string) ([]byte, error) {
		c := exec.CommandContext(ctx, "go", args...)
		c.Dir, c.Stderr = folder, os.Stderr
		return c.Output()
	}}
	flags.StringVar(&p.peers, "peers", "", "`file` of JSON lines with the times of other libraries, as the scripts in peers write them")
	flags.StringVar(&p.load, "load", "", "`file` with the table of bench load")
	flags.StringVar(&p.browser, "browser", "", "`file` with the table of FUBINI_PAGE_TABLE=FILE go test ./app/web -run PageIsQuick")
	flags.StringVar(&p.benchtime, "benchtime", "1s", "time for each benchmark, as go test takes it")
	return p
}

func (p *page) write(ctx context.Context, w *bufio.Writer) error {
	fmt.Fprintf(w, `# Performance

This page is written by

    go run -C tools ./bench page -peers PEERS -load LOAD -browser BROWSER -o ../docs/performance.md

from Go benchmarks, on: %s, %s/%s, %s. Times differ from machine to machine; ratios within one run do so far less. benchstat
compares two runs of go test -bench.
`, processor(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	for _, s := range sections {
		tell("%s ...", s.title)
		out, err := p.run(ctx, s.folder, append([]string{"test", "-run", "^$", "-bench", s.benchmarks, "-benchtime", p.benchtime, "-benchmem"}, s.packages...)...)
		if err != nil {
			return fmt.Errorf("%s: %w: %s", s.title, err, out)
		}
		table, err := benchmarkTable(string(out))
		if err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
		fmt.Fprintf(w, "\n## %s\n\n%s\n\n%s", s.title, s.text, table)
	}
	for _, part := range []struct{ title, text, file string }{
		{"Other libraries", "Whole trainings on one split of MovieLens 1M, and recommending on the sizes of above, as peers/README.md says.", p.peers},
		{"The server under load", "`go run -C tools ./bench world w; fubini serve w --db sqlite::memory: & go run -C tools ./bench load URL`" + `: POST /v1/recommend for somebody with 20
placed items, the best ten of 10,000 with their odds, 50 hidden units, client and server on the same cores. Times are from when a
request was due, so waiting counts; what the client could not send within a second is *not sent*. *Turned away* is 429 or 503 with
Retry-After. The capacity is what eight clients get that ask again as soon as they have their answer.`, p.load},
		{"The page in a browser", "`FUBINI_PAGE_TABLE=BROWSER go test ./app/web -count=1 -run PageIsQuick`" + `: Chromium without a graphics card and the
real server, on the same cores. A drop is timed from when the button goes up until what it changes is drawn, first paints from the start of
the navigation, in a profile with nothing cached. The demonstration world, but where 10,000 items are named: these are random, with 50
hidden units.`, p.browser},
	} {
		if part.file == "" {
			continue
		}
		text, err := os.ReadFile(part.file)
		if err != nil {
			return err
		}
		table := string(text)
		if part.file == p.peers {
			if table, err = peersTable(table); err != nil {
				return fmt.Errorf("%s: %w", part.file, err)
			}
		}
		fmt.Fprintf(w, "\n## %s\n\n%s\n\n%s", part.title, part.text, table)
	}
	return nil
}

var benchmarkLine = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// benchmarkTable makes a table of the output of go test -bench: a row for each benchmark, a column for each unit.
func benchmarkTable(output string) (string, error) {
	var units []string
	var rows []map[string]string
	folder := ""
	for line := range strings.Lines(output) {
		if path, found := strings.CutPrefix(line, "pkg: fubini/"); found {
			folder = strings.TrimSpace(path)
		}
		match := benchmarkLine.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			continue
		}
		row := map[string]string{"": strings.ReplaceAll(match[1], "_", " ") + " | " + folder}
		fields := strings.Fields(match[2])
		for i := 0; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return "", fmt.Errorf("%q: %w", line, err)
			}
			unit := fields[i+1]
			if unit == "ns/op" {
				value, unit = value/1e3, "µs"
			}
			if row[unit] = fmt.Sprintf("%.3g", value); !strings.Contains("\x00"+strings.Join(units, "\x00")+"\x00", "\x00"+unit+"\x00") {
				units = append(units, unit)
			}
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return "", fmt.Errorf("no benchmark in %q", output)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "| benchmark | package | %s |\n|---|---|%s\n", strings.Join(units, " | "), strings.Repeat("---:|", len(units)))
	for _, row := range rows {
		fmt.Fprintf(&table, "| %s |", row[""])
		for _, unit := range units {
			fmt.Fprintf(&table, " %s |", row[unit])
		}
		table.WriteString("\n")
	}
	return table.String(), nil
}

// peersTable makes a table of what peers/recommenders.py and peers/implicit_speed.py write.
func peersTable(text string) (string, error) {
	table := "| library | fit, s | one person, µs | people/s a core | known people/s a core |\n|---|---:|---:|---:|---:|\n"
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var one struct {
			Model   string  `json:"model"`
			Seconds float64 `json:"fit_s"`
			Peer    string  `json:"peer"`
			One     float64 `json:"one_us"`
			PerCore float64 `json:"batch_per_s"`
			Known   float64 `json:"known_per_s"`
		}
		err := json.Unmarshal([]byte(line), &one)
		switch {
		case err == nil && one.Peer != "" && one.One > 0 && one.PerCore > 0:
			table += fmt.Sprintf("| %s | | %.3g | %.3g | %.3g |\n", one.Peer, one.One, one.PerCore, one.Known)
		case err == nil && one.Model != "" && one.Seconds > 0:
			table += fmt.Sprintf("| %s | %.3g | | | |\n", one.Model, one.Seconds)
		default:
			return "", fmt.Errorf("%q has neither model and fit_s nor peer, one_us and batch_per_s", strings.TrimSpace(line))
		}
	}
	return table, nil
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

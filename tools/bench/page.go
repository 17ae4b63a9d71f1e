package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// page is what docs/performance.md is made of.
type page struct {
	Peers, Load, Browser string // files
	benchtime            string
	run                  func(ctx context.Context, folder string, args ...string) ([]byte, error)
}

func newPage(flags *flag.FlagSet) *page {
	p := &page{run: func(ctx context.Context, folder string, args ...string) ([]byte, error) {
		c := exec.CommandContext(ctx, "go", args...)
		c.Dir, c.Stderr = folder, os.Stderr
		return c.Output()
	}}
	flags.StringVar(&p.Peers, "peers", "", "`file` of JSON lines with the times of other libraries, as the scripts in peers write them")
	flags.StringVar(&p.Load, "load", "", "`file` with the table of bench load")
	flags.StringVar(&p.Browser, "browser", "", "`file` with the table of FUBINI_PAGE_TABLE=FILE go test ./app/web -run PageIsQuick")
	flags.StringVar(&p.benchtime, "benchtime", "1s", "time for each benchmark, as go test takes it")
	return p
}

//go:embed page.md.tmpl
var pageText string

// write fills the page. A section says which Go benchmarks it wants: a folder to be in, the module tools or the
// repository; a regular expression; and packages.
func (p *page) write(ctx context.Context, w io.Writer) error {
	text, err := template.New("page").Funcs(template.FuncMap{
		"processor": processor,
		"commit":    commit,
		"system":    func() string { return runtime.GOOS + "/" + runtime.GOARCH + ", " + runtime.Version() },
		"bench": func(folder, benchmarks string, packages ...string) (string, error) {
			tell("%s %s ...", benchmarks, strings.Join(packages, " "))
			out, err := p.run(ctx, folder, append([]string{"test", "-run", "^$", "-bench", benchmarks, "-benchtime", p.benchtime, "-benchmem"}, packages...)...)
			if err != nil {
				return "", fmt.Errorf("%w: %s", err, out)
			}
			return benchmarkTable(string(out))
		},
		"read": func(name string) (string, error) {
			text, err := os.ReadFile(name)
			return string(text), err
		},
		"peers": peersTable,
	}).Parse(pageText)
	if err != nil {
		return err
	}
	return text.Execute(w, p)
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
			unit := strings.ReplaceAll(fields[i+1], "_", " ")
			if unit == "ns/op" {
				value, unit = value/1e3, "µs"
			}
			if row[unit] = fmt.Sprintf("%.3g", value); !slices.Contains(units, unit) {
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
	for lines := json.NewDecoder(strings.NewReader(text)); lines.More(); {
		var one struct {
			Model   string  `json:"model"`
			Seconds float64 `json:"fit_s"`
			Peer    string  `json:"peer"`
			One     float64 `json:"one_us"`
			PerCore float64 `json:"batch_per_s"`
			Known   float64 `json:"known_per_s"`
		}
		err := lines.Decode(&one)
		switch {
		case err != nil:
			return "", err
		case one.Peer != "" && one.One > 0 && one.PerCore > 0:
			table += fmt.Sprintf("| %s | | %.3g | %.3g | %.3g |\n", one.Peer, one.One, one.PerCore, one.Known)
		case one.Model != "" && one.Seconds > 0:
			table += fmt.Sprintf("| %s | %.3g | | | |\n", one.Model, one.Seconds)
		default:
			return "", fmt.Errorf("%+v has neither model and fit_s nor peer, one_us and batch_per_s", one)
		}
	}
	return table, nil
}

// commit is that of the code which is measured, with a mark if files were changed since.
func commit() (string, error) {
	out, err := exec.Command("git", "describe", "--always", "--exclude=*", "--abbrev=9", "--dirty").Output()
	return strings.TrimSpace(string(out)), err
}

// processor is the model name of the first core, where the system has it.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // elsewhere than on Linux there is none
	if name := modelName.FindSubmatch(info); name != nil {
		return string(name[1])
	}
	return "an unnamed processor"
}

var modelName = regexp.MustCompile(`(?m)^model name\s*: *(.+)$`)

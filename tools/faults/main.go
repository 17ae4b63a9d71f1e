// Faults measures what the tests notice: it plants the faults of a list, one at a time, runs the tests of the package
// each stands in, and names the survivors.
//
//	go run -C tools ./faults [flags]   plant the faults of tools/faults/named.json and drawn.json
//	go run -C tools ./faults draw      draw tools/faults/drawn.json, by a seeded choice over all packages
//
// A fault is a function, a text in it and the text put in its place (see Fault). The function is looked up in all Go
// files of the repository that are not tests, so that files and packages can move. The tree itself is never changed:
// a fault reaches the compiler as an overlay.
//
// A fault is killed when the tests of its package, or of the packages that its row adds, fail, crash or do not end.
// It is broken when it cannot be placed, or does not compile: that is an error. The tests run with -short first, which
// is quick and kills most, and in full on what survives that. They run once without a fault before, and must pass.
//
// The exit code is 0 when 95 % of all faults are killed and every survivor has its reason in the list, 1 when not,
// 2 for wrong usage. Paths are relative to the repository.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// The lists: faults that somebody thought of, and faults that were drawn.
const namedList, drawnList = "tools/faults/named.json", "tools/faults/drawn.json"

func main() {
	chosen := &regexp.Regexp{}
	flag.TextVar(chosen, "only", regexp.MustCompile(""), "plant only the faults whose name, or package/name, matches this regular expression")
	workers := flag.Int("j", max(1, runtime.NumCPU()/2), "faults tried at the same time")
	limit := flag.Duration("timeout", 20*time.Minute, "time limit of the tests of one package")
	resume := flag.String("resume", "", "JSON lines of results: what is in it is not measured again, and new results are added")
	retry := flag.Bool("retry", false, "with -resume: try the survivors again")
	output := flag.String("o", "", "also write the report to this file, as Markdown")
	flag.Parse()
	draws := flag.NArg() == 1 && flag.Arg(0) == "draw"
	if flag.NArg() > 0 && !draws || *workers < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	good, err := true, os.Chdir("..") // go run -C tools starts it in tools
	if err == nil && draws {
		err = redraw(ctx)
	} else if err == nil {
		good, err = measure(ctx, chosen, *workers, *limit, *resume, *retry, *output)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

// measure plants the chosen faults of the lists and reports.
func measure(ctx context.Context, chosen *regexp.Regexp, workers int, limit time.Duration, resume string, retry bool, output string) (good bool, err error) {
	repository, err := readSource(".")
	if err != nil {
		return false, err
	}
	plan, err := readPlan(repository, []string{namedList, drawnList})
	if err != nil {
		return false, err
	}
	kept := slices.DeleteFunc(plan, func(t *task) bool {
		return !chosen.MatchString(t.Name) && !chosen.MatchString(t.Where()+"/"+t.Name)
	})
	if len(kept) == 0 {
		return false, fmt.Errorf("no fault matches -only %s", chosen)
	}
	past, err := openResults(resume, retry)
	if err != nil {
		return false, err
	}
	defer past.Close()

	start := time.Now()
	bench := &bench{limit: limit, past: past, out: os.Stdout}
	err = bench.run(ctx, kept, workers)
	report := newReport(kept, bench)
	report.Commit, report.Command = commit(), strings.Join(append([]string{"go run -C tools ./faults"}, os.Args[1:]...), " ")
	var text bytes.Buffer
	err = errors.Join(err, report.write(&text))
	fmt.Printf("\n%s\n%s in all\n", &text, time.Since(start).Round(time.Second))
	if err == nil && output != "" {
		err = os.WriteFile(output, text.Bytes(), 0o644)
	}
	return report.good(), err
}

// redraw writes the list of drawn faults.
func redraw(ctx context.Context) error {
	repository, err := readSource(".")
	if err != nil {
		return err
	}
	before, err := readList(drawnList)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	rows, err := draw(ctx, repository, drawnSeed, drawnCount, before, os.Stdout)
	if err != nil {
		return err
	}
	return writeList(drawnList, rows)
}

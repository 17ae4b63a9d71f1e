// Faults measures what the tests notice: it plants the faults of a list, one at a time, runs the tests of the package
// each stands in, and names the survivors.
//
//	go run -C tools ./faults [flags]        plant the faults of tools/faults/named.json and drawn.json
//	go run -C tools ./faults draw [flags]   draw tools/faults/drawn.json, by a seeded choice over all packages
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
// 2 for wrong usage.
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
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	arguments := os.Args[1:]
	command := measure
	if len(arguments) > 0 && arguments[0] == "draw" {
		command, arguments = redraw, arguments[1:]
	}
	good, err := command(ctx, arguments)
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

// measure plants the faults of the lists and reports.
func measure(ctx context.Context, arguments []string) (good bool, err error) {
	flags := flag.NewFlagSet("faults", flag.ExitOnError)
	root := flags.String("root", "..", "the repository")
	lists := flags.String("list", "tools/faults/named.json,tools/faults/drawn.json", "lists of faults, with commas between; relative to the repository")
	only := flags.String("only", "", "plant only the faults whose name, or package/name, matches this regular expression")
	workers := flags.Int("j", max(1, runtime.NumCPU()/2), "faults tried at the same time")
	limit := flags.Duration("timeout", 20*time.Minute, "time limit of the tests of one package")
	resume := flags.String("resume", "", "JSON lines of results: what is in it is not measured again, and new results are added")
	retry := flags.Bool("retry", false, "with -resume: try the survivors again")
	output := flags.String("o", "", "also write the report to this file, as Markdown")
	flags.Parse(arguments)
	if flags.NArg() > 0 || *workers < 1 {
		flags.Usage()
		os.Exit(2)
	}
	chosen, err := regexp.Compile(*only)
	if err != nil {
		return false, fmt.Errorf("-only: %w", err)
	}
	repository, err := readSource(*root)
	if err != nil {
		return false, err
	}
	var plan []*task
	for name := range strings.SplitSeq(*lists, ",") {
		rows, err := readList(within(*root, name))
		if err != nil {
			return false, err
		}
		for _, row := range rows {
			plan = append(plan, &task{List: listName(name), Fault: row})
		}
	}
	if err := checkNames(plan); err != nil {
		return false, err
	}
	var kept []*task
	for _, t := range plan {
		t.place, t.err = repository.place(t.Fault)
		if t.err == nil {
			t.extra, t.err = repository.testsOf(t.Fault)
		}
		if chosen.MatchString(t.Fault.Name) || t.place != nil && chosen.MatchString(t.place.file.folder.path+"/"+t.Fault.Name) {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return false, fmt.Errorf("no fault matches -only %s", *only)
	}
	past, err := openResults(within(*root, *resume), *retry)
	if err != nil {
		return false, err
	}
	defer past.Close()

	start := time.Now()
	bench := &bench{limit: *limit, past: past, out: os.Stdout}
	err = bench.run(ctx, kept, *workers)
	report := newReport(kept, bench)
	var text bytes.Buffer
	report.write(&text, commit(*root), command(flags))
	fmt.Printf("\n%s\n%s in all\n", &text, time.Since(start).Round(time.Second))
	if err == nil && *output != "" {
		err = os.WriteFile(within(*root, *output), text.Bytes(), 0o644)
	}
	if err != nil {
		return false, err
	}
	return report.good(), nil
}

// redraw writes a list of drawn faults.
func redraw(ctx context.Context, arguments []string) (good bool, err error) {
	flags := flag.NewFlagSet("faults draw", flag.ExitOnError)
	root := flags.String("root", "..", "the repository")
	seed := flags.Uint64("seed", drawnSeed, "seed of the choice")
	count := flags.Int("n", drawnCount, "faults drawn, at least one a package")
	fresh := flags.Bool("fresh", false, "draw all of them, also where the list has faults that still have their place")
	output := flags.String("o", "tools/faults/drawn.json", "the list; relative to the repository")
	flags.Parse(arguments)
	if flags.NArg() > 0 || *count < 1 {
		flags.Usage()
		os.Exit(2)
	}
	repository, err := readSource(*root)
	if err != nil {
		return false, err
	}
	file := within(*root, *output)
	var before []Fault
	if !*fresh {
		if before, err = readList(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	rows, err := draw(ctx, repository, *seed, *count, before, os.Stdout)
	if err != nil {
		return false, err
	}
	return true, writeList(file, rows)
}

// within makes a path relative to the repository; an empty one stays empty.
func within(root, name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(root, name)
}

func listName(file string) string {
	return strings.TrimSuffix(filepath.Base(file), ".json")
}

// command is how to make the report again: of the flags those that change what is measured.
func command(flags *flag.FlagSet) string {
	text := "go run -C tools ./faults"
	flags.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "list", "only", "timeout", "o":
			text += fmt.Sprintf(" -%s %s", f.Name, f.Value)
		}
	})
	return text
}

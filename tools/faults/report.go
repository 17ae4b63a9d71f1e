package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// floor is the share of all faults that must be killed, explained survivors included in "all".
const floor = .95

// counts of one list, or of one package.
type counts struct{ killed, survived, explained, broken int }

func (c *counts) add(t *task) {
	switch {
	case t.Outcome == killed:
		c.killed++
	case t.Outcome == survived && t.Fault.Survives != "":
		c.explained++
	case t.Outcome == survived:
		c.survived++
	default:
		c.broken++
	}
}

func (c counts) all() int       { return c.killed + c.survived + c.explained + c.broken }
func (c counts) share() float64 { return float64(c.killed) / float64(c.all()) }

// report sums a run up. Tasks that an interruption kept from running are left out.
type report struct {
	tasks    []*task
	lists    []string
	byList   map[string]*counts
	byFolder map[string]*counts
	total    counts
	baseline map[pass]float64
	kept     int // results of earlier runs
}

func newReport(tasks []*task, b *bench) *report {
	r := &report{byList: map[string]*counts{}, byFolder: map[string]*counts{}, baseline: b.baseline, kept: b.kept}
	for _, t := range tasks {
		if t.Outcome == "" {
			continue
		}
		r.tasks = append(r.tasks, t)
		if r.byList[t.List] == nil {
			r.lists = append(r.lists, t.List)
			r.byList[t.List] = &counts{}
		}
		r.byList[t.List].add(t)
		r.total.add(t)
		if t.place != nil {
			path := t.place.file.folder.path
			if r.byFolder[path] == nil {
				r.byFolder[path] = &counts{}
			}
			r.byFolder[path].add(t)
		}
	}
	return r
}

// good says whether the tests notice enough: the floor holds, and no survivor is without a reason.
func (r *report) good() bool {
	return r.total.all() > 0 && r.total.share() >= floor && r.total.survived == 0 && r.total.broken == 0
}

// with are the tasks of one kind.
func (r *report) with(o outcome, explained bool) (found []*task) {
	for _, t := range r.tasks {
		if t.Outcome == o && (t.Fault.Survives != "") == explained {
			found = append(found, t)
		}
	}
	return found
}

// write prints the summary for people.
func (r *report) write(w io.Writer) {
	fmt.Fprintf(w, "\n%-12s %7s %9s %10s %7s %6s\n", "", "killed", "survived", "explained", "broken", "share")
	row := func(name string, c counts) {
		fmt.Fprintf(w, "%-12s %7d %9d %10d %7d %5.1f%%\n", name, c.killed, c.survived, c.explained, c.broken, 100*c.share())
	}
	for _, name := range r.lists {
		row(name, *r.byList[name])
	}
	row("all", r.total)
	for _, part := range []struct {
		title string
		tasks []*task
		text  func(*task) string
	}{
		{"Broken: mend or delete the row", slices.Concat(r.with(broken, false), r.with(broken, true)), func(t *task) string { return t.By }},
		{"Survivors without a reason", r.with(survived, false), func(t *task) string { return t.Fault.Why }},
		{"Survivors explained", r.with(survived, true), func(t *task) string { return t.Fault.Survives }},
		{"Killed, though the row gives a reason to survive", r.with(killed, true), func(t *task) string { return t.By }},
	} {
		if len(part.tasks) > 0 {
			fmt.Fprintf(w, "\n%s:\n", part.title)
			for _, t := range part.tasks {
				fmt.Fprintf(w, "  %s %s: %s\n", t.where(), t.Fault.Name, part.text(t))
			}
		}
	}
	if r.total.share() < floor {
		fmt.Fprintf(w, "\nbelow the floor of %.0f %%\n", 100*floor)
	}
}

func (t *task) where() string {
	if t.place == nil {
		return t.List
	}
	return t.place.file.folder.path
}

// save writes the report as a page of docs.
func (r *report) save(name, commit, command string) error {
	var w bytes.Buffer
	fmt.Fprintf(&w, "# What the tests notice\n\n"+
		"Deliberate faults, planted one at a time: does a test of the package fail? [CONTRIBUTING.md](../CONTRIBUTING.md#faults-that-tests-must-notice)\n"+
		"says how the lists are made and run. This page is written by\n\n"+
		"```sh\n%s\n```\n\nat commit %s; the drawn faults by `go run -C tools ./faults draw` with seed %d. A survivor with a reason still counts\n"+
		"against the share; the floor is %.0f %%.\n\n", command, commit, uint64(drawnSeed), 100*floor)
	if r.kept > 0 {
		fmt.Fprintf(&w, "%d of the %d results are of earlier runs (`-resume`): their rows are the same, the program around them may have changed since.\n\n", r.kept, len(r.tasks))
	}
	fmt.Fprintf(&w, "| list | faults | killed | survived, with a reason | survived | share killed |\n|---|--:|--:|--:|--:|--:|\n")
	row := func(name string, c counts) {
		fmt.Fprintf(&w, "| %s | %d | %d | %d | %d | %.1f %% |\n", name, c.all(), c.killed, c.explained, c.survived+c.broken, 100*c.share())
	}
	for _, list := range r.lists {
		row(list, *r.byList[list])
	}
	row("all", r.total)

	fmt.Fprintf(&w, "\n## Survivors\n\n| fault | what is wrong | why no test fails |\n|---|---|---|\n")
	for _, t := range slices.Concat(r.with(survived, false), r.with(survived, true)) {
		reason := t.Fault.Survives
		if reason == "" {
			reason = "no reason yet"
		}
		fmt.Fprintf(&w, "| %s, `%s` | %s | %s |\n", t.Fault.Name, t.Fault.Func, cell(t.Fault.Why), cell(reason))
	}

	fmt.Fprintf(&w, "\n## By package\n\nSeconds are those of the package's tests without a fault, on the machine of this run: with -short, which\n"+
		"every fault meets first, and in full, which those meet that survive it.\n\n| package | faults | killed | -short, s | in full, s |\n|---|--:|--:|--:|--:|\n")
	seconds := func(p pass) string {
		if s, known := r.baseline[p]; known {
			return fmt.Sprintf("%.1f", s)
		}
		return ""
	}
	for _, path := range slices.Sorted(maps.Keys(r.byFolder)) {
		c := r.byFolder[path]
		fmt.Fprintf(&w, "| %s | %d | %d | %s | %s |\n", path, c.all(), c.killed, seconds(pass{path, true}), seconds(pass{path, false}))
	}

	fmt.Fprintf(&w, "\n## All faults\n\n| fault | package | killed by |\n|---|---|---|\n")
	for _, t := range r.tasks {
		by := "-"
		if t.Outcome == killed {
			by = t.By
		}
		fmt.Fprintf(&w, "| %s | %s | %s |\n", t.Fault.Name, t.where(), cell(by))
	}
	return os.WriteFile(name, w.Bytes(), 0o644)
}

// cell makes a text fit for a table of Markdown.
func cell(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
}

// commit is the state of the repository, as git names it.
func commit(root string) string {
	out, err := exec.Command("git", "-C", root, "describe", "--always", "--dirty").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

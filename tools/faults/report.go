package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
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
	byList   map[string]*counts
	byFolder map[string]*counts
	total    counts
	kept     int // results of earlier runs
}

func newReport(tasks []*task, b *bench) *report {
	r := &report{byList: map[string]*counts{}, byFolder: map[string]*counts{}, kept: b.kept}
	for _, t := range tasks {
		if t.Outcome == "" {
			continue
		}
		r.tasks = append(r.tasks, t)
		r.total.add(t)
		for of, name := range map[*map[string]*counts]string{&r.byList: t.List, &r.byFolder: t.where()} {
			if (*of)[name] == nil {
				(*of)[name] = &counts{}
			}
			(*of)[name].add(t)
		}
	}
	return r
}

// good says whether the tests notice enough: the floor holds, and no survivor is without a reason.
func (r *report) good() bool {
	return r.total.all() > 0 && r.total.share() >= floor && r.total.survived == 0 && r.total.broken == 0
}

func (t *task) where() string {
	if t.place == nil {
		return t.List
	}
	return t.place.file.folder.path
}

// write writes the report as a page of docs.
func (r *report) write(w io.Writer, commit, command string) {
	fmt.Fprintf(w, "# What the tests notice\n\n"+
		"Deliberate faults, planted one at a time: does a test of the package fail? [CONTRIBUTING.md](../CONTRIBUTING.md#faults-that-tests-must-notice)\n"+
		"says how the lists are made and run. This page is written by\n\n"+
		"```sh\n%s\n```\n\nat commit %s; the drawn faults by `go run -C tools ./faults draw` with seed %d. A survivor with a reason still counts\n"+
		"against the share; the floor is %.0f %%.\n\n", command, commit, uint64(drawnSeed), 100*floor)
	if r.kept > 0 {
		fmt.Fprintf(w, "%d of the %d results are of earlier runs (`-resume`): their rows are the same, the program around them may have changed since.\n\n", r.kept, len(r.tasks))
	}
	fmt.Fprintf(w, "| list | faults | killed | survived, with a reason | survived | share killed |\n|---|--:|--:|--:|--:|--:|\n")
	row := func(name string, c counts) {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %.1f %% |\n", name, c.all(), c.killed, c.explained, c.survived+c.broken, 100*c.share())
	}
	for _, list := range slices.Sorted(maps.Keys(r.byList)) {
		row(list, *r.byList[list])
	}
	row("all", r.total)
	if r.total.share() < floor {
		fmt.Fprintf(w, "\nThat is below the floor of %.0f %%.\n", 100*floor)
	}

	fmt.Fprintf(w, "\n## Survivors\n\n| fault | package | what is wrong | why no test fails |\n|---|---|---|---|\n")
	for _, t := range r.tasks {
		reason := cmp.Or(t.Fault.Survives, "no reason yet")
		switch {
		case t.Outcome == broken:
			reason = "broken, mend or delete the row: " + t.By
		case t.Outcome == killed && t.Fault.Survives != "":
			reason = "killed by " + t.By + ", though the row has a reason: " + t.Fault.Survives
		case t.Outcome == killed:
			continue
		}
		fmt.Fprintf(w, "| %s, `%s` | %s | %s | %s |\n", t.Fault.Name, t.Fault.Func, t.where(), cell(t.Fault.Why), cell(reason))
	}

	fmt.Fprintf(w, "\n## By package\n\n| package | faults | killed |\n|---|--:|--:|\n")
	for _, path := range slices.Sorted(maps.Keys(r.byFolder)) {
		fmt.Fprintf(w, "| %s | %d | %d |\n", path, r.byFolder[path].all(), r.byFolder[path].killed)
	}

	fmt.Fprintf(w, "\n## All faults\n\n| fault | package | killed by |\n|---|---|---|\n")
	for _, t := range r.tasks {
		by := "-"
		if t.Outcome == killed {
			by = t.By
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", t.Fault.Name, t.where(), cell(by))
	}
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

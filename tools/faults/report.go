package main

import (
	"cmp"
	_ "embed"
	"io"
	"os/exec"
	"strings"
	"text/template"
)

// floor is the share of all faults that must be killed, explained survivors included in "all".
const floor = .95

// counts of one list, or of one package.
type counts map[outcome]int

// All is the number of faults.
func (c counts) All() int { return c[killed] + c[survived] + c[explained] + c[broken] }

// Open is the number of those that somebody has to look at.
func (c counts) Open() int { return c[survived] + c[broken] }

// Percent is how many of a hundred were killed.
func (c counts) Percent() float64 { return 100 * float64(c[killed]) / float64(c.All()) }

// report sums a run up.
type report struct {
	Tasks           []*task
	Lists, Folders  map[string]counts
	Total           counts
	Kept            int // results of earlier runs
	Commit, Command string
	Seed            uint64
	Floor           float64 // in percent
}

// newReport leaves out tasks that an interruption kept from running.
func newReport(tasks []*task, b *bench) *report {
	r := &report{Lists: map[string]counts{}, Folders: map[string]counts{}, Total: counts{}, Kept: b.kept, Seed: drawnSeed, Floor: 100 * floor}
	for _, t := range tasks {
		if t.Outcome == "" {
			continue
		}
		r.Tasks = append(r.Tasks, t)
		if r.Lists[t.List] == nil {
			r.Lists[t.List] = counts{}
		}
		if r.Folders[t.Where()] == nil {
			r.Folders[t.Where()] = counts{}
		}
		for _, c := range []counts{r.Total, r.Lists[t.List], r.Folders[t.Where()]} {
			c[t.verdict()]++
		}
	}
	return r
}

// good reports whether the tests notice enough: the floor holds, and no survivor is without a reason.
func (r *report) good() bool {
	return r.Total.All() > 0 && r.Total.Percent() >= 100*floor && r.Total.Open() == 0
}

// Where is the package of a fault; its list, if it has no place.
func (t *task) Where() string {
	if t.place == nil {
		return t.List
	}
	return t.place.file.folder.path
}

// verdict is the outcome; a survivor with a reason is explained.
func (t *task) verdict() outcome {
	if t.Outcome == survived && t.Survives != "" {
		return explained
	}
	return t.Outcome
}

// Remark is why no test kills a fault; it is empty for one that is killed as it should be.
func (t *task) Remark() string {
	switch {
	case t.Outcome == broken:
		return "broken, mend or delete the row: " + t.By
	case t.Outcome == survived:
		return cmp.Or(t.Survives, "no reason yet")
	case t.Survives != "":
		return "killed by " + t.By + ", though the row has a reason: " + t.Survives
	}
	return ""
}

// Killer is the test that kills a fault.
func (t *task) Killer() string {
	if t.Outcome == killed {
		return t.By
	}
	return "-"
}

//go:embed report.md.tmpl
var reportText string

var reportPage = template.Must(template.New("").Option("missingkey=zero").Funcs(template.FuncMap{"cell": cell}).Parse(reportText))

// write writes the report as a page of docs.
func (r *report) write(w io.Writer) error { return reportPage.Execute(w, r) }

// cell makes a text fit for a table of Markdown.
func cell(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
}

// commit is the state of the repository, as git names it.
func commit() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

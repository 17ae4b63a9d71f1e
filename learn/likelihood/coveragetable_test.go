package likelihood

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tableFile is a page that gets the table of coverage, between its marks. Rows of tests that were not run stay as they are, if
// they are of the same commit and of as many data sets.
//
//	FUBINI_LONG=1 go test ./learn/likelihood -run 'Cover|WrongModel|TastesOfLongLists' -timeout 4h -table ../../docs/votes-coverage.md
var tableFile = flag.String("table", "", "write the table of coverage into this page")

// The marks around the table.
const tableBegin, tableEnd = "<!-- coverage -->\n", "<!-- end of coverage -->\n"

var tableLock sync.Mutex

// made is the line below the table. The rows are of one commit, with which the sources agree.
var made = sync.OnceValues(func() (string, error) {
	if changed, err := exec.Command("git", "status", "--porcelain", "--", ":/*.go", ":/go.*").Output(); err != nil || len(changed) > 0 {
		return "", fmt.Errorf("the table wants a commit; git status: %v\n%s", err, changed)
	}
	commit, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	return fmt.Sprintf("Data sets of each row: %d. By fubini %s.\n", sets(1), strings.TrimSpace(string(commit))), err
})

// keepCoverage puts rows into the table at once: a run that is broken off leaves those that it came to.
func keepCoverage(t *testing.T, rows ...coverage) {
	t.Helper()
	tableLock.Lock()
	defer tableLock.Unlock()
	if *tableFile == "" {
		return
	}
	if err := writeTable(*tableFile, rows); err != nil {
		t.Error(err)
	}
}

func writeTable(path string, rows []coverage) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := bytes.Cut(page, []byte(tableBegin))
	old, after, closed := bytes.Cut(rest, []byte(tableEnd))
	if !found || !closed {
		return fmt.Errorf("%s has no marks %q and %q", path, tableBegin, tableEnd)
	}
	below, err := made()
	if err != nil {
		return err
	}
	return os.WriteFile(path, slices.Concat(before, []byte(tableBegin), []byte(table(string(old), below, rows)), []byte(tableEnd), after), 0o644)
}

// table is the rows in Markdown, in the place of those of the same names in the old table, and the line below it. An old table
// with another line is left out.
func table(old, below string, rows []coverage) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| model, errors | data set | worths | differences | by quasi-variances | ranks | other parameters |\n|---|---|---:|---:|---:|---:|---|\n")
	percent := func(c counted) string {
		if c.all == 0 {
			return "–" // the row has none
		}
		return fmt.Sprintf("%.1f", 100*c.held/c.all)
	}
	lines := map[string]string{} // by name
	var names []string
	add := func(name, line string) {
		if lines[name] == "" {
			names = append(names, name)
		}
		lines[name] = line
	}
	if kept, same := strings.CutSuffix(old, "\n"+below); same {
		for _, line := range slices.Collect(strings.Lines(kept))[2:] { // below the heading
			add(strings.TrimSpace(strings.Split(line, "|")[1]), line)
		}
	}
	for _, r := range rows {
		var others []string
		for _, each := range r.others {
			others = append(others, each.name+" "+percent(each.counted))
		}
		add(r.name, fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s |\n", r.name, r.votes, percent(r.worths), percent(r.differences), percent(r.quasi), percent(r.ranks), strings.Join(others, ", ")))
	}
	for _, name := range names {
		b.WriteString(lines[name])
	}
	return b.String() + "\n" + below
}

// Rows of one commit and number of data sets come together in a table; those of others leave it.
func TestCoverageIsOfOneCommit(t *testing.T) {
	row := func(name string, held float64) coverage {
		return coverage{name: name, votes: "v", worths: counted{held, 100}}
	}
	line := func(name, share string) string { return "| " + name + " | v | " + share + " | – | – | – |  |\n" }
	const one, two = "By fubini 1.\n", "By fubini 2.\n"
	first := table("", one, []coverage{row("a", 94), row("b", 95)})
	for _, c := range []struct{ got, want string }{
		{first, line("a", "94.0") + line("b", "95.0") + "\n" + one},
		{table(first, one, []coverage{row("a", 96), row("c", 97)}), line("a", "96.0") + line("b", "95.0") + line("c", "97.0") + "\n" + one},
		{table(first, two, []coverage{row("a", 96)}), line("a", "96.0") + "\n" + two},
	} {
		if _, rows, _ := strings.Cut(c.got, "---|\n"); rows != c.want {
			t.Errorf("%s\nwant\n%s", rows, c.want)
		}
	}
}

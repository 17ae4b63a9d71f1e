package likelihood

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tableFile is a page that gets the table of coverage, between its marks. Rows of tests that were not run stay as they are.
//
//	FUBINI_LONG=1 go test ./learn/likelihood -run 'Cover|WrongModel|TastesOfLongLists' -timeout 2h -table ../../docs/votes-evidence.md
var tableFile = flag.String("table", "", "write the table of coverage into this page")

// The marks around the table.
const tableBegin, tableEnd = "<!-- coverage -->\n", "<!-- end of coverage -->\n"

var tableLock sync.Mutex

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
	return os.WriteFile(path, slices.Concat(before, []byte(tableBegin), []byte(table(string(old), rows)), []byte(tableEnd), after), 0o644)
}

// table is the rows in Markdown, in the place of those of the same names in the old table.
func table(old string, rows []coverage) string {
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
	for k, line := range strings.SplitAfter(strings.TrimSpace(old)+"\n", "\n") {
		if k >= 2 && line != "" { // below the heading
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
	return b.String()
}

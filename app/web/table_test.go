package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Every test that the table of docs/page.md names is there, and every line of the acceptance list that it has names one.
func TestAcceptanceTable(t *testing.T) {
	page, err := os.ReadFile("../../docs/page.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`).FindAllSubmatch(text, -1) {
			there[string(found[1])] = true
		}
	}
	rows := regexp.MustCompile("(?m)^\\| ([^|]+) \\| [^|]+ \\| (`Test.*) \\|$").FindAllSubmatch(page, -1)
	lines := map[string]bool{}
	for _, row := range rows {
		lines[string(row[1])] = true
	}
	for line := 1; line <= 17; line++ { // of the acceptance list
		if !lines[fmt.Sprint(line)] {
			t.Errorf("line %d has no row", line)
		}
	}
	for _, row := range rows {
		for _, found := range regexp.MustCompile("`(\\w+)`").FindAllSubmatch(row[2], -1) {
			if !there[string(found[1])] {
				t.Errorf("docs/page.md names %s, which is no test", found[1])
			}
		}
	}
}

package fubini_test

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The reading order in doc.go names files, not packages: six to a fit of the model, eight more to the gradient that
// `fubini train` follows. Files move; this test finds a route that leads nowhere.

func TestReadingOrder(t *testing.T) {
	report(t, checkRoute(os.DirFS("."), 6, 8))
}

// stop is one item of a list in doc.go that begins with a file.
var stop = regexp.MustCompile(`(?m)^//   - ([\w/]+\.go): .`)

// checkRoute reads the section "Reading order" of doc.go: as many lists of files as there are lengths, each of that length, every file there.
func checkRoute(tree fs.FS, lengths ...int) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	text, err := fs.ReadFile(tree, "doc.go")
	if err != nil {
		return []string{err.Error()}
	}
	_, section, _ := strings.Cut(string(text), "# Reading order\n")
	section, _, _ = strings.Cut(section, "// # ")
	var found []int
	for paragraph := range strings.SplitSeq(section, "\n//\n") {
		stops := stop.FindAllStringSubmatch(paragraph, -1)
		if len(stops) > 0 {
			found = append(found, len(stops))
		}
		for _, each := range stops {
			if _, err := fs.Stat(tree, each[1]); err != nil {
				complain("doc.go: the reading order names %s: %v", each[1], err)
			}
		}
	}
	if fmt.Sprint(found) != fmt.Sprint(lengths) {
		complain("doc.go: the reading order has lists of %d files; it should have %d", found, lengths)
	}
	return complaints
}

func TestReadingOrderCanFail(t *testing.T) {
	const page = "// # Reading order\n//\n// First:\n//\n//   - a/b.go: one;\n//   - a/c.go: two.\n//\n// # Package map\n//\n//   - d.go: not on it\n"
	whole := files("doc.go", page, "a/b.go", "package a", "a/c.go", "package a")
	report(t, checkRoute(whole, 2))
	expectOne(t, "a list too short", checkRoute(whole, 3), "lists of [2] files")
	delete(whole, "a/c.go")
	expectOne(t, "a missing file", checkRoute(whole, 2), "a/c.go")
}

package fubini_test

import (
	"fmt"
	"go/parser"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// The reading order in doc.go names files, not packages: with README and doc.go six to a fit of the model, eight more to the
// loop of `fubini train`. Files move; this test finds a route that leads nowhere, or into code that no command runs.

func TestReadingOrder(t *testing.T) {
	report(t, checkRoute(os.DirFS("."), "cmd/fubini", 4, 8))
}

// stop is one item of a list in doc.go that begins with a file.
var stop = regexp.MustCompile(`(?m)^//   - ([\w/]+\.go): .`)

// checkRoute reads the section "Reading order" of doc.go: as many lists of files as there are lengths, each of that length, every file there,
// in a package that the program imports.
func checkRoute(tree fs.FS, program string, lengths ...int) (complaints []string) {
	runs := map[string]bool{}
	reach(tree, program, runs)
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
			} else if !runs[path.Dir(each[1])] {
				complain("doc.go: the reading order names %s, which %s does not import", each[1], program)
			}
		}
	}
	if fmt.Sprint(found) != fmt.Sprint(lengths) {
		complain("doc.go: the reading order has lists of %d files; it should have %d", found, lengths)
	}
	return complaints
}

// reach collects a package and all packages of the module that it imports, directly or not.
func reach(tree fs.FS, pkg string, found map[string]bool) {
	if found[pkg] {
		return
	}
	found[pkg] = true
	names, _ := fs.Glob(tree, path.Join(pkg, "*.go"))
	for _, name := range names {
		file, err := parse(tree, name, parser.ImportsOnly)
		if err != nil || strings.HasSuffix(name, "_test.go") {
			continue // TestImports complains of files that cannot be parsed
		}
		for _, spec := range file.Imports {
			switch to, below := strings.CutPrefix(strings.Trim(spec.Path.Value, "\"`"), module); {
			case below && to == "":
				reach(tree, ".", found)
			case below && to[0] == '/':
				reach(tree, to[1:], found)
			}
		}
	}
}

func TestReadingOrderCanFail(t *testing.T) {
	const page = "// # Reading order\n//\n// First:\n//\n//   - a/b.go: one;\n//   - a/c.go: two.\n//\n// # Package map\n//\n//   - d.go: not on it\n"
	whole := files("doc.go", page, "a/b.go", "package a", "a/c.go", "package a; import `fubini/e`", "e/f.go", "package e", "p/main.go", `package main; import "fubini/a"`, "q/main.go", `package main; import "os"`)
	report(t, checkRoute(whole, "p", 2))
	expectOne(t, "a list too short", checkRoute(whole, "p", 3), "lists of [2] files")
	if got := checkRoute(whole, "q", 2); len(got) != 2 {
		t.Errorf("packages that no program imports: %q", got)
	}
	delete(whole, "a/c.go")
	expectOne(t, "a missing file", checkRoute(whole, "p", 2), "a/c.go")
}

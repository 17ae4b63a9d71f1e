package fubini_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// A page of the documents can be read in one go: it opens with what it is for, has at most 2,500 words, and sections where it is
// long, from which the site makes its contents.
func TestPagesAreShort(t *testing.T) {
	report(t, checkPages(os.DirFS(".")))
}

// Tests of pages that break one rule each.
func TestPagesAreShortNotices(t *testing.T) {
	opening := "# Title\n\nWhat this page is for, in a sentence.\n\n"
	many := func(n int) string { return strings.Repeat("word ", n) + "\n" }
	for text, want := range map[string]string{
		opening + "## A\n" + many(800) + "## B\n" + many(800) + "## C\n" + many(800): "",
		opening + "## A\n" + many(800) + "## B\n" + many(800) + "## C\n" + many(900): "docs/page.md has 2516 words, more than 2500",
		opening + "## A\n" + many(600):                                         "docs/page.md has 612 words and 1 sections; contents need 2",
		opening + "## A\n| a |\n|---|\n| " + strings.Repeat("x ", 600) + "|\n": "docs/page.md has 618 words and 1 sections; contents need 2",
		opening + "## A\n" + many(300) + "## B\n" + many(300):                  "",
		"# Title\n\n    go run .\n\n" + many(20):                               "docs/page.md does not open with what it is for",
		"# Title\n\n## At once\n" + many(5):                                    "docs/page.md does not open with what it is for",
		opening + "## A\n```sh\n" + many(3000) + "```\n## B\n| a | b |\n|---|---|\n| " + strings.Repeat("x ", 3000) + "|\n": "",
		opening + "## A\n<!-- made -->\n" + many(3000) + "<!-- end of made -->\n## B\n":                                     "",
		opening + "## A\n## B\n$" + strings.Repeat("x ", 3000) + "$\n":                                                      "",
		opening + many(300) + "```sh\n## A\n## B\n```\n" + many(300):                                                        "docs/page.md has 616 words and 0 sections; contents need 2",
	} {
		got := strings.Join(checkPages(fstest.MapFS{"docs/page.md": {Data: []byte(text)}}), "; ")
		if got != want {
			t.Errorf("%.60q: %q, want %q", text, got, want)
		}
	}
}

const (
	mostWords    = 2500
	twoScreens   = 600 // words, tables and code among them, of a page that is two screens long and wants contents
	leastHeads   = 2   // sections of a page to which the site gives contents (app/manual)
	leastOpening = 8   // words of the first paragraph
)

// derivations and what a program writes from beginning to end are as long as they are.
var unbounded = map[string]bool{"docs/maths.md": true, "docs/faults.md": true, "docs/reference/commands.md": true, "docs/reference/settings.md": true}

// Decisions have a form of their own, and begin with their context.
var decision = regexp.MustCompile(`^docs/decisions/\d`)

// Before it says what it is for, a page shows a command, a table or a picture.
var codeFirst = regexp.MustCompile(`(?m)\A[^#]*# .*\n(?:\s*\n|<!--.*-->\n)*(?:    |` + "```" + `|\||!\[)`)

// What is not counted: code, tables, what a command writes between two marks or above its table, and formulas.
var uncounted = regexp.MustCompile("(?ms)^```.*?^```$" + `|^<!-- ([^\n]*?)(?:: [^\n]*)? -->\n.*?^<!-- end of [^\n]* -->$|<!--.*?-->|\$\$.*?\$\$|\$[^$\n]+\$`)
var fenced = regexp.MustCompile("(?ms)^```.*?^```$")
var uncountedLine = regexp.MustCompile(`(?m)^(?:\||    |Data .*fingerprint |N = |\d+ held-out ratings of |Ours against the best baseline ).*$`)

func checkPages(tree fs.FS) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	err := fs.WalkDir(tree, "docs", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		whole, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		text := uncountedLine.ReplaceAllString(uncounted.ReplaceAllString(string(whole), ""), "")
		_, body, _ := strings.Cut(text, "# ")
		_, body, _ = strings.Cut(body, "\n")
		opening, _, _ := strings.Cut(strings.TrimSpace(body), "\n\n")
		if !decision.MatchString(name) && (strings.HasPrefix(opening, "#") || len(strings.Fields(opening)) < leastOpening || codeFirst.Match(whole)) {
			complain("%s does not open with what it is for", name)
		}
		if words := len(strings.Fields(text)); words > mostWords && !unbounded[name] {
			complain("%s has %d words, more than %d", name, words, mostWords)
		}
		long, heads := len(strings.Fields(string(whole))), strings.Count(fenced.ReplaceAllString(string(whole), ""), "\n## ")
		if long > twoScreens && heads < leastHeads {
			complain("%s has %d words and %d sections; contents need %d", name, long, heads, leastHeads)
		}
		return nil
	})
	if err != nil {
		complain("%v", err)
	}
	return complaints
}

// All tables of a page that name their build name one, and a build that knows its commit. Pages of times and of vectors name it
// in each section with a table; that of a program they are compared with is called before.
func TestPagesAreOfOneBuild(t *testing.T) {
	report(t, checkBuilds(os.DirFS(".")))
	const table = "Data x, fingerprint 12; seeds 1 to 3; fubini %s, linux/amd64.\n"
	page := func(builds ...string) fstest.MapFS {
		text := "# Title\n"
		for _, build := range builds {
			text += fmt.Sprintf(table, build)
		}
		return fstest.MapFS{"docs/page.md": {Data: []byte(text)}}
	}
	times := func(text string) fstest.MapFS {
		return fstest.MapFS{"docs/performance-x.md": {Data: []byte("# Title\n\n" + text)}}
	}
	const one, two = "0123456ab", "v0.0.0-20261118054138-101ee15f09cc"
	const rows = "| a |\n|---|\n| 1 |\n\n"
	for _, c := range []struct {
		tree fstest.MapFS
		want string
	}{
		{page(one, one), ""},
		{page(two), ""},
		{page(one, two), "docs/page.md has tables of several builds: 0123456ab, " + two},
		{page("devel"), "docs/page.md has tables of a build that did not record its commit"},
		{times(rows + "By fubini 0123456a.\n"), ""},
		{times("By fubini 0123456a.\n\n" + rows + "## Later\n" + rows), "docs/performance-x.md: Later has a table and no commit"},
		{times(rows + "By fubini 0123456a.\n\n" + rows + "By fubini v0.0.0-20261118054138-0123456ab012.\n"), ""},
		{times(rows + "By fubini 0123456a.\n\n" + rows + "By fubini 101ee15f.\n"), "docs/performance-x.md has tables of several builds: 0123456a, 101ee15f"},
		{times(rows + "By fubini 0123456a. On a better day 101ee15f was faster.\n"), "docs/performance-x.md has tables of several builds: 0123456a, 101ee15f"},
		{times(rows + "This is fubini 0123456a; before is fubini 101ee15f.\n"), ""},
		{times(rows + "Before is fubini 101ee15f.\n"), "docs/performance-x.md: Title has a table and no commit"},
		{times(rows + "By fubini 0123456a; before is fubini 101ee15f.\n\n" + rows + "By 0123456a; before is fubini abcdef01.\n"), "docs/performance-x.md compares with several builds: 101ee15f, abcdef01"},
		{times(rows + "By fubini 0123456a.\n\n```\nbits  users\n0  12\n```\n"), ""},
		{times(rows + "By fubini 674500538, of 1000209 ratings.\n"), ""},
		{times(rows + "By a build of Tuesday.\n"), "docs/performance-x.md: Title has a table and no commit"},
	} {
		if got := strings.Join(checkBuilds(c.tree), "; "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

var builtBy = regexp.MustCompile(`(?m)fingerprint [0-9a-f]+.*\bfubini ([\w.-]*\w)`)

// Pages whose tables have no fingerprint of data, and name a commit each.
var ofTimes = regexp.MustCompile(`^docs/(?:performance-.*|scale-.*|maps.*|votes-coverage)\.md$`)

var (
	commitWord = regexp.MustCompile(`(?i)(\bbefore is )?(\bfubini )?\b(?:v[\d.]+-\d{14}-)?([0-9a-f]{7,12})\b`)
	tableRule  = regexp.MustCompile(`(?m)^\|[-:| ]+\|$`)
)

func checkBuilds(tree fs.FS) (complaints []string) {
	err := fs.WalkDir(tree, "docs", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		var builds []string
		for _, match := range builtBy.FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(builds, match[1]) {
				builds = append(builds, match[1])
			}
		}
		if ofTimes.MatchString(name) {
			var others []string
			builds, others = commits(string(text))
			if len(others) > 1 {
				complaints = append(complaints, fmt.Sprintf("%s compares with several builds: %s", name, strings.Join(others, ", ")))
			}
			for section := range strings.SplitSeq(string(text), "\n## ") {
				if own, _ := commits(section); len(own) == 0 && tableRule.MatchString(section) {
					title, _, _ := strings.Cut(section, "\n")
					complaints = append(complaints, fmt.Sprintf("%s: %s has a table and no commit", name, strings.TrimPrefix(title, "# ")))
				}
			}
		}
		if len(builds) > 1 {
			complaints = append(complaints, fmt.Sprintf("%s has tables of several builds: %s", name, strings.Join(builds, ", ")))
		}
		if slices.Contains(builds, "devel") {
			complaints = append(complaints, name+" has tables of a build that did not record its commit")
		}
		return nil
	})
	if err != nil {
		complaints = append(complaints, err.Error())
	}
	return complaints
}

// commits are those that a text names, and those that it calls before. A longer name of one is that one.
func commits(text string) (own, before []string) {
	for _, match := range commitWord.FindAllStringSubmatch(text, -1) {
		list, name := &own, match[3]
		if match[1] != "" {
			list = &before
		}
		if match[2] == "" && (!strings.ContainsAny(name, "0123456789") || !strings.ContainsAny(name, "abcdef")) {
			continue // a word, or a number
		}
		same := func(other string) bool { return strings.HasPrefix(name, other) || strings.HasPrefix(other, name) }
		if !slices.ContainsFunc(*list, same) {
			*list = append(*list, name)
		}
	}
	return own, before
}

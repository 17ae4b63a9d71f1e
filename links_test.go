package fubini_test

import (
	"fmt"
	"go/parser"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// What a comment or a page cites must be there: the anchors of docs/maths.md above all, so that a reader can go from
// a line of code to the derivation of its formula.

func TestCitationsExist(t *testing.T) {
	report(t, checkCitations(os.DirFS(".")))
}

func TestLinksExist(t *testing.T) {
	report(t, checkLinks(os.DirFS(".")))
}

// A citation is a page with an anchor, or a page under docs, written from the root of the repository.
var citation = regexp.MustCompile(`([\w./-]+\.md)#([\w-]+)|\b(docs/[\w./-]+\.md)\b`)

// checkCitations looks up every page and anchor that a Go comment cites, in tests and in nested modules too.
func checkCitations(tree fs.FS) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	pages := pages{tree: tree}
	err := walk(tree, false, func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		file, err := parse(tree, name, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			complain("%v", err)
			return nil
		}
		for _, group := range file.Comments {
			for _, comment := range group.List {
				for _, match := range citation.FindAllStringSubmatch(comment.Text, -1) {
					if fault := pages.missing(match[1]+match[3], match[2]); fault != "" {
						complain("%s cites %s: %s", name, match[0], fault)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		complain("%v", err)
	}
	return complaints
}

var (
	codeSpan    = regexp.MustCompile("(`+)[^`].*?(`+)")
	inlineLink  = regexp.MustCompile(`\]\(\s*<?([^)\s>]*)>?(?:\s+"[^"]*")?\s*\)`)
	linkTarget  = regexp.MustCompile(`^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)`)
	htmlTarget  = regexp.MustCompile(`\b(?:href|src)="([^"]*)"`)
	otherScheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:`)
)

// checkLinks follows every relative link of every Markdown page, to its anchor where it has one.
func checkLinks(tree fs.FS) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	pages := pages{tree: tree}
	err := walk(tree, false, func(name string) error {
		if path.Ext(name) != ".md" {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		pages.load(name)
		for _, id := range pages.twice[name] {
			complain("%s sets the anchor %s twice", name, id)
		}
		for number, line := range prose(string(text)) {
			line = codeSpan.ReplaceAllString(line, "")
			for _, form := range []*regexp.Regexp{inlineLink, linkTarget, htmlTarget} {
				for _, match := range form.FindAllStringSubmatch(line, -1) {
					target := match[1]
					if otherScheme.MatchString(target) {
						continue
					}
					if fault := pages.follow(name, target); fault != "" {
						complain("%s:%d links to %q: %s", name, number, target, fault)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		complain("%v", err)
	}
	return complaints
}

// pages remembers the anchors of the Markdown pages it was asked about.
type pages struct {
	tree    fs.FS
	anchors map[string]map[string]bool
	twice   map[string][]string
}

// follow says what is wrong with a link from a page, or "".
func (p *pages) follow(from, target string) string {
	file, anchor, _ := strings.Cut(target, "#")
	file, err := url.PathUnescape(file)
	if err != nil {
		return err.Error()
	}
	if file == "" && anchor == "" {
		return "it is empty"
	}
	if path.IsAbs(file) {
		return "it is not relative to the page"
	}
	to := from
	if file != "" {
		to = path.Join(path.Dir(from), file)
	}
	return p.missing(to, anchor)
}

// missing says what is wrong with a file of the tree and an anchor in it, or "". An empty anchor stands for the file.
func (p *pages) missing(name, anchor string) string {
	if !fs.ValidPath(name) {
		return "it points outside the repository"
	}
	if _, err := fs.Stat(p.tree, name); err != nil {
		return "there is no such file"
	}
	if anchor == "" {
		return ""
	}
	if path.Ext(name) != ".md" {
		return "anchors are looked up in Markdown pages only"
	}
	if err := p.load(name); err != nil {
		return err.Error()
	}
	if !p.anchors[name][anchor] {
		return "there is no such anchor"
	}
	return ""
}

var (
	heading  = regexp.MustCompile(`^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$`)
	explicit = regexp.MustCompile(`<a\s+id="([^"]+)"`)
	markup   = regexp.MustCompile(`<[^>]*>|\[([^\]]*)\]\([^)]*\)`)
	notSlug  = regexp.MustCompile(`[^\p{L}\p{N}\p{M}_\- ]`)
)

// load finds the anchors of a page: `<a id="..."></a>`, and headings under the name a browser gives them.
func (p *pages) load(name string) error {
	if p.anchors[name] != nil {
		return nil
	}
	text, err := fs.ReadFile(p.tree, name)
	if err != nil {
		return err
	}
	if p.anchors == nil {
		p.anchors, p.twice = map[string]map[string]bool{}, map[string][]string{}
	}
	ids := map[string]bool{}
	p.anchors[name] = ids
	slugs := map[string]int{}
	set := map[string]bool{}
	for _, line := range prose(string(text)) {
		for _, match := range explicit.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), -1) {
			if set[match[1]] {
				p.twice[name] = append(p.twice[name], match[1])
			}
			ids[match[1]], set[match[1]] = true, true
		}
		if match := heading.FindStringSubmatch(line); match != nil {
			title := strings.ToLower(markup.ReplaceAllString(match[1], "$1"))
			slug := strings.ReplaceAll(notSlug.ReplaceAllString(strings.TrimSpace(title), ""), " ", "-")
			if n := slugs[slug]; n > 0 {
				ids[fmt.Sprintf("%s-%d", slug, n)] = true // the second heading of that name
			}
			ids[slug] = true
			slugs[slug]++
		}
	}
	return nil
}

// prose yields the numbered lines of a page that stand outside fenced code.
func prose(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		fence := ""
		for i, line := range strings.Split(text, "\n") {
			trimmed := strings.TrimSpace(line)
			switch {
			case fence != "":
				if strings.HasPrefix(trimmed, fence) {
					fence = ""
				}
			case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
				fence = trimmed[:3]
			case !yield(i+1, line):
				return
			}
		}
	}
}

// The broken twins: each check must see the faults it is there for, and none in a sound tree.

func TestCitationsCanFail(t *testing.T) {
	page := "# The maths\n\n<a id=\"split-proposal\"></a>\n## Split & merge, in `code`\n\n```\n<a id=\"in-code\"></a>\n```\n## Twice\n## Twice\n"
	for comment, want := range map[string]string{
		"docs/maths.md#split-proposal; more":              "",
		"docs/maths.md#split--merge-in-code.":             "",
		"docs/maths.md#twice-1":                           "",
		"docs/maths.md, and docs/maths.md#the-maths":      "",
		"docs/*.md and notes.md are not citations":        "",
		"docs/maths.md#split-proposals":                   "no such anchor",
		"docs/maths.md#in-code":                           "no such anchor",
		"docs/maths.md#twice-2":                           "no such anchor",
		"docs/math.md#split-proposal":                     "no such file",
		"docs/math.md":                                    "no such file",
		"maths.md#split-proposal":                         "no such file",
		"../docs/maths.md#split-proposal":                 "outside the repository",
		"docs/maths.md#the-maths, docs/maths.md#nonsense": "docs/maths.md#nonsense",
	} {
		for _, name := range []string{"core/low/low.go", "core/low/low_test.go", "tools/lint/main.go"} {
			tree := files("docs/maths.md", page, "tools/go.mod", "module x", name, "package p\n\n// f is derived in "+comment+"\nfunc f() {}\n")
			complaints := checkCitations(tree)
			if want == "" {
				report(t, complaints)
			} else {
				expectOne(t, name+" citing "+comment, complaints, want)
			}
		}
	}
	if complaints := checkCitations(files("a.go", "package a; var s = \"docs/maths.md#nowhere\"")); len(complaints) > 0 {
		t.Errorf("a string is not a comment: %q", complaints)
	}
}

func TestLinksCanFail(t *testing.T) {
	for text, want := range map[string]string{
		"[a](docs/a.md), [b](docs/a.md#here) and [c](docs)":  "",
		"[a](https://example.org/docs/b.md) <mailto:a@b.c>":  "",
		"![p](docs/p%20q.svg \"title\") [me](#top)\n\n# Top": "",
		"`[a](nowhere.md)`\n\n```\n[a](nowhere.md)\n```":     "",
		"[a](docs/b.md)":                         "no such file",
		"a [a](docs/a.md) and [b](docs/b.md)":    "docs/b.md",
		"`code` [a](nowhere.md) `code`":          "no such file",
		"```\ncode\n```\n[a](nowhere.md)":        "README.md:4",
		"![p](docs/q.svg \"title\")":             "no such file",
		"[a][1]\n\n[1]: docs/b.md":               "no such file",
		"<img src=\"docs/q.svg\">":               "no such file",
		"[a](docs/a.md#there)":                   "no such anchor",
		"[a](#there)":                            "no such anchor",
		"[a](../other/README.md)":                "outside the repository",
		"[a](/docs/a.md)":                        "not relative",
		"[a]()":                                  "it is empty",
		"<a id=\"x\"></a> and\n<a id=\"x\"></a>": "sets the anchor x twice",
	} {
		tree := files("docs/a.md", "# Here\n[up](../README.md)\n", "docs/p q.svg", "", "README.md", text)
		complaints := checkLinks(tree)
		if want == "" {
			report(t, complaints)
		} else {
			expectOne(t, text, complaints, want)
		}
	}
}

package manual_test

import (
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"fubini/app/manual"
	"fubini/docs"
)

var (
	link   = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchor = regexp.MustCompile(`(?:id|name)="([^"]*)"`)
)

// Every document becomes a page, every link of a page leads somewhere within the site, and nothing is asked of other hosts.
func TestSite(t *testing.T) {
	site, err := manual.New(docs.Files)
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]bool{}
	for name, text := range site {
		for _, m := range anchor.FindAllSubmatch(text, -1) {
			anchors[name+"#"+string(m[1])] = true
		}
	}
	index := string(site["index.html"])
	err = fs.WalkDir(docs.Files, ".", func(name string, d fs.DirEntry, err error) error {
		page := strings.TrimSuffix(name, ".md") + ".html"
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		text := string(site[page])
		if text == "" {
			t.Errorf("%s has no page", name)
		}
		if !strings.HasPrefix(name, "decisions/") && name != "index.md" && !strings.Contains(index, `href="`+page+`"`) {
			t.Errorf("index.md does not list %s", name)
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, where, _ := strings.Cut(m[1], "#")
			if strings.HasPrefix(target, "http") {
				if strings.Contains(m[0], "src=") {
					t.Errorf("%s loads %s", page, target)
				}
				continue
			}
			if target == "" {
				target = page
			} else {
				target = path.Join(path.Dir(page), target)
			}
			if site[target] == nil {
				t.Errorf("%s: no page for the link %s", page, m[1])
			} else if where != "" && !anchors[target+"#"+where] {
				t.Errorf("%s: no place for the link %s", page, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for name, text := range site {
		for _, m := range link.FindAllSubmatch(text, -1) {
			shown[path.Join(path.Dir(name), string(m[1]))] = true
		}
	}
	for name := range site {
		if strings.HasPrefix(name, "pictures/") && !shown[name] {
			t.Errorf("the program carries %s, which no page shows", name)
		}
	}
	if maths := string(site["maths.html"]); strings.Count(maths, "<math") < 300 || strings.Contains(maths, "$") {
		t.Errorf("the maths has %d formulas, and dollars that are none", strings.Count(maths, "<math"))
	}
	var entries []struct{ Page, Heading, Path, Text string }
	if err := json.Unmarshal(site["search.json"], &entries); err != nil || len(entries) < 200 {
		t.Fatalf("%d entries to search, %v", len(entries), err)
	}
	for _, e := range entries {
		if !anchors[e.Path] {
			t.Errorf("the search leads to %s, which is nowhere", e.Path)
		}
	}
}

// A page with sections has contents: the sections, and those inside them where there are fewer than three.
func TestContents(t *testing.T) {
	for text, want := range map[string]string{
		"## A\n":                          "",
		"## A\n\n## B\n":                  "a b",
		"## A\n\n### B\n":                 "a b",
		"## A\n\n### B\n\n## C\n":         "a b c",
		"## A\n\n### B\n\n## C\n\n## D\n": "a c d",
	} {
		site, err := manual.New(fstest.MapFS{"index.md": {Data: []byte("# Home\n\n" + text)}})
		if err != nil {
			t.Fatal(err)
		}
		_, contents, _ := strings.Cut(string(site["index.html"]), `<details id="here">`)
		contents, _, _ = strings.Cut(contents, "</details>")
		var got []string
		for _, m := range link.FindAllStringSubmatch(contents, -1) {
			got = append(got, strings.TrimPrefix(m[1], "#"))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: contents %q, want %q", text, got, want)
		}
	}
}

func TestPages(t *testing.T) {
	site, err := manual.New(fstest.MapFS{
		"index.md":     {Data: []byte("# Home\n\n## Guides\n\n- [One](sub/one.md)\n")},
		"sub/one.md":   {Data: []byte("# One\n\nA square $x_1^2$, [home](../index.md), [code](../../main.go), <b>html</b>.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```math\n\\sum_i u_i\n```\n")},
		"pictures/a.x": {Data: []byte("x")},
	})
	if err != nil {
		t.Fatal(err)
	}
	one := string(site["sub/one.html"])
	for _, want := range []string{`<title>One · fubini</title>`, `href="../manual.css"`, `href="../sub/one.html" aria-current="page"`, `<a href="../index.html">home</a>, code,`, "<msubsup><mi>x</mi>", `<math display="block">`, "<td>1</td>"} {
		if !strings.Contains(one, want) {
			t.Errorf("no %s in\n%s", want, one)
		}
	}
	if strings.Contains(one, "On this page") {
		t.Errorf("contents of a page without sections:\n%s", one)
	}
	for name, files := range map[string]fstest.MapFS{
		"no index":          {"a.md": {Data: []byte("# A\n")}},
		"a formula unknown": {"index.md": {Data: []byte("# A\n\n$\\nonsense$\n")}},
	} {
		if _, err := manual.New(files); err == nil {
			t.Errorf("%s: a site", name)
		}
	}
}

package web_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"fubini/app/web"
)

// The committed build says which sources it was made from; these are they.
// tools/pagebuild's test makes the build again and compares every byte.
func TestBuildComesFromTheSources(t *testing.T) {
	var lines []string
	err := fs.WalkDir(os.DirFS("src"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path.Join("src", name))
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(text), path.Join("src", name)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[66:], b[66:]) })
	committed, err := fs.ReadFile(web.Files(), "sources.sha256")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(lines, "") != string(committed) {
		t.Error("the build is older than the sources: run `go run -C tools ./pagebuild`")
	}
}

// A source imports nothing that imports it in turn, not even a type: each can be read after those it names.
func TestSourcesImportNoCircle(t *testing.T) {
	from := regexp.MustCompile(`(?m)^(?:import|export)\b[^;]*? from "(\.[^"]+)";`)
	imports := map[string][]string{}
	err := fs.WalkDir(os.DirFS("src"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(path.Ext(name), ".ts") {
			return err
		}
		text, err := os.ReadFile(path.Join("src", name))
		for _, found := range from.FindAllStringSubmatch(string(text), -1) {
			imports[name] = append(imports[name], path.Join(path.Dir(name), found[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(imports) < 50 {
		t.Fatalf("%d sources with imports were found, want 50 or more", len(imports))
	}
	done := map[string]bool{}
	var follow func(name string, trail []string)
	follow = func(name string, trail []string) {
		if at := slices.Index(trail, name); at >= 0 {
			t.Errorf("a circle: %s", strings.Join(append(trail[at:], name), " imports "))
			return
		}
		if done[name] {
			return
		}
		for _, next := range imports[name] {
			for _, end := range []string{".ts", ".tsx"} {
				follow(next+end, append(slices.Clone(trail), name))
			}
		}
		done[name] = true
	}
	for name := range imports {
		follow(name, nil)
	}
}

// What a browser fetches to show each page, compressed: in English, as gzip; and in any language of the Latin script, as Brotli,
// which browsers take over HTTPS and from their own machine.
func TestPageIsSmall(t *testing.T) {
	for _, files := range [][]string{{"index.html", "app.js", "app.css"}, {"votes.html", "votes.js", "votes.css"}} {
		t.Run(files[0], func(t *testing.T) { small(t, files) })
	}
}

func small(t *testing.T, files []string) {
	const most = 150_000
	plain, all := 0, 0
	read := func(pattern string) []byte {
		names, err := fs.Glob(web.Files(), pattern)
		if err != nil || len(names) != 1 {
			t.Fatalf("%s names %q, want one file: %v", pattern, names, err)
		}
		text, err := fs.ReadFile(web.Files(), names[0])
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, pattern := range append(files, "theme.js", "icon.svg") {
		text := read(pattern)
		var zipped, packed bytes.Buffer
		for _, w := range []io.WriteCloser{gzip.NewWriter(&zipped), brotli.NewWriterLevel(&packed, brotli.BestCompression)} {
			_, _ = w.Write(text)
			_ = w.Close()
		}
		plain, all = plain+zipped.Len(), all+packed.Len()
	}
	english, others := len(read("inter-latin-????????.woff2")), len(read("inter-latin-ext-????????.woff2"))
	t.Logf("English: %d bytes as gzip, %d as Brotli; with letters beyond those of English %d and %d", plain+english, all+english, plain+english+others, all+english+others)
	if plain += english; plain > most {
		t.Errorf("in English %d bytes as gzip, want at most %d", plain, most)
	}
	if all += english + others; all > most {
		t.Errorf("with letters beyond those of English %d bytes as Brotli, want at most %d", all, most)
	}
}

// The fonts that the style sheet names are there, the first of them is loaded ahead, and their licence goes with them.
func TestPageCarriesItsFonts(t *testing.T) {
	css, err := fs.ReadFile(web.Files(), "app.css")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`url\("?([^")]*)"?\)`).FindAllSubmatch(css, -1)
	var files []string
	for _, each := range named {
		name := path.Clean(string(each[1]))
		if _, err := fs.Stat(web.Files(), name); err != nil || path.Ext(name) != ".woff2" {
			t.Errorf("app.css fetches %s: %v", each[1], err)
		}
		files = append(files, name)
	}
	if len(files) != 4 {
		t.Errorf("%d fonts, want Latin, its extension, Cyrillic and Greek: %q", len(files), files)
	}
	latin, err := latinFont()
	if err != nil || !slices.Contains(files, latin) {
		t.Errorf("index.html loads %q ahead, which app.css does not name: %v", latin, err)
	}
	licence, err := fs.ReadFile(web.Files(), "inter-licence.txt")
	if err != nil || !strings.Contains(string(licence), "The Inter Project Authors") || !strings.Contains(string(licence), "SIL OPEN FONT LICENSE Version 1.1") {
		t.Errorf("the font goes without its licence: %v", err)
	}
}

// Nothing in the page names another host, an inline script or a style attribute.
func TestPageNamesNoOtherHost(t *testing.T) {
	for _, name := range []string{"index.html", "votes.html"} {
		html, err := fs.ReadFile(web.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"http://", "https://", "style=", "onload=", "<style"} {
			if strings.Contains(string(html), bad) {
				t.Errorf("%s contains %q", name, bad)
			}
		}
	}
}

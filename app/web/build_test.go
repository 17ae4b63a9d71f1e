package web_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

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

// What a browser fetches to show the page, compressed.
func TestPageIsSmall(t *testing.T) {
	const most = 150_000
	total := 0
	for _, name := range []string{"index.html", "app.js", "app.css", "theme.js", "icon.svg"} {
		text, err := fs.ReadFile(web.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(text)
		_ = w.Close()
		total += packed.Len()
	}
	t.Logf("%d bytes compressed", total)
	if total > most {
		t.Errorf("%d bytes compressed, want at most %d", total, most)
	}
}

// Nothing in the page names another host, an inline script or a style attribute.
func TestPageNamesNoOtherHost(t *testing.T) {
	html, err := fs.ReadFile(web.Files(), "index.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"http://", "https://", "style=", "onload=", "<style"} {
		if strings.Contains(string(html), bad) {
			t.Errorf("index.html contains %q", bad)
		}
	}
	css, err := fs.ReadFile(web.Files(), "app.css")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(css), "url(") {
		t.Error("app.css fetches something")
	}
}

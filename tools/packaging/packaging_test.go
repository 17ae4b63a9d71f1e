package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func testSource() *source {
	return &source{root: "../..", version: "v1.2.0", commit: strings.Repeat("a", 40), time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

// The wheel has the program, runnable, and a RECORD with the right checksum of every file but itself; two are the same bytes.
func TestWheel(t *testing.T) {
	s := testSource()
	for p := range tags {
		name, content, err := s.wheel(p, []byte("program"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(name, "fubini-1.2.0-py3-none-") {
			t.Errorf("name %s", name)
		}
		_, again, err := s.wheel(p, []byte("program"))
		if err != nil || !bytes.Equal(content, again) {
			t.Errorf("%s: two wheels differ (%v)", p, err)
		}
		r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{}
		for _, f := range r.File {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if files[f.Name], err = io.ReadAll(in); err != nil {
				t.Fatal(err)
			}
			if runnable := f.Mode()&0o100 != 0; runnable != strings.HasPrefix(f.Name, "fubini/bin/") {
				t.Errorf("%s: %s has mode %v", p, f.Name, f.Mode())
			}
		}
		for _, want := range []string{"fubini/__init__.py", "fubini/py.typed", "fubini-1.2.0.dist-info/THIRD-PARTY", "fubini/bin/" + p.program(), "fubini-1.2.0.dist-info/METADATA"} {
			if files[want] == nil {
				t.Errorf("%s: the wheel has no %s", p, want)
			}
		}
		record := strings.Split(strings.TrimSpace(string(files["fubini-1.2.0.dist-info/RECORD"])), "\n")
		if len(record) != len(files) {
			t.Errorf("%s: RECORD has %d lines for %d files", p, len(record), len(files))
		}
		for _, line := range record {
			part := strings.Split(line, ",")
			sum := sha256.Sum256(files[part[0]])
			if want := "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]); part[1] != want && part[0] != "fubini-1.2.0.dist-info/RECORD" {
				t.Errorf("%s: %s has the checksum %s, want %s", p, part[0], part[1], want)
			}
		}
	}
}

func TestChoosePlatforms(t *testing.T) {
	if all, err := choosePlatforms(nil); err != nil || len(all) != 6 {
		t.Errorf("without names: %v, %v", all, err)
	}
	if some, err := choosePlatforms([]string{"darwin-arm64", "linux-amd64"}); err != nil || len(some) != 2 || some[0] != (platform{"linux", "amd64"}) {
		t.Errorf("two names: %v, %v", some, err)
	}
	if _, err := choosePlatforms([]string{"plan9-amd64"}); err == nil {
		t.Error("a platform that is none is accepted")
	}
}

func TestVersions(t *testing.T) {
	for text, want := range map[string]bool{"v1.2.0": true, "v0.1.0-rc.1": true, "1.2.0": false, "v1.2": false, "v1.02.0": false, "v1.2.0 x": false, "v1.2.0/..": false, "": false} {
		if got := validVersion(text); got != want {
			t.Errorf("%q valid: %v", text, got)
		}
	}
	for version, want := range map[string]string{"v1.2.0": "1.2.0", "v1.3.0-rc.1": "1.3.0rc1", "v1.3.0-beta.2": "1.3.0b2", "v1.3.0-odd": "1.3.0.dev0", "": "0.0.0"} {
		if got := pythonVersion(version); got != want {
			t.Errorf("%s is %s for Python, want %s", version, got, want)
		}
	}
}

// Every blob of the image is called by its checksum, and what the index and the manifests name is there.
func TestImage(t *testing.T) {
	if _, err := os.Stat("/etc/ssl/certs/ca-certificates.crt"); err != nil {
		t.Skip("no root certificates on this machine")
	}
	s := testSource()
	programs := map[platform][]byte{}
	for _, p := range platforms {
		programs[p] = []byte(p.String())
	}
	content, err := s.image(platforms, programs)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.image(platforms, programs); err != nil || !bytes.Equal(content, again) {
		t.Errorf("two images differ (%v)", err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(content)); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if digest, found := strings.CutPrefix(h.Name, "blobs/sha256/"); found && digest != fmt.Sprintf("%x", sha256.Sum256(files[h.Name])) {
			t.Errorf("%s has another checksum", h.Name)
		}
	}
	type listed struct{ Manifests, Layers []blob }
	read := func(name string) (l listed) {
		if err := json.Unmarshal(files[name], &l); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return l
	}
	at := func(b blob) string { return "blobs/sha256/" + strings.TrimPrefix(b.Digest, "sha256:") }
	index := read(at(read("index.json").Manifests[0]))
	if len(index.Manifests) != 2 {
		t.Fatalf("%d manifests, want those of two processors", len(index.Manifests))
	}
	for _, m := range index.Manifests {
		layers := read(at(m)).Layers
		if len(layers) != 1 || len(files[at(layers[0])]) != layers[0].Size {
			t.Errorf("%s: layers %v", m.Platform, layers)
		}
	}
}

// The changes of a version end where the next version begins.
func TestSection(t *testing.T) {
	text := "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.0.0] - 2026-01-01\n\n- first\n\n## [0.9.0]\n\n- old\n"
	for version, want := range map[string]string{"1.0.0": "- first\n", "0.9.0": "- old\n", "2.0.0": "- new\n"} {
		if got, err := section(text, version); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", version, got, err)
		}
	}
	if _, err := section("# Changelog\n", "1.0.0"); err == nil {
		t.Error("no section is no error")
	}
}

// The licences of a part stand in the list at the head of the notices, and nowhere in the texts below it.
func TestLicencesOf(t *testing.T) {
	const notices = "Third-party\n\na.org/x v1.0.0: MIT\na.org/x/v2 v2.0.0: Apache-2.0, MIT\n\n---\nb.org/y v1.0.0: MIT\n"
	for part, want := range map[string]string{"a.org/x v1.0.0": "[MIT]", "a.org/x/v2 v2.0.0": "[Apache-2.0 MIT]", "a.org/x v1.0.1": "[]", "b.org/y v1.0.0": "[]"} {
		if got := fmt.Sprint(licencesOf(notices, part)); got != want {
			t.Errorf("%s: %s, want %s", part, got, want)
		}
	}
}

// A manual page has the headings of the help as sections, the usage first, and lines that roff would take for its own are escaped.
func TestPage(t *testing.T) {
	got := string(page("fubini-fit", "Worths with errors", testSource(), "More words.\n\n.dot -x\n\nUsage:\n  fubini fit LISTS\n\nFlags:\n  -n  a\n\nLast words.\n"))
	want := `.TH "FUBINI-FIT" 1 "2026-01-02" "fubini v1.2.0" "fubini"
.nh
.ad l
.SH NAME
fubini\-fit \- Worths with errors
.SH SYNOPSIS
.nf
.in 0
  fubini fit LISTS
.in
.fi
.SH DESCRIPTION
More words.
.PP
\&.dot \-x
.SH OPTIONS
.nf
.in 0
  \-n  a
.in
.fi
.PP
Last words.
.SH SEE ALSO
.BR fubini (1)
`
	if got != want {
		t.Errorf("the page is\n%s\nwant\n%s", got, want)
	}
}

// Every command of a list has a page, that of the longest name too, which stands a single space before its summary.
func TestManual(t *testing.T) {
	help := map[string]string{
		"--help":             "All.\n\nCommands:\n  data        Look\n  reconstruct Rebuild it\n\nExample:\n  fubini demo\n",
		"data --help":        "Look.\n\nCommands:\n  info  Show\n",
		"data info --help":   "Show.\n",
		"reconstruct --help": "Rebuild.\n",
	}
	pages, err := manual(testSource(), func(args ...string) ([]byte, error) { return []byte(help[strings.Join(args, " ")]), nil })
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range pages {
		names = append(names, p.name)
	}
	if got := strings.Join(names, " "); got != "man/fubini.1 man/fubini-data.1 man/fubini-data-info.1 man/fubini-reconstruct.1" {
		t.Errorf("pages: %s", got)
	}
	if !strings.Contains(string(pages[3].content), "reconstruct \\- Rebuild it\n") {
		t.Errorf("the page has another summary:\n%s", pages[3].content)
	}
}

// An archive of the sources carries the commit that it was made from, for builds without version control.
func TestArchiveCarriesTheCommit(t *testing.T) {
	s := &source{root: "../.."}
	commit, err := s.output(t.Context(), "git", "rev-parse", "HEAD")
	if err != nil {
		t.Skip("no git checkout")
	}
	content, err := s.output(t.Context(), "git", "archive", "HEAD", "app/build/commit.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(strings.NewReader(content))
	for {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if h.Name != "app/build/commit.txt" {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil || strings.TrimSpace(string(text)) != commit {
			t.Errorf("the archive names the commit %q (%v), want %s", text, err, commit)
		}
		return
	}
}

// Small programs for every platform pass the look at their headers, each for its own platform alone.
func TestHeaders(t *testing.T) {
	folder := t.TempDir()
	source := filepath.Join(folder, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for k, p := range platforms {
		if k > 1 && os.Getenv("FUBINI_LONG") == "" {
			break // each compiles the runtime for another platform
		}
		file := filepath.Join(folder, p.String())
		cmd := exec.Command("go", "build", "-o", file, source)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		program, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range platforms {
			if err := checkHeader(other, bytes.NewReader(program)); (err == nil) != (other == p) {
				t.Errorf("a program for %s as one for %s: %v", p, other, err)
			}
		}
		if err := testSource().checkProgram(p, program); err == nil {
			t.Errorf("%s: a program without the commit passes", p)
		}
	}
}

package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The commands of the how-to pages run as those of the tutorials do, each page in an empty folder.
func TestHowTos(t *testing.T) {
	skipIfShort(t)
	none := func(*testing.T) func(*testscript.Env) error { return nil }
	for name, prepare := range map[string]func(t *testing.T) func(*testscript.Env) error{
		"exports": none, "new-users": none, "features": none, "proxy": none, "own-model": withSource, "python": withPython,
		"flink": func(t *testing.T) func(*testscript.Env) error {
			if os.Getenv("FUBINI_LONG") == "" {
				t.Skip("long: run ./test --long")
			}
			return withSource(t)
		},
	} {
		t.Run(name, func(t *testing.T) { follow(t, filepath.Join("howto", name+".md"), "", "", prepare(t)) })
	}
	pages, err := filepath.Glob("../../docs/howto/*.md")
	if err != nil || len(pages) != 7 {
		t.Errorf("%d pages, %v: one that is not in the list above does not run", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(strings.Fields(block.ReplaceAllString(string(text), ""))); n > 600 {
			t.Errorf("%s has %d words, more than 600", page, n)
		}
	}
}

// withSource gives a page the repository and Go's caches.
func withSource(t *testing.T) func(*testscript.Env) error {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOFLAGS"}
	settings, err := exec.CommandContext(t.Context(), "go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(string(settings), "\n")
	return func(env *testscript.Env) error {
		for k, name := range names {
			env.Setenv(name, values[k])
		}
		env.Setenv("FUBINI_SOURCE", root)
		env.Setenv("HOME", env.WorkDir)
		return nil
	}
}

// withPython gives a page a Python that has NumPy and pandas, as python3, and the package of the repository.
func withPython(t *testing.T) func(*testscript.Env) error {
	python := cmp.Or(os.Getenv("FUBINI_PYTHON"), "python3")
	if err := exec.CommandContext(t.Context(), python, "-c", "import numpy, pandas").Run(); err != nil {
		t.Skip("FUBINI_PYTHON names no Python with NumPy and pandas, and python3 is none")
	}
	path, err := exec.LookPath(python)
	if err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("../../python")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "python3"), []byte("#!/bin/sh\nexec "+path+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return func(env *testscript.Env) error {
		env.Setenv("PYTHONPATH", source)
		env.Setenv("PATH", folder+string(os.PathListSeparator)+env.Getenv("PATH"))
		return nil
	}
}

// The model of the page is that of the example, which has tests of its own.
func TestOwnModelIsTheExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/howto/own-model.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../../examples/ownmodel/main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(example), "package main\n")
	if !strings.Contains(string(page), "```go main.go\npackage main\n"+code+"```\n") {
		t.Error("docs/howto/own-model.md has another program than examples/ownmodel/main.go")
	}
}

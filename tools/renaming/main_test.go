package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestRename(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module fubini\n\ngo 1.26.0\n")
	put("tools/go.mod", "module fubini/tools\n\ngo 1.26.0\n\nrequire (\n\tfubini v0.0.0\n\texample.org/x v1.0.0\n)\n\nreplace fubini => ../\n")
	put("a.go", "package fubini\n\nimport (\n\t\"fmt\"\n\n\tother \"fubini/core/vec\"\n\t\"fubinista\"\n)\n\nvar text = \"fubini/core/vec\" + fmt.Sprint(other.X, fubinista.X)\n")
	put("arch_test.go", "package fubini_test\n\nconst module = \"fubini\"\n")
	put("testdata/x.go", "package x\n\nimport \"fubini\"\n")
	changed, err := rename(root, "example.org/you/fubini")
	if err != nil || changed != 4 {
		t.Fatalf("%d files, %v", changed, err)
	}
	for name, want := range map[string]string{
		"go.mod":        "module example.org/you/fubini\n",
		"tools/go.mod":  "replace example.org/you/fubini => ../",
		"a.go":          "\tother \"example.org/you/fubini/core/vec\"\n\t\"fubinista\"\n)\n\nvar text = \"fubini/core/vec\"",
		"arch_test.go":  `const module = "example.org/you/fubini"`,
		"testdata/x.go": `import "fubini"`,
	} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %q (%v):\n%s", name, want, err, text)
		}
	}
	if tools, _ := os.ReadFile(filepath.Join(root, "tools/go.mod")); !strings.Contains(string(tools), "example.org/you/fubini v0.0.0") || strings.Contains(string(tools), "\tfubini ") {
		t.Errorf("tools/go.mod:\n%s", tools)
	}
	for _, path := range []string{"fubini", "no host", "example.org/you/fubini", ""} {
		if _, err := rename(root, path); err == nil {
			t.Errorf("%q is taken for a new path", path)
		}
	}
}

// After a move of the whole repository all its modules compile, tests included; the tests that read the module's path pass, once the record of
// the library's API is written anew.
func TestRenameTheRepository(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("long: run ./test --long")
	}
	clone := filepath.Join(t.TempDir(), "fubini")
	run := func(folder, name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOWORK=off")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v in %s: %v\n%s", name, args, folder, err, text)
		}
	}
	run(".", "git", "clone", "--quiet", "../..", clone)
	run(clone, filepath.Join(clone, "tools", "rename"), "example.org/you/fubini")
	for _, module := range []string{".", "beam", "tools"} {
		run(filepath.Join(clone, module), "go", "vet", "./...")
	}
	run(clone, "go", "test", ".", "-run", "TestAPI", "-update")
	run(clone, "go", "test", ".", "-run", "TestAPI|TestImports|TestReadingOrder|TestExamplesAreShort|TestTutorial")
	run(clone, "go", "test", "./paper/cells", "./app/build", "./cmd/fubini/program")
}

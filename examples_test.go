package fubini_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The programs stay short, with one or two packages of this module each: that is what the front door is for.
func TestExamplesAreShort(t *testing.T) {
	for name, most := range map[string]struct {
		lines int // of the whole file
		code  int // without comments, blank lines and imports
	}{
		"osm":      {20, 20},
		"foldin":   {25, 25},
		"judge":    {50, 50},
		"top10":    {20, 8},
		"handler":  {50, 30},
		"ownmodel": {70, 60},
	} {
		path := filepath.Join("examples", name, "main.go")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		own := 0
		for _, spec := range file.Imports {
			if _, ours := cutModule(strings.Trim(spec.Path.Value, `"`)); ours {
				own++
			}
		}
		if lines, code := countLines(string(text)); own < 1 || own > 2 || lines > most.lines || code > most.code {
			t.Errorf("%s: %d lines, of which %d are code, and %d packages of the module; at most %d, %d and 2", path, lines, code, own, most.lines, most.code)
		}
	}
}

// Every exported function and method of the library has an example, which runs as a test and stands on the page of the package.
func TestEveryFunctionHasAnExample(t *testing.T) {
	if missing := withoutExample(os.DirFS(".")); len(missing) > 0 {
		t.Errorf("no example of %v", missing)
	}
	tree := files("a.go", "package a; func New() {}; func Old() {}; func (*t) Run() {}; func (T) Run() {}; func own() {}", "a_test.go", "package a_test; func ExampleNew() {}\nfunc ExampleOld_two() {}")
	if got := withoutExample(tree); !slices.Equal(got, []string{"T_Run"}) {
		t.Errorf("without an example: %v", got)
	}
}

// withoutExample are the exported functions and methods of the package at the root of a tree, as examples are called, that have none.
func withoutExample(tree fs.FS) (missing []string) {
	wanted, found := map[string]bool{}, map[string]bool{}
	names, _ := fs.Glob(tree, "*.go")
	for _, name := range names {
		file, err := parse(tree, name, parser.SkipObjectResolution)
		if err != nil {
			return []string{err.Error()}
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			of := f.Name.Name
			if strings.HasSuffix(name, "_test.go") {
				if example, is := strings.CutPrefix(of, "Example"); is { // Function, Type_Method, and each with _suffix
					parts := strings.Split(example, "_")
					found[parts[0]], found[strings.Join(parts[:min(2, len(parts))], "_")] = true, true
				}
				continue
			}
			if f.Recv != nil {
				receiver := f.Recv.List[0].Type
				if star, pointer := receiver.(*ast.StarExpr); pointer {
					receiver = star.X
				}
				base, plain := receiver.(*ast.Ident)
				if !plain || !base.IsExported() {
					continue
				}
				of = base.Name + "_" + of
			}
			wanted[of] = f.Name.IsExported()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if wanted[name] && !found[name] {
			missing = append(missing, name)
		}
	}
	return missing
}

// countLines are all lines of a file, and those of code.
func countLines(text string) (lines, code int) {
	imports := false
	for line := range strings.Lines(text) {
		lines++
		line = strings.TrimSpace(line)
		switch {
		case line == "import (":
			imports = true
		case imports:
			imports = line != ")"
		case line != "" && !strings.HasPrefix(line, "//"):
			code++
		}
	}
	return lines, code
}

func TestCountLines(t *testing.T) {
	if lines, code := countLines("// a\npackage main\n\nimport (\n\t\"fmt\"\n)\n\nfunc main() {\n\t// b\n\tfmt.Println()\n}\n"); lines != 11 || code != 4 {
		t.Errorf("%d lines and %d of code, want 11 and 4", lines, code)
	}
}

// The programs run, one after another, each in a folder with the same ratings.
func TestExamplesRun(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("long: run ./test --long")
	}
	folder := t.TempDir()
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", folder+"/", "./examples/osm", "./examples/foldin", "./examples/judge", "./examples/top10")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	ratings := "user,item,rating\n"
	for u := range 80 {
		for k := range 45 {
			film := (7*k + u) % 60
			ratings += fmt.Sprintf("u%d,film %d,%d\n", u, film, 2+2*((film+u)%2)+(film+3*u)%7/6)
		}
	}
	for name, text := range map[string]string{"ratings.csv": ratings, "tiers.json": `[["film 0","film 2"],["film 1"]]`} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args  []string
		lines int
		want  string
	}{
		{[]string{"osm"}, 4, "log Z 6.6563, log P -2.6063"},
		{[]string{"foldin", "ratings.csv", "film 0", "film 1"}, 10, "score"},
		{[]string{"top10", "model.safetensors", "tiers.json"}, 10, "film "},
		{[]string{"judge", "ratings.csv"}, 2, "latent-osm: NDCG@5"},
	} {
		cmd := exec.Command(filepath.Join(folder, c.args[0]), c.args[1:]...)
		cmd.Dir = folder
		text, err := cmd.CombinedOutput()
		if err != nil || strings.Count(string(text), "\n") != c.lines || !strings.Contains(string(text), c.want) {
			t.Errorf("%v: %v, want %d lines with %q:\n%s", c.args, err, c.lines, c.want, text)
		}
	}
}

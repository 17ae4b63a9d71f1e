package fubini_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// These tests hold the repository together: imports point down, the maths stays on the standard library, and only the
// command opens paths. Each check is a function from a file tree to a list of complaints, so that it can be run on the
// repository and on small trees made to break it. The files are parsed here: a test that asked `go list` would be
// answered from the test cache. What comments and pages cite is checked in links_test.go.

const module = "fubini"

// rules is what checkImports needs to know of a tree.
type rules struct {
	// layer says how high a package stands; imports point strictly downwards. Packages on one layer do not
	// import each other. Test files are exempt.
	layer map[string]int
	// thirdPartyFrom is the lowest layer that may import modules from outside.
	thirdPartyFrom int
	// exceptions lists who may import what all the same, and why: modules from outside below that layer, and
	// standard packages that are else the door's.
	exceptions map[string]map[string]string
	// door is the only folder whose packages may open paths and ports, and write logs.
	door string
}

var repository = rules{
	layer: map[string]int{
		"core/cholesky":               1,
		"core/logprob":                0,
		"core/parallel":               0,
		"core/setting":                0,
		"core/vec":                    0,
		"core/rng":                    1,
		"core/partition":              2,
		"data/grade":                  0,
		"data/kinds":                  0,
		"data/lastpage":               0, // only tests import it
		"data/marks":                  0,
		"data/narrow":                 0,
		"data/rowsort":                0,
		"data/archive":                3,
		"data/modelfile":              3,
		"data/numpy":                  3,
		"data/ratings":                3,
		"data/titles":                 3,
		"infer/exact":                 3,
		"infer/mcmc":                  3,
		"data/text":                   4,
		"infer/ais":                   4,
		"infer/stattest":              4,
		"model":                       4,
		"data/survey":                 5,
		"data/tierlist":               5,
		"data/columns":                5,
		"data/codec":                  6,
		"data/codec/codectest":        7, // only tests import it
		"data/codec/preflib":          7,
		"data/catalogue":              5,
		"model/baseline/fitting":      5,
		"model/baseline/planted":      5, // only tests import it
		"model/osm":                   5,
		"model/baseline/bayes":        6,
		"model/baseline/cofirank":     6,
		"model/baseline/counting":     6,
		"model/interest":              6,
		"model/baseline/factor":       6,
		"model/baseline/plpa":         6,
		"model/latent":                6,
		"data/format":                 8,
		"model/latent/planted":        7, // only tests import it
		"judge/metric":                7,
		"model/baseline/picks":        7,
		"model/baseline/plackettluce": 7,
		"data/personal":               9,
		"data/votes":                  9,
		"judge/evaluate":              8,
		"learn/cooccurrence":          8,
		"learn/interest":              9,
		"model/baseline":              8,
		"learn/ascent":                9,
		"learn/ballot":                9,
		"use/rank":                    9,
		"learn/chains":                10,
		"learn/reliability":           10,
		"learn/saturated":             10,
		"learn/slots":                 10,
		"use/board":                   10,
		"use/maps":                    10,
		"use/odds":                    10,
		"use/deal":                    11,
		"learn/ballot/drawn":          11, // only tests import it
		"learn/likelihood":            11,
		"learn/leaderboard":           12,
		"learn/leaderboard/boardtest": 13, // only tests import it
		"learn/registry":              11,
		"learn/modelstore":            12,
		"learn/distributed":           13,
		"learn/tune":                  13,
		"docs":                        0,
		"app/apidoc":                  15,
		"app/manual":                  15,
		"app/manual/mathml":           14,
		"app/build":                   14,
		"app/demo":                    14,
		"app/exit":                    14,
		"app/fill":                    13,
		"app/load":                    14,
		"app/lookup":                  14,
		"app/measure":                 14,
		"app/otlp":                    14,
		"app/picture":                 14,
		"app/recommend":               14,
		"app/static":                  14,
		"app/store":                   14,
		"app/thumb":                   15,
		"app/web":                     14,
		"paper/cells":                 14,
		"paper/cells/planted":         15, // only tests import it
		"paper/chart":                 14,
		".":                           15,
		"app/gate":                    15,
		"app/etag":                    16,
		"app/group":                   16,
		"app/preview":                 15,
		"app/traffic":                 15,
		"app/jobs":                    15,
		"paper":                       15,
		"paper/league":                15,
		"paper/report":                16,
		"app/server":                  17,
		"cmd/fubini/terminal":         16,
		"cmd/fubini/cli":              17,
		"cmd/fubini/fetch":            18,
		"cmd/fubini/input":            18,
		"cmd/fubini/data":             19,
		"cmd/fubini/draw":             19,
		"cmd/fubini/serve":            19,
		"cmd/fubini/models":           20,
		"cmd/fubini/people":           20,
		"cmd/fubini/ranking":          20,
		"cmd/fubini/program":          21,
		"cmd/fubini":                  22,
		"examples/foldin":             21,
		"examples/handler":            21,
		"examples/judge":              21,
		"examples/osm":                21,
		"examples/ownmodel":           22,
		"examples/top10":              21,
		"app/servertest":              23, // above the door: only tests can import it
	},
	thirdPartyFrom: 10,
	exceptions: map[string]map[string]string{
		".": {
			"os": "the library reads and writes the files that its callers name",
		},
		"examples/handler": {
			"log": "a program", "net/http": "its handler", "os": "its arguments",
		},
		"examples/foldin": {
			"os": "its arguments",
		},
		"examples/judge": {
			"os": "its arguments",
		},
		"examples/top10": {
			"os": "its arguments",
		},
		"core/vec": {
			"golang.org/x/sys/cpu": "which instructions this processor has",
		},
		"data/ratings": {
			"golang.org/x/sys/cpu": "which instructions this processor has",
		},
		"data/marks": {
			"golang.org/x/sys/cpu": "which instructions this processor has",
		},
		"data/narrow": {
			"golang.org/x/sys/cpu": "which instructions this processor has",
		},
		"data/rowsort": {
			"golang.org/x/sys/cpu": "which instructions this processor has",
		},
		"infer/stattest": {
			"gonum.org/v1/gonum/mathext": "the incomplete gamma function behind chi-square tail probabilities; used by tests only",
		},
		"data/archive": {
			"github.com/klauspost/compress/zstd": "zstd, which the standard library lacks",
		},
		"data/titles": {
			"golang.org/x/text/unicode/norm": "letters without their accents",
		},
		"data/codec": {
			"github.com/parquet-go/parquet-go": "Parquet is not a format to write by hand",
		},
		"data/columns": {
			"github.com/parquet-go/parquet-go":          "Parquet is not a format to read by hand",
			"github.com/parquet-go/parquet-go/encoding": "the kinds of its lists of values",
			"github.com/parquet-go/parquet-go/format":   "the types in its file metadata",
		},
		"data/codec/codectest": {
			"pgregory.net/rapid": "draws sets of ratings; only tests import it",
		},
		"data/format": {
			"syscall": "maps a file that is open",
		},
		"data/lastpage": {
			"syscall": "ends memory; only tests import it",
		},
		"judge/evaluate": {
			"gonum.org/v1/gonum/stat/distuv": "quantiles of Student's t",
			"gonum.org/v1/gonum/stat":        "mean and standard deviation",
		},
		"learn/ballot": {
			"gonum.org/v1/gonum/stat/distuv": "votes that are drawn apart are binomial",
		},
		"learn/cooccurrence": {
			"gonum.org/v1/gonum/mat": "eigenvectors",
		},
		"learn/interest": {
			"gonum.org/v1/gonum/mat": "eigenvectors",
		},
		"app/store": {
			"os":      "makes the database's file private to its owner before SQLite opens it",
			"net/url": "takes addresses apart; opens nothing",
		},
		"app/exit": {
			"syscall": "the number of a closed pipe",
		},
		"app/servertest": {
			"net/http": "it is a client of tests",
		},
		"app/load": {
			"net/http": "it is a client",
			"net/url":  "takes addresses apart",
		},
		"app/otlp": {
			"net/http": "it is a client",
		},
		"app/apidoc": {
			"net/url": "examples",
		},
		"app/preview": {
			"net/http": "handlers; the port is opened by the door",
		},
		"app/manual": {
			"net/http": "handlers; the port is opened by the door",
		},
		"app/static": {
			"net/http": "handlers; the port is opened by the door",
		},
		"app/etag": {
			"net/http": "status codes and headers",
		},
		"app/thumb": {
			"net/http": "handlers; the port is opened by the door",
		},
		"app/gate": {
			"net/http":  "handlers; the port is opened by the door",
			"net":       "counts connections of a port that the door opened, and takes addresses apart",
			"net/netip": "addresses of clients",
			"net/url":   "reads queries",
			"log/slog":  "writes to the logger that the door made",
		},
		"app/jobs": {
			"log/slog": "writes to the logger that the door made",
		},
		"app/server": {
			"net/http": "handlers; the port is opened by the door",
			"net/url":  "requests of a trial",
			"log/slog": "writes to the logger that the door made",
		},
	},
	door: "cmd/fubini",
}

// outside names the standard packages that reach the machine or write logs, each with its children.
var outside = []string{"os", "net", "log", "syscall", "io/ioutil"}

func TestImports(t *testing.T) {
	report(t, checkImports(os.DirFS("."), repository))
}

// checkSizes names the packages that have become too large to read: more than 25 files or 3,000 lines, tests not counted.
func checkSizes(tree fs.FS) (complaints []string) {
	files, lines := map[string]int{}, map[string]int{}
	err := walk(tree, false, func(name string) error {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		files[path.Dir(name)]++
		lines[path.Dir(name)] += strings.Count(string(text), "\n")
		return err
	})
	if err != nil {
		return []string{err.Error()}
	}
	for pkg, n := range files {
		if n > 25 || lines[pkg] > 3000 {
			complaints = append(complaints, fmt.Sprintf("%s has %d files and %d lines without tests: a second package is hiding inside", pkg, n, lines[pkg]))
		}
	}
	return complaints
}

func TestPackagesAreSmall(t *testing.T) {
	report(t, checkSizes(os.DirFS(".")))
	long := fstest.MapFS{"core/low/low.go": {Data: []byte(strings.Repeat("\n", 3001))}, "core/low/low_test.go": {Data: []byte("\n")}}
	many := fstest.MapFS{}
	for k := range 26 {
		many[fmt.Sprintf("core/low/%c.go", 'a'+k)] = &fstest.MapFile{Data: []byte("\n")}
	}
	if len(checkSizes(long)) != 1 || len(checkSizes(many)) != 1 {
		t.Error("a package that is too large is not seen")
	}
}

func TestMapListsEveryPackage(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range repository.layer {
		if pkg == "." {
			pkg = "fubini" // whatever its path is
		}
		if !strings.Contains(string(text), "//   - "+pkg+": ") {
			t.Errorf("the map in doc.go does not have %s", pkg)
		}
	}
}

func report(t *testing.T, complaints []string) {
	t.Helper()
	for _, complaint := range complaints {
		t.Error(complaint)
	}
}

// checkImports holds every package of the root module against the rules.
func checkImports(tree fs.FS, r rules) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	found := map[string]bool{}           // packages
	used := map[string]map[string]bool{} // exceptions that were needed
	err := walk(tree, true, func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		pkg := path.Dir(name)
		height, known := r.layer[pkg]
		if !found[pkg] && !known {
			complain("%s has no layer: add it to the map in arch_test.go and to doc.go", pkg)
		}
		found[pkg] = true
		if strings.HasSuffix(name, "_test.go") || !known {
			return nil
		}
		file, err := parse(tree, name, parser.SkipObjectResolution)
		if err != nil {
			complain("%v", err)
			return nil
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if _, allowed := r.exceptions[pkg][imported]; allowed {
				if used[pkg] == nil {
					used[pkg] = map[string]bool{}
				}
				used[pkg][imported] = true
				continue
			}
			switch to, ours := cutModule(imported); {
			case ours:
				below, known := r.layer[to]
				if !known {
					complain("%s imports %s, which has no layer", name, imported)
				} else if below >= height {
					complain("%s (layer %d) imports %s (layer %d): imports point strictly down", name, height, imported, below)
				}
			case imported == "text/template" || imported == "html/template":
				complain("%s imports %s: it finds methods by name, and a program that links it keeps all exported ones; app/fill fills in texts", name, imported)
			case imported == "C":
				complain("%s imports C: fubini builds without cgo", name)
			case strings.Contains(strings.SplitN(imported, "/", 2)[0], "."): // a host name: not the standard library
				if height < r.thirdPartyFrom {
					complain("%s imports %s: below layer %d only the standard library, or an exception with its reason in arch_test.go",
						name, imported, r.thirdPartyFrom)
				}
			case pkg != r.door && !strings.HasPrefix(pkg, r.door+"/") && slices.ContainsFunc(outside, func(p string) bool { return imported == p || strings.HasPrefix(imported, p+"/") }):
				complain("%s imports %s: only %s opens paths and ports, and nothing below it logs", name, imported, r.door)
			}
		}
		return nil
	})
	if err != nil {
		complain("%v", err)
	}
	for pkg := range r.layer {
		if !found[pkg] {
			complain("the layer map names %s, which does not exist", pkg)
		}
	}
	for pkg, imports := range r.exceptions {
		for imported, reason := range imports {
			if !used[pkg][imported] {
				complain("%s may import %s and does not: remove the exception", pkg, imported)
			}
			if reason == "" {
				complain("%s may import %s without a reason", pkg, imported)
			}
		}
	}
	slices.Sort(complaints)
	return complaints
}

// cutModule turns the import path of one of our packages into its folder.
func cutModule(imported string) (folder string, ours bool) {
	if imported == module {
		return ".", true
	}
	return strings.CutPrefix(imported, module+"/")
}

// walk visits the files of the tree. It leaves out what is not ours (.git and other hidden folders, node_modules,
// testdata) and, on request, nested modules.
func walk(tree fs.FS, rootModuleOnly bool, visit func(name string) error) error {
	return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if !entry.IsDir() {
			return visit(name)
		}
		base := path.Base(name)
		if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "node_modules" || base == "testdata" {
			return fs.SkipDir
		}
		if _, err := fs.Stat(tree, path.Join(name, "go.mod")); err == nil && rootModuleOnly {
			return fs.SkipDir
		}
		return nil
	})
}

func parse(tree fs.FS, name string, mode parser.Mode) (*ast.File, error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, err
	}
	return parser.ParseFile(token.NewFileSet(), name, text, mode)
}

// files makes a small tree from names and contents, in which the module is called fubini.
func files(pairs ...string) fstest.MapFS {
	tree := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		tree[pairs[i]] = &fstest.MapFile{Data: []byte(inModule(pairs[i+1]))}
	}
	return tree
}

// inModule has the module's real path in the place of fubini.
func inModule(text string) string {
	return strings.NewReplacer(`"fubini`, `"`+module, "`fubini", "`"+module, " fubini/", " "+module+"/", " fubini (", " "+module+" (").Replace(text)
}

// TestImportsCanFail is the broken twin: the check must see each fault it is there for, and none in a sound tree.
func TestImportsCanFail(t *testing.T) {
	small := rules{
		layer:          map[string]int{".": 2, "core/low": 0, "infer/left": 1, "infer/right": 1, "learn/high": 2, "cmd/door/frame": 3, "cmd/door": 4},
		thirdPartyFrom: 2,
		exceptions:     map[string]map[string]string{"infer/left": {"example.org/gamma": "a reason"}, "learn/high": {"os": "a reason"}},
		door:           "cmd/door",
	}
	sound := func() fstest.MapFS {
		return files(
			"doc.go", `package fubini; import "fubini/infer/left"`,
			"core/low/low.go", `package low; import "math"`,
			"core/low/low_test.go", `package low_test; import ("os"; "fubini/learn/high"; "example.org/rapid")`,
			"infer/left/left.go", `package left; import ("fubini/core/low"; "example.org/gamma")`,
			"infer/right/right.go", `package right; import r "math/rand/v2"`,
			"learn/high/high.go", `package high; import ("os"; "fubini/infer/left"; "example.org/anything")`,
			"cmd/door/main.go", `package main; import ("os"; "net/http"; "log/slog"; "fubini/learn/high"; "fubini/cmd/door/frame")`,
			"cmd/door/frame/frame.go", `package frame; import "os"`,
			"tools/go.mod", "module fubini/tools\n",
			"tools/lint/main.go", `package main; import ("os"; "fubini/cmd/door")`,
			"core/low/testdata/odd.go", "not Go at all",
			".git/x.go", "not Go at all",
		)
	}
	if complaints := checkImports(sound(), small); len(complaints) > 0 {
		t.Fatalf("complaints about a sound tree: %q", complaints)
	}
	for _, broken := range []struct{ name, text, want string }{
		{"core/low/up.go", `package low; import "fubini/infer/left"`, "imports point strictly down"},
		{"infer/right/side.go", `package right; import "fubini/infer/left"`, "(layer 1) imports fubini/infer/left (layer 1)"},
		{"infer/right/tagged_windows.go", "//go:build windows\n\npackage right; import _ `fubini/cmd/door`", "imports point strictly down"},
		{"learn/high/self.go", `package high; import "fubini/learn/high"`, "imports point strictly down"},
		{"core/low/root.go", `package low; import "fubini"`, "(layer 0) imports fubini (layer 2)"},
		{"core/low/tool.go", `package low; import "fubini/tools/lint"`, "which has no layer"},
		{"core/new/new.go", `package fresh`, "core/new has no layer"},
		{"core/new/new_test.go", `package fresh`, "core/new has no layer"},
		{"core/low/third.go", `package low; import "example.org/gamma"`, "core/low/third.go imports example.org/gamma"},
		{"infer/left/third.go", `package left; import "example.org/gamma/v2"`, "infer/left/third.go imports example.org/gamma/v2"},
		{"learn/high/cgo.go", `package high; import "C"`, "builds without cgo"},
		{"learn/high/filled.go", `package high; import "text/template"`, "finds methods by name"},
		{"core/low/os.go", `package low; import "os"`, "only cmd/door opens paths"},
		{"learn/high/exec.go", `package high; import "os/exec"`, "only cmd/door opens paths"},
		{"learn/high/net.go", `package high; import web "net/http"`, "only cmd/door opens paths"},
		{"learn/high/log.go", `package high; import "log/slog"`, "nothing below it logs"},
		{"code.go", `package fubini; import "fubini/cmd/door"`, "imports point strictly down"},
		{"core/low/broken.go", `package low import`, "core/low/broken.go:1"},
	} {
		tree := sound()
		tree[broken.name] = &fstest.MapFile{Data: []byte(inModule(broken.text))}
		expectOne(t, broken.name, checkImports(tree, small), inModule(broken.want))
	}

	tree := sound()
	delete(tree, "infer/right/right.go")
	expectOne(t, "a missing package", checkImports(tree, small), "names infer/right, which does not exist")
	tree = sound()
	tree["infer/left/left.go"] = &fstest.MapFile{Data: []byte("package left")}
	expectOne(t, "an unused exception", checkImports(tree, small), "remove the exception")
	small.exceptions["infer/left"]["example.org/gamma"] = ""
	expectOne(t, "an exception without reason", checkImports(sound(), small), "without a reason")
}

// expectOne wants exactly one complaint, and in it the given words.
func expectOne(t *testing.T, what string, complaints []string, want string) {
	t.Helper()
	if len(complaints) != 1 || !strings.Contains(complaints[0], want) {
		t.Errorf("%s: got %q, want one complaint with %q", what, complaints, want)
	}
}

package cells

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write sources.json anew")

// sources.json is what the code is: whoever changes a package that can change a number writes the file anew, and tables that were
// made before are then made again.
func TestSources(t *testing.T) {
	root := filepath.Join("..", "..")
	now := map[string]source{}
	for _, name := range []string{"fubini/paper", "fubini/paper/league"} {
		readSources(t, root, name, now)
	}
	var text bytes.Buffer
	text.WriteString("{\n")
	for i, name := range slices.Sorted(maps.Keys(now)) {
		line, err := json.Marshal(now[name])
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			text.WriteString(",\n")
		}
		fmt.Fprintf(&text, "%q: %s", name, line)
	}
	text.WriteString("\n}\n")
	if *update {
		if err := os.WriteFile("sources.json", text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(text.Bytes(), sourcesJSON) {
		var changed []string
		for name, s := range now {
			if sources[name].Digest != s.Digest {
				changed = append(changed, name)
			}
		}
		slices.Sort(changed)
		t.Errorf("the code of %s is not that of sources.json: go test ./paper/cells -run TestSources -update (tables made before are then made again)", strings.Join(changed, ", "))
	}
}

// readSources adds a package, and those of the repository that it imports. Comments, and tests, change no number.
func readSources(t *testing.T, root, name string, all map[string]source) {
	if _, there := all[name]; there {
		return
	}
	files, err := filepath.Glob(filepath.Join(root, strings.TrimPrefix(name, "fubini/"), "*"))
	if err != nil {
		t.Fatal(err)
	}
	sum, imports := sha256.New(), map[string]bool{}
	for _, file := range files {
		ending := filepath.Ext(file)
		if strings.HasSuffix(file, "_test.go") || ending != ".go" && ending != ".s" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(sum, filepath.Base(file))
		if ending == ".s" {
			sum.Write(text)
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range parsed.Imports {
			if path := named(strings.Trim(each.Path.Value, `"`)); strings.HasPrefix(path, "fubini/") {
				imports[path] = true
			}
		}
		var s scanner.Scanner
		s.Init(set.AddFile(file, -1, len(text)), text, nil, 0)
		for {
			_, kind, literal := s.Scan()
			if kind == token.EOF {
				break
			}
			if kind == token.STRING { // an import
				literal = strings.Replace(literal, `"`+module+"/", `"fubini/`, 1)
			}
			fmt.Fprintln(sum, kind, literal)
		}
	}
	s := source{Digest: fmt.Sprintf("%x", sum.Sum(nil))[:16], Imports: slices.Sorted(maps.Keys(imports))}
	all[name] = s
	for _, path := range s.Imports {
		readSources(t, root, path, all)
	}
}

// A change in a package changes the digest of what imports it, at any distance, and of nothing else.
func TestDigest(t *testing.T) {
	before := map[string]source{"a": {"1", []string{"b"}}, "b": {"2", []string{"c"}}, "c": {"3", nil}, "d": {"4", []string{"c"}}, "e": {"5", nil}}
	after := map[string]source{"a": {"1", []string{"b"}}, "b": {"2x", []string{"c"}}, "c": {"3", nil}, "d": {"4", []string{"c"}}, "e": {"5", nil}}
	for name, changes := range map[string]bool{"a": true, "b": true, "c": false, "d": false, "e": false, "outside": false} {
		if got := digest(before, name) != digest(after, name); got != changes {
			t.Errorf("a change of b changes %s: %t", name, got)
		}
	}
	if digest(before, "a", "e") != digest(before, "e", "a") || digest(before, "a") == digest(before, "e") {
		t.Error("the order of packages counts, or their names do not")
	}
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/types"
	"io"
	"os"
	"strings"
)

// checker tells faults that compile from those that do not, without building anything: it checks the types of the one
// package that is changed, against what the compiler has exported of the others.
type checker struct {
	source  *source
	imports types.Importer
}

func newChecker(ctx context.Context, s *source) (*checker, error) {
	environment, err := overlay("", nil, "")
	if err != nil {
		return nil, err
	}
	list := process(ctx, s.root, environment, "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./...")
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w", err)
	}
	exported := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		path, file, _ := strings.Cut(lines.Text(), " ")
		exported[path] = file
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exported[path]) }
	return &checker{s, importer.ForCompiler(s.set, "gc", lookup)}, nil
}

// compiles says whether the package with this fault does.
func (c *checker) compiles(row Fault) bool {
	at, err := c.source.place(row)
	if err != nil {
		return false
	}
	changed, err := parser.ParseFile(c.source.set, at.file.path+" with a fault", at.changed(row.Put), parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	var files []*ast.File
	for _, f := range at.file.folder.files {
		if f == at.file {
			files = append(files, changed)
		} else {
			files = append(files, f.tree)
		}
	}
	config := types.Config{Importer: c.imports}
	_, err = config.Check(at.file.folder.path, c.source.set, files, nil)
	return err == nil
}

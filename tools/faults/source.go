package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// source is the Go text of the repository: of the root module and of beam, without tests.
type source struct {
	set     *token.FileSet
	folders []*folder
}

// folder is a package.
type folder struct {
	name   string // of the package; a command goes by its folder
	path   string // relative to the repository, with slashes
	dir    string // absolute
	files  []*file
	tested bool // it has test files
}

type file struct {
	folder *folder
	path   string // absolute
	text   string
	tree   *ast.File
}

// place is where a fault goes.
type place struct {
	file       *file
	start, end int // of the text replaced
}

// changed is the file with the fault in it.
func (p *place) changed(put string) string { return p.file.text[:p.start] + put + p.file.text[p.end:] }

// readSource parses every file of the repository that a build for this machine takes.
func readSource(root string) (*source, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	beam, err := filepath.Glob(filepath.Join(root, "beam"))
	if err != nil {
		return nil, err
	}
	s := &source{set: token.NewFileSet()}
	for _, module := range append([]string{root}, beam...) {
		found, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles, Dir: module, Env: plainEnvironment()}, "./...")
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			if err := s.read(root, p); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// read parses the files of a package.
func (s *source) read(root string, p *packages.Package) error {
	if len(p.GoFiles) == 0 {
		return nil
	}
	path, err := filepath.Rel(root, p.Dir)
	if err != nil {
		return err
	}
	tests, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	if err != nil {
		return err
	}
	f := &folder{name: p.Name, path: filepath.ToSlash(path), dir: p.Dir, tested: len(tests) > 0}
	if f.name == "main" {
		f.name = filepath.Base(p.Dir)
	}
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(s.set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		f.files = append(f.files, &file{f, name, string(text), tree})
	}
	s.folders = append(s.folders, f)
	return nil
}

// place finds where a fault goes, or says why it has no place.
func (s *source) place(f Fault) (*place, error) {
	var found []*place
	var homes []string
	for _, folder := range s.folders {
		if f.Package != "" && f.Package != folder.name {
			continue
		}
		for _, file := range folder.files {
			for _, node := range named(file.tree, f.Func) {
				found = append(found, &place{file, s.offset(node.Pos()), s.offset(node.End())})
				homes = append(homes, folder.path)
			}
		}
	}
	switch {
	case len(found) == 0 && f.Package != "":
		return nil, fmt.Errorf("%s: no %s in a package named %s", f.Name, f.Func, f.Package)
	case len(found) == 0:
		return nil, fmt.Errorf("%s: no %s in the repository", f.Name, f.Func)
	case len(found) > 1:
		return nil, fmt.Errorf("%s: %s stands in %s: the row needs a package", f.Name, f.Func, strings.Join(homes, " and "))
	}
	at := found[0]
	text := at.file.text[at.start:at.end]
	switch strings.Count(text, f.Find) {
	case 0:
		return nil, fmt.Errorf("%s: %s in %s does not hold %q any more", f.Name, f.Func, at.file.path, f.Find)
	case 1:
	default:
		return nil, fmt.Errorf("%s: %q stands more than once in %s: the row needs a longer text", f.Name, f.Find, f.Func)
	}
	at.start += strings.Index(text, f.Find)
	at.end = at.start + len(f.Find)
	return at, nil
}

// testsOf are the further packages that a row names, with commas or spaces between.
func (s *source) testsOf(f Fault) (extra []*folder, err error) {
	for _, name := range strings.Fields(strings.ReplaceAll(f.Tests, ",", " ")) {
		i := slices.IndexFunc(s.folders, func(f *folder) bool { return f.name == name && f.tested })
		if i < 0 {
			return nil, fmt.Errorf("%s: no package named %s has tests", f.Name, name)
		}
		extra = append(extra, s.folders[i])
	}
	return extra, nil
}

// compiles reports whether the package with a fault does; one without a place does not.
func (s *source) compiles(ctx context.Context, row Fault) bool {
	at, err := s.place(row)
	return err == nil && planted(at, row.Put, func(environment []string) error {
		return process(ctx, at.file.folder.dir, environment, "go", "list", "-export", ".").Run()
	}) == nil
}

func (s *source) offset(p token.Pos) int { return s.set.Position(p).Offset }

// named are the declarations with a name, written as in Go's documentation.
func named(tree *ast.File, name string) (found []ast.Node) {
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if funcName(d) == name {
				found = append(found, d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				value, isValue := spec.(*ast.ValueSpec)
				kind, isType := spec.(*ast.TypeSpec)
				if isType && kind.Name.Name == name || isValue && slices.ContainsFunc(value.Names, func(n *ast.Ident) bool { return n.Name == name }) {
					found = append(found, spec)
				}
			}
		}
	}
	return found
}

// funcName is Name, (T).Method or (*T).Method; the parameters of a generic type are left out.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	receiver, _, _ := strings.Cut(types.ExprString(d.Recv.List[0].Type), "[")
	return "(" + receiver + ")." + d.Name.Name
}

package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// source is the Go text of the repository: of the root module and of beam, without tests.
type source struct {
	root    string
	set     *token.FileSet
	folders []*folder
}

// folder is a package.
type folder struct {
	name   string // of the package; a command goes by its folder
	path   string // relative to the repository, with slashes
	module string // absolute folder of the module, where go is called
	dir    string // absolute
	files  []*file
	tested bool // it has test files
}

type file struct {
	folder    *folder
	path      string // absolute
	text      string
	tree      *ast.File
	generated bool
}

// pattern is how go is told the package.
func (f *folder) pattern() string {
	relative, err := filepath.Rel(f.module, f.dir)
	if err != nil {
		panic(err) // both are absolute
	}
	return "./" + filepath.ToSlash(relative)
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
	s := &source{root: root, set: token.NewFileSet()}
	for _, name := range []string{".", "beam"} {
		module := filepath.Join(root, name)
		if _, err := os.Stat(filepath.Join(module, "go.mod")); errors.Is(err, fs.ErrNotExist) && name != "." {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("%w (-root names the repository)", err)
		}
		if err := s.readModule(module); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *source) readModule(module string) error {
	return filepath.WalkDir(module, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if dir != module {
			name := entry.Name()
			if name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				return filepath.SkipDir // another module
			}
		}
		return s.readFolder(module, dir)
	})
}

func (s *source) readFolder(module, dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	relative, err := filepath.Rel(s.root, dir)
	if err != nil {
		return err
	}
	f := &folder{path: filepath.ToSlash(relative), module: module, dir: dir}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			f.tested = true
			continue
		}
		if taken, err := build.Default.MatchFile(dir, filepath.Base(name)); err != nil {
			return err
		} else if !taken {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(s.set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		f.name = tree.Name.Name
		f.files = append(f.files, &file{folder: f, path: name, text: string(text), tree: tree, generated: ast.IsGenerated(tree)})
	}
	if f.name == "main" {
		f.name = filepath.Base(dir)
	}
	if len(f.files) > 0 {
		s.folders = append(s.folders, f)
	}
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

// testsOf are the further packages that a row names.
func (s *source) testsOf(f Fault) ([]*folder, error) {
	var extra []*folder
	for _, name := range words(f.Tests) {
		i := slices.IndexFunc(s.folders, func(f *folder) bool { return f.name == name && f.tested })
		if i < 0 {
			return nil, fmt.Errorf("%s: no package named %s has tests", f.Name, name)
		}
		extra = append(extra, s.folders[i])
	}
	return extra, nil
}

func (s *source) offset(p token.Pos) int { return s.set.Position(p).Offset }

// named are the declarations with a name, written as in Go's documentation.
func named(tree *ast.File, name string) []ast.Node {
	var found []ast.Node
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if funcName(d) == name {
				found = append(found, d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					if slices.ContainsFunc(spec.Names, func(n *ast.Ident) bool { return n.Name == name }) {
						found = append(found, spec)
					}
				case *ast.TypeSpec:
					if spec.Name.Name == name {
						found = append(found, spec)
					}
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
	receiver, star := d.Recv.List[0].Type, ""
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver, star = pointer.X, "*"
	}
	switch generic := receiver.(type) {
	case *ast.IndexExpr:
		receiver = generic.X
	case *ast.IndexListExpr:
		receiver = generic.X
	}
	return "(" + star + receiver.(*ast.Ident).Name + ")." + d.Name.Name
}

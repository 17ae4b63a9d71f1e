// Command renaming moves the project to another module path: the go.mod files, the import lines, and the constant that the test of
// imports reads. It is called by tools/rename.
package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: renaming PATH ROOT")
		os.Exit(2)
	}
	changed, err := rename(os.Args[2], os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "renaming:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files changed; now: gofmt -l . && ./test\n", changed)
}

// rename moves the tree at root to a module path and returns the number of files changed. Nothing is written if a file cannot be
// read or parsed.
func rename(root, path string) (changed int, err error) {
	if err := module.CheckPath(path); err != nil {
		return 0, fmt.Errorf("%w: a module path begins with a host name, as in example.org/you/fubini", err)
	}
	old, err := modulePath(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, err
	}
	if old == path {
		return 0, fmt.Errorf("the module is called %s already", path)
	}
	files := map[string][]byte{}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir():
			return nil
		case d.Name() == "go.mod":
			return edit(files, name, func(text []byte) ([]byte, error) { return moduleFile(name, text, old, path) })
		case strings.HasSuffix(name, ".go"):
			return edit(files, name, func(text []byte) ([]byte, error) { return imports(name, text, old, path) })
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for name, text := range files {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return changed, err
		}
		changed++
	}
	return changed, nil
}

func modulePath(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if path := modfile.ModulePath(text); path != "" {
		return path, nil
	}
	return "", errors.New(file + " names no module")
}

// edit notes the new text of a file if it is another one.
func edit(files map[string][]byte, name string, change func(text []byte) ([]byte, error)) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	next, err := change(text)
	if err == nil && string(next) != string(text) {
		files[name] = next
	}
	return err
}

// moved is a path below the old module under its new name.
func moved(path, old, to string) (string, bool) {
	if path == old {
		return to, true
	}
	rest, found := strings.CutPrefix(path, old+"/")
	return to + "/" + rest, found
}

func moduleFile(name string, text []byte, old, to string) ([]byte, error) {
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, err
	}
	if next, ours := moved(file.Module.Mod.Path, old, to); ours {
		if err := file.AddModuleStmt(next); err != nil {
			return nil, err
		}
	}
	for _, r := range slices.Clone(file.Require) {
		if next, ours := moved(r.Mod.Path, old, to); ours {
			mod := r.Mod // dropping empties it
			if err := errors.Join(file.DropRequire(mod.Path), file.AddRequire(next, mod.Version)); err != nil {
				return nil, err
			}
		}
	}
	for _, r := range slices.Clone(file.Replace) {
		if next, ours := moved(r.Old.Path, old, to); ours {
			from, by := r.Old, r.New
			if err := errors.Join(file.DropReplace(from.Path, from.Version), file.AddReplace(next, from.Version, by.Path, by.Version)); err != nil {
				return nil, err
			}
		}
	}
	file.Cleanup()
	return file.Format()
}

// constant is how arch_test.go says what the module is called.
const constant = "const module = "

// imports moves the import lines of a Go file, from the last to the first, so that places stay right.
func imports(name string, text []byte, old, to string) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, spec := range slices.Backward(file.Imports) {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if next, ours := moved(path, old, to); ours {
			begin, end := set.Position(spec.Path.Pos()).Offset, set.Position(spec.Path.End()).Offset
			text = slices.Concat(text[:begin], []byte(strconv.Quote(next)), text[end:])
		}
	}
	return []byte(strings.Replace(string(text), constant+strconv.Quote(old), constant+strconv.Quote(to), 1)), nil
}

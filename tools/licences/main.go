// Command licences writes the notices of third-party software that the program fubini carries: every module of its
// build with its licence, and the texts. Run it in the module tools, and again whenever a dependency changes:
//
//	cd tools && go run ./licences
package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

const (
	repository = ".." // seen from the module tools
	program    = "./cmd/fubini"
	output     = "cmd/fubini/program/licences.txt"
)

// systems are those for which the program is built: what it imports differs a little.
var systems = []string{"linux", "darwin", "windows"}

func main() {
	text, err := notices(repository)
	if err == nil {
		err = os.WriteFile(filepath.Join(repository, output), text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// notices makes the file.
func notices(repository string) ([]byte, error) {
	parts, err := builtFrom(repository)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		if err := p.read(); err != nil {
			return nil, err
		}
	}
	return list(parts), nil
}

// part is something that the program contains: a module, Go itself, or files of somebody else in this repository.
type part struct {
	name, version string
	root          string
	folders       []string // of its packages in the build, and of what lies above them up to root
	licences      []string
	texts         []string
}

// builtFrom lists what the program is built from, on all systems.
func builtFrom(repository string) ([]*part, error) {
	found := map[string]*part{}
	for _, system := range systems {
		built, err := packages.Load(&packages.Config{
			Mode: packages.NeedModule | packages.NeedFiles | packages.NeedImports | packages.NeedDeps,
			Dir:  repository,
			Env:  append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off"),
		}, program)
		packages.Visit(built, nil, func(p *packages.Package) {
			for _, wrong := range p.Errors {
				err = errors.Join(err, wrong)
			}
			switch {
			case p.Module == nil: // of the standard library
			case p.Module.Main:
				err = errors.Join(err, carried(p.Module.Dir, p.Dir, found))
			case found[p.Module.Path] == nil:
				found[p.Module.Path] = &part{name: p.Module.Path, version: p.Module.Version, root: p.Module.Dir}
				fallthrough
			default:
				found[p.Module.Path].add(p.Dir)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("%s for %s: %w", program, system, err)
		}
	}
	command := exec.Command("go", "env", "GOROOT")
	command.Dir = repository
	goRoot, err := command.Output()
	if err != nil {
		return nil, err
	}
	root := strings.TrimSpace(string(goRoot))
	found["Go"] = &part{name: "Go, its standard library and runtime", root: root, folders: []string{root}}
	return slices.SortedFunc(maps.Values(found), func(a, b *part) int { return strings.Compare(a.name, b.name) }), nil
}

// carried adds folders of this repository that have a licence of their own, such as those of fonts: somebody else made
// what is in them. The repository's own licence is not among them.
func carried(root, folder string, found map[string]*part) error {
	return filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata" || path != root && isModule(path)):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Dir(path) == root || !isLicence(entry.Name()):
			return nil
		}
		name, err := filepath.Rel(root, filepath.Dir(path))
		if name = filepath.ToSlash(name); err == nil && name+"/"+entry.Name() != output {
			found["./"+name] = &part{name: "files in " + name, root: filepath.Dir(path), folders: []string{filepath.Dir(path)}}
		}
		return err
	})
}

// isModule says whether a folder is a module of its own: it counts as such if the program is built from it.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

// add takes note of a package's folder and of those above it in the module.
func (p *part) add(folder string) {
	for ; !slices.Contains(p.folders, folder); folder = filepath.Dir(folder) {
		p.folders = append(p.folders, folder)
		if folder == p.root {
			return
		}
	}
}

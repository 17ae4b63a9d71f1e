// Command licences writes the notices of third-party software that the program fubini carries: every module of its
// build with its licence, and the texts. Run it in the module tools, and again whenever a dependency changes:
//
//	cd tools && go run ./licences
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	repository = ".." // seen from the module tools
	program    = "./cmd/fubini"
	output     = "cmd/fubini/licences.txt"
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
	var b bytes.Buffer
	write(&b, parts)
	return b.Bytes(), nil
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
		if err := listed(repository, system, found); err != nil {
			return nil, err
		}
	}
	goRoot, err := run(repository, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	root := strings.TrimSpace(string(goRoot))
	found["Go"] = &part{name: "Go, its standard library and runtime", root: root, folders: []string{root}}
	var parts []*part
	for _, p := range found {
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b *part) int { return strings.Compare(a.name, b.name) })
	return parts, nil
}

// listed adds the parts of the build for one system.
func listed(repository, system string, found map[string]*part) error {
	out, err := run(repository, []string{"GOOS=" + system, "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off"}, "go", "list", "-deps", "-json=Dir,Module", program)
	if err != nil {
		return err
	}
	for packages := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch {
		case p.Module == nil: // of the standard library
		case p.Module.Main:
			if err := carried(p.Module.Dir, p.Dir, found); err != nil {
				return err
			}
		default:
			m := found[p.Module.Path]
			if m == nil {
				m = &part{name: p.Module.Path, version: p.Module.Version, root: p.Module.Dir}
				found[p.Module.Path] = m
			}
			m.add(p.Dir)
		}
	}
}

// carried adds folders of this repository that have a licence of their own, such as those of fonts: somebody else made
// what is in them. The repository's own licence is not among them.
func carried(root, folder string, found map[string]*part) error {
	return filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata"):
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

// add takes note of a package's folder and of those above it in the module.
func (p *part) add(folder string) {
	for ; !slices.Contains(p.folders, folder); folder = filepath.Dir(folder) {
		p.folders = append(p.folders, folder)
		if folder == p.root {
			return
		}
	}
}

func run(folder string, environment []string, name string, arguments ...string) ([]byte, error) {
	command := exec.Command(name, arguments...)
	command.Dir, command.Env = folder, append(os.Environ(), environment...)
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(arguments, " "), err, said.String())
	}
	return out, nil
}

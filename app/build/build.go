// Package build is how the program was built: its version and its commit.
package build

import (
	"cmp"
	_ "embed"
	"reflect"
	"runtime/debug"
	"strings"
)

// Build is how the program was built, as the Go toolchain wrote it into the program.
type Build struct {
	Version  string // of the module, or "devel"
	Revision any    // commit, nil when it is not known
	Modified any    // whether files differed from the commit, or nil
	Module   string // path of the main module
}

// Name is the commit that the program was built from, shortened, or the version where that is not known.
func (b Build) Name() string {
	commit, known := b.Revision.(string)
	if !known {
		return b.Version
	}
	commit = commit[:min(9, len(commit))]
	if b.Modified == true {
		commit += "+changes"
	}
	return commit
}

// Release is the version that the program was released as; empty otherwise.
var Release string

// archived is the commit in an archive that git archive made, which writes it into the file; elsewhere a placeholder.
//
//go:embed commit.txt
var archived string

// Read returns the build of this program. In a program of somebody else the version is that of this module in it.
func Read() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Build{Version: cmp.Or(Release, "devel"), Module: "fubini", Revision: revision(archived)}
	}
	return read(info, strings.TrimSuffix(reflect.TypeFor[Build]().PkgPath(), "/app/build"), archived)
}

func read(info *debug.BuildInfo, own, archived string) Build {
	b := Build{Module: cmp.Or(info.Main.Path, own)}
	module := info.Main
	for _, d := range info.Deps {
		if d.Path == own {
			module = *d
		}
	}
	b.Version = cmp.Or(Release, strings.Trim(module.Version, "()"), "devel")
	if b.Module != own { // the commit is that of another program
		return b
	}
	b.Revision = revision(archived)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// revision is the commit in the text of an archive; nil for the placeholder.
func revision(archived string) any {
	if commit := strings.TrimSpace(archived); commit != "" && !strings.HasPrefix(commit, "$") {
		return commit
	}
	return nil
}

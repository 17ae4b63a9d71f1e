package cli

import (
	"cmp"
	"runtime/debug"
	"strings"
)

// Build is how the program was built, as the Go toolchain wrote it into the program.
type Build struct {
	Version  string // of the module, or "devel"
	Revision any    // commit, nil when built without version control
	Modified any    // whether files differed from the commit, or nil
	Module   string
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

// BuildVersion is the build of this program.
func BuildVersion() Build {
	b := Build{Version: "devel", Module: "fubini"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Module = cmp.Or(info.Main.Path, b.Module)
	b.Version = cmp.Or(Release, strings.Trim(info.Main.Version, "()"), b.Version)
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

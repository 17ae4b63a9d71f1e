package main

import "runtime/debug"

// Build is what the Go toolchain wrote into the program.
type Build struct {
	version  string // of the module, or "devel"
	revision any    // commit, nil when built without version control
	modified any    // whether files differed from the commit, or nil
	module   string
}

// name says which sources the program was built from: the commit, shortened, where
// it is known, otherwise the version.
func (b Build) name() string {
	commit, known := b.revision.(string)
	if !known {
		return b.version
	}
	if len(commit) > 9 {
		commit = commit[:9]
	}
	if b.modified == true {
		commit += "+changes"
	}
	return commit
}

// Release is the version that the program was released as; empty otherwise.
var Release string

// buildVersion reads it.
func buildVersion() Build {
	b := Build{version: "devel", module: "fubini"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Path != "" {
		b.module = info.Main.Path
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.version = v
	}
	if Release != "" {
		b.version = Release
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.revision = s.Value
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	return b
}

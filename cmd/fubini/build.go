package main

import "runtime/debug"

// build is what the Go toolchain wrote into the program.
type build struct {
	version  string // of the module, or "devel"
	revision any    // commit, nil when built without version control
	modified any    // whether files differed from the commit, or nil
	module   string
}

// name says which sources the program was built from: the commit, shortened, where
// it is known, otherwise the version.
func (b build) name() string {
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

// release is the version that an image or a release is built as, by -ldflags "-X main.release=v1.2.0".
var release string

func buildVersion() build {
	b := build{version: "devel", module: "fubini"}
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
	if release != "" {
		b.version = release
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

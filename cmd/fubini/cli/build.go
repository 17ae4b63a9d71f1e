package cli

import "runtime/debug"

// Build is what the Go toolchain wrote into the program.
type Build struct {
	Version  string // of the module, or "devel"
	Revision any    // commit, nil when built without version control
	Modified any    // whether files differed from the commit, or nil
	Module   string
}

// Name says which sources the program was built from: the commit, shortened, where
// it is known, otherwise the version.
func (b Build) Name() string {
	commit, known := b.Revision.(string)
	if !known {
		return b.Version
	}
	if len(commit) > 9 {
		commit = commit[:9]
	}
	if b.Modified == true {
		commit += "+changes"
	}
	return commit
}

// Release is the version that the program was released as; empty otherwise.
var Release string

// BuildVersion reads it.
func BuildVersion() Build {
	b := Build{Version: "devel", Module: "fubini"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Path != "" {
		b.Module = info.Main.Path
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	if Release != "" {
		b.Version = Release
	}
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

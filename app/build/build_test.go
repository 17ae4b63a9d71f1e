package build

import (
	"runtime/debug"
	"strings"
	"testing"
)

// Pages name the commit where it is known, and say when files differed from it.
func TestNameOfABuild(t *testing.T) {
	const commit = "03a83141667e005d3481265977b1712b55d7ac55"
	for _, c := range []struct {
		Build Build
		want  string
	}{
		{Build{Version: "devel"}, "devel"},
		{Build{Version: "v0.0.0-1", Revision: commit, Modified: false}, "03a831416"},
		{Build{Version: "v0.0.0-1", Revision: commit, Modified: true}, "03a831416+changes"},
		{Build{Version: "v1.2.0"}, "v1.2.0"},
	} {
		if got := c.Build.Name(); got != c.want {
			t.Errorf("%+v is called %s, not %s", c.Build, got, c.want)
		}
	}
}

// The commit is that of version control, or else that of an archive; in another program there is none, and the version is that of the
// module in it.
func TestRead(t *testing.T) {
	commit, placeholder := strings.Repeat("a", 40), "$"+"Format:%H$\n"
	own := debug.Module{Path: "fubini", Version: "(devel)"}
	for _, c := range []struct {
		info     debug.BuildInfo
		archived string
		want     Build
	}{
		{debug.BuildInfo{Main: own, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.modified", Value: "true"}}}, placeholder,
			Build{"devel", commit, true, "fubini"}},
		{debug.BuildInfo{Main: own}, placeholder, Build{"devel", nil, nil, "fubini"}},
		{debug.BuildInfo{Main: own}, commit + "\n", Build{"devel", commit, nil, "fubini"}},
		{debug.BuildInfo{Main: debug.Module{Path: "theirs", Version: "v9.0.0"}, Deps: []*debug.Module{{Path: "fubini", Version: "v1.2.0"}},
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: commit}}}, placeholder, Build{"v1.2.0", nil, nil, "theirs"}},
	} {
		if got := read(&c.info, "fubini", c.archived); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.info, got, c.want)
		}
	}
}

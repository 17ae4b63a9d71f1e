package cli

import "testing"

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

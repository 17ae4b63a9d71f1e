package main

import "testing"

// Pages name the commit where it is known, and say when files differed from it.
func TestNameOfABuild(t *testing.T) {
	const commit = "03a83141667e005d3481265977b1712b55d7ac55"
	for _, c := range []struct {
		Build Build
		want  string
	}{
		{Build{version: "devel"}, "devel"},
		{Build{version: "v0.0.0-1", revision: commit, modified: false}, "03a831416"},
		{Build{version: "v0.0.0-1", revision: commit, modified: true}, "03a831416+changes"},
		{Build{version: "v1.2.0"}, "v1.2.0"},
	} {
		if got := c.Build.name(); got != c.want {
			t.Errorf("%+v is called %s, not %s", c.Build, got, c.want)
		}
	}
}

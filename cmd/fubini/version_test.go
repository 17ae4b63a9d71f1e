package main

import "testing"

// Pages name the commit where it is known, and say when files differed from it.
func TestNameOfABuild(t *testing.T) {
	const commit = "03a83141667e005d3481265977b1712b55d7ac55"
	for _, c := range []struct {
		build build
		want  string
	}{
		{build{version: "devel"}, "devel"},
		{build{version: "v0.0.0-1", revision: commit, modified: false}, "03a831416"},
		{build{version: "v0.0.0-1", revision: commit, modified: true}, "03a831416+changes"},
		{build{version: "v1.2.0"}, "v1.2.0"},
	} {
		if got := c.build.name(); got != c.want {
			t.Errorf("%+v is called %s, not %s", c.build, got, c.want)
		}
	}
}

package models

import (
	"runtime/debug"
	"testing"
)

// Garbage is collected more often on a large set, unless GOGC says how often.
func TestCollectOften(t *testing.T) {
	before := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(before) })
	for _, c := range []struct {
		ratings int
		gogc    string
		want    int
	}{{largeSet - 1, "", 100}, {largeSet, "", 20}, {largeSet, "100", 100}} {
		t.Setenv("GOGC", c.gogc)
		debug.SetGCPercent(100)
		collectOften(c.ratings)
		if got := debug.SetGCPercent(100); got != c.want {
			t.Errorf("%d ratings with GOGC=%q: a percentage of %d, want %d", c.ratings, c.gogc, got, c.want)
		}
	}
}

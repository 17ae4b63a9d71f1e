package paper_test

import (
	"testing"

	"fubini/paper/cells/planted"
)

type memory = planted.Memory

var small = planted.Small

// skipIfShort leaves out whole trainings where time is short: what several goroutines do
// here, the race detector sees in TestLikelihoodsForAnyNumberOfJobs, and what they do in
// training and judging it sees in the packages for that.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("whole trainings: not with -short")
	}
}

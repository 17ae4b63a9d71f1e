package draw

import (
	"testing"
	"time"
)

// The number of temperatures fills about a minute, within bounds.
func TestMinuteOfSteps(t *testing.T) {
	for _, c := range []struct{ items, runs, want int }{{100, 10, 1000}, {100_000, 10, 44}, {100_000, 100, 10}, {0, 10, 1000}} {
		if got := minuteOfSteps(c.items, c.runs); got != c.want {
			t.Errorf("%d items, %d runs: %d temperatures, not %d", c.items, c.runs, got, c.want)
		}
	}
	if took := annealTime(100_000, 440); took < 50*time.Second || took > 70*time.Second {
		t.Errorf("a thousand people of a hundred items take %v", took)
	}
}

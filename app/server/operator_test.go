package server

import (
	"testing"
	"time"
)

// A Sunday belongs to the week of the Monday before it.
func TestPeriods(t *testing.T) {
	at := time.Date(2026, 3, 1, 15, 4, 5, 0, time.UTC) // a Sunday
	for period, want := range map[string]string{"day": "2026-03-01", "week": "2026-02-23", "month": "2026-03-01"} {
		if got := startOf(at, period).Format(time.DateOnly); got != want {
			t.Errorf("%s of %v begins %s, want %s", period, at, got, want)
		}
	}
}

package text

import (
	"strings"
	"testing"
	"time"
)

// One date with a number above 12 settles the whole column; without one the month comes first, and it is said.
func TestSlashes(t *testing.T) {
	for _, c := range []struct {
		column   string
		dayFirst bool
		open     int
		note     string
	}{
		{"3/4/2021 30/7/2000 1/2/2003", true, 2, `the day first, as "30/7/2000" in line 2`},
		{"3/4/2021 7/30/2000", false, 1, ""},
		{"3/4/2021 5/5/2000", false, 1, `1 dates can be read both ways, the first "3/4/2021" in line 1`},
		{"30/7/2000 7/30/2000 1/2/2003", false, 1, "and the month first"},
		{"5/5/2000 2000-07-30 30.7.2000 946684800", false, 0, ""},
		{"31/12/2000", true, 0, ""},
		{"40/50/2000 0/1/2000 1//2000 1/2 /1/2000 1/2/x", false, 0, ""},
	} {
		var s Slashes
		open := 0
		for k, date := range strings.Fields(c.column) {
			_, both, ok := s.Parse([]byte(date), k+1)
			if both {
				open++
			}
			if both && !ok {
				t.Errorf("%s: %s is open and no date", c.column, date)
			}
		}
		if s.DayFirst() != c.dayFirst || open != c.open || c.note == "" && s.Note() != "" || !strings.Contains(s.Note(), c.note) {
			t.Errorf("%s: day first %v, %d open, %q", c.column, s.DayFirst(), open, s.Note())
		}
	}
}

func TestSlashedDates(t *testing.T) {
	for date, want := range map[string]string{"30/7/2000": "2000-07-30 00:00:00", "30/07/2000 12:34:56": "2000-07-30 12:34:56", "7/30/2000": "2000-07-30 00:00:00", "3/4/2021": "2021-03-04 00:00:00"} {
		var s Slashes
		seconds, open, ok := s.Parse([]byte(date), 1)
		if got := time.Unix(seconds, 0).UTC().Format(time.DateTime); !ok || got != want {
			t.Errorf("%s is %s, want %s", date, got, want)
		}
		if back := Swapped(Swapped(seconds)); open && (back != seconds || Swapped(seconds) == seconds) {
			t.Errorf("%s swapped twice is %d, not %d", date, back, seconds)
		}
	}
}

package text

import (
	"fmt"
	"time"
)

// Slashes reads the dates of one column and decides, by all of them, whether the day or the month comes first in 3/4/2021: a
// number above 12 is a day.
type Slashes struct {
	days, months, open int    // dates whose first number, or second, is a day, and those that can be read both ways
	day, month, either string // the first of each, with its line
}

// Parse returns the seconds since 1970 of a date like any that [ParseTime] reads, the month first where both are possible; open
// reports that they are. Line is where the date stands.
func (s *Slashes) Parse(date []byte, line int) (seconds int64, open, ok bool) {
	first, second, rest, slashed := slashedDate(date)
	if !slashed {
		seconds, ok = ParseTime(date)
		return seconds, false, ok
	}
	monthFirst := date
	count, example := &s.months, &s.month
	switch {
	case first > 12:
		monthFirst = append(fmt.Appendf(nil, "%d/%d", second, first), rest...)
		count, example = &s.days, &s.day
	case second <= 12:
		count, example = &s.open, &s.either
	}
	if seconds, ok = ParseTime(monthFirst); !ok || first == second {
		return seconds, false, ok
	}
	if *count++; *count == 1 {
		*example = fmt.Sprintf("%s in line %d", Quote(date), line)
	}
	return seconds, count == &s.open, true
}

// DayFirst reports whether the dates so far show that the day comes first: one of them must be read so, and none the other way.
func (s *Slashes) DayFirst() bool { return s.days > 0 && s.months == 0 }

// Note says how dates that can be read both ways were read, and why; empty where there are none, or all others have the month
// first.
func (s *Slashes) Note() string {
	switch {
	case s.open == 0 || s.days == 0 && s.months > 0:
		return ""
	case s.DayFirst():
		return "dates have the day first, as " + s.day + " shows"
	case s.days > 0:
		return fmt.Sprintf("dates have the day first (%s) and the month first (%s); of %d that can be read both ways the month is taken first", s.day, s.month, s.open)
	}
	return fmt.Sprintf("%d dates can be read both ways, the first %s: the month is taken first; write 2000-07-30 to be sure", s.open, s.either)
}

// Swapped is a time with the number of its day for that of its month, which must be one of 12, and the other way round.
func Swapped(seconds int64) int64 {
	t := time.Unix(seconds, 0).UTC()
	return time.Date(t.Year(), time.Month(t.Day()), int(t.Month()), t.Hour(), t.Minute(), t.Second(), 0, time.UTC).Unix()
}

// slashedDate cuts a date like 3/4/2021 into its first two numbers and the rest, from the second slash on.
func slashedDate(date []byte) (first, second int, rest []byte, ok bool) {
	if first, rest, ok = shortNumber(date); !ok {
		return 0, 0, nil, false
	}
	if second, rest, ok = shortNumber(rest[1:]); !ok {
		return 0, 0, nil, false
	}
	return first, second, rest, true
}

// shortNumber cuts a number of one or two digits off a text, up to the slash behind it.
func shortNumber(b []byte) (number int, rest []byte, ok bool) {
	for k := range min(len(b), 3) {
		switch c := b[k]; {
		case c == '/':
			return number, b[k:], k > 0
		case !digit(c) || k == 2:
			return 0, nil, false
		default:
			number = 10*number + int(c-'0')
		}
	}
	return 0, nil, false
}

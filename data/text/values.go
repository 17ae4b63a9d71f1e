package text

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"fubini/data/ratings"
)

// ParseRating returns the float32 nearest to a decimal number. NaN, infinity, hexadecimals and numbers beyond float32 are
// not valid.
func ParseRating(b []byte) (value float32, ok bool) {
	switch { // most ratings are 4 or 3.5
	case len(b) == 1 && digit(b[0]):
		return float32(b[0] - '0'), true
	case len(b) == 3 && digit(b[0]) && b[1] == '.' && digit(b[2]):
		return (10*float32(b[0]-'0') + float32(b[2]-'0')) / 10, true // 35 and 10 are exact, so it is rounded once
	}
	for _, c := range b { // strconv would take words, hexadecimals and underscores
		if !(digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E') {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(b), 32)
	return float32(v), err == nil && !math.IsInf(v, 0)
}

// NoRating is why [ParseRating] refuses a text.
func NoRating(b []byte) string {
	if _, err := strconv.ParseFloat(string(b), 32); errors.Is(err, strconv.ErrRange) {
		return fmt.Sprintf("beyond the numbers of 32 bits, %.2g at most", math.MaxFloat32)
	}
	return "not a finite number"
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// ParseTime returns the seconds since 1970 of a time: a number of seconds, milliseconds, microseconds or nanoseconds, whose
// fraction is cut off, or a date with or without a time of day in one of the usual forms. Of 3/4/2021 the month comes
// first, of 3.4.2021 the day. A time without a zone is UTC.
func ParseTime(b []byte) (seconds int64, ok bool) {
	if len(b) == 0 || len(b) > 40 {
		return 0, false
	}
	if len(b) <= 18 { // no overflow
		if n, ok := Digits(b); ok {
			return fromUnits(n), true
		}
	}
	if len(b) >= 10 && b[4] == '-' && b[7] == '-' {
		return parseDate(b)
	}
	if n, err := strconv.ParseInt(string(b), 10, 64); err == nil {
		return fromUnits(n), n != ratings.NoTime
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return parseWritten(string(b))
	}
	if !(math.Abs(v) < 1<<62) {
		return 0, false
	}
	for _, c := range b {
		if c == 'x' || c == 'X' || c == '_' {
			return 0, false
		}
	}
	return fromUnits(int64(v)), true
}

// lastSecond is the first second of the year 10000. A larger number is one of milliseconds, from 1978 on, or of smaller units.
const lastSecond = 253402300800

// fromUnits returns the seconds of a number of seconds or of smaller units.
func fromUnits(n int64) int64 {
	for n >= lastSecond {
		n /= 1000
	}
	return n
}

// dateLayouts are the forms of dates that begin with a year; other ones stand in writtenLayouts.
var dateLayouts = []string{
	time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05 -0700 MST", "2006-01-02 15:04:05 -0700",
	"2006-01-02T15:04:05-0700", "2006-01-02 15:04", "2006-01-02T15:04",
}

// writtenLayouts are the forms of other dates: with slashes as in the United States, with dots as in Europe, with the names
// of months, and those of programs.
var writtenLayouts = []string{
	"1/2/2006", "1/2/2006 15:04:05", "1/2/2006 15:04", "1/2/2006 3:04:05 PM", "1/2/2006 3:04 PM", "1/2/06", "2006/1/2", "2006/1/2 15:04:05", "2006/1/2 15:04",
	"2.1.2006", "2.1.2006 15:04:05", "2.1.2006 15:04", "1 2, 2006",
	"Jan 2, 2006", "Jan 2 2006", "2 Jan 2006", "January 2, 2006", "January 2 2006", "2 January 2006", "2-Jan-2006", "2-Jan-06",
	"Jan 2, 2006 15:04:05", "Jan 2, 2006, 3:04:05 PM", "2 Jan 2006 15:04:05",
	time.RFC1123, time.RFC1123Z, time.ANSIC, time.UnixDate, time.RubyDate,
}

func parseDate(b []byte) (int64, bool) {
	if len(b) == 10 { // without a copy: files have millions of dates
		year, okYear := Digits(b[:4])
		month, okMonth := Digits(b[5:7])
		day, okDay := Digits(b[8:])
		t := time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC)
		return t.Unix(), okYear && okMonth && okDay && int64(t.Month()) == month && int64(t.Day()) == day
	}
	return parseLayouts(string(b), dateLayouts)
}

func parseWritten(date string) (int64, bool) {
	if len(date) < 6 { // no form is shorter, and most texts that are no dates are
		return 0, false
	}
	return parseLayouts(date, writtenLayouts)
}

func parseLayouts(date string, layouts []string) (int64, bool) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, date); err == nil {
			return t.Unix(), t.Unix() < lastSecond // as it can be written and read again
		}
	}
	return 0, false
}

// Digits returns the number of up to 18 digits.
func Digits(b []byte) (n int64, ok bool) {
	for _, c := range b {
		if !digit(c) {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, len(b) > 0
}

// AppendRating appends the shortest decimal whose float32 is v.
func AppendRating(b []byte, v float32) []byte {
	if a := math.Abs(float64(v)); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(b, float64(v), 'e', -1, 32)
	}
	return strconv.AppendFloat(b, float64(v), 'f', -1, 32)
}

package text

import (
	"math"
	"strconv"
	"time"

	"fubini/data/ratings"
)

// ParseRating reads a decimal number exactly, as strconv does, without a copy. A
// number beyond float32 is none, nor are NaN, infinity and hexadecimals.
func ParseRating(b []byte) (value float32, ok bool) {
	digits := b
	negative := false
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		negative = digits[0] == '-'
		digits = digits[1:]
	}
	var mantissa uint32
	places, point := 0, -1
	for k, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			mantissa = mantissa*10 + uint32(c-'0')
			if mantissa >= 1<<24 { // beyond what a float32 holds exactly
				return parseLong(b)
			}
			places++
		case c == '.' && point < 0:
			point = k
		default:
			return parseLong(b)
		}
	}
	if places == 0 {
		return 0, false
	}
	value = float32(mantissa)
	if point >= 0 {
		behind := len(digits) - 1 - point
		if behind >= len(tens) {
			return parseLong(b)
		}
		value /= tens[behind] // both exact, so rounded once
	}
	if negative {
		value = -value
	}
	return value, true
}

// tens are the powers of ten that float32 holds exactly.
var tens = [...]float32{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}

// parseLong is ParseRating for many digits and exponents.
func parseLong(b []byte) (float32, bool) {
	for _, c := range b { // strconv would take words, hexadecimals and underscores
		if !('0' <= c && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E') {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(b), 32)
	return float32(v), err == nil && !math.IsInf(v, 0)
}

// ParseTime reads seconds since 1970, also with a fraction, which is cut off, or
// a date, alone or with a time of day, as ISO 8601 and RFC 3339 have them.
// Without a zone it is UTC.
func ParseTime(b []byte) (seconds int64, ok bool) {
	if len(b) == 0 || len(b) > 40 {
		return 0, false
	}
	if len(b) <= 18 { // no overflow
		if n, ok := Digits(b); ok {
			return n, true
		}
	}
	if len(b) >= 10 && b[4] == '-' && b[7] == '-' {
		return parseDate(b)
	}
	if n, err := strconv.ParseInt(string(b), 10, 64); err == nil {
		return n, n != ratings.NoTime
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil || !(math.Abs(v) < 1<<62) {
		return 0, false
	}
	for _, c := range b {
		if c == 'x' || c == 'X' || c == '_' {
			return 0, false
		}
	}
	return int64(v), true
}

func parseDate(b []byte) (int64, bool) {
	if len(b) == 10 { // without a copy: files have millions of dates
		year, okYear := Digits(b[:4])
		month, okMonth := Digits(b[5:7])
		day, okDay := Digits(b[8:])
		t := time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC)
		return t.Unix(), okYear && okMonth && okDay && int64(t.Month()) == month && int64(t.Day()) == day
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 MST", "2006-01-02 15:04", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, string(b)); err == nil {
			return t.Unix(), true
		}
	}
	return 0, false
}

// Digits reads up to 18 digits.
func Digits(b []byte) (n int64, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, len(b) > 0
}

// AppendRating writes the shortest decimal that reads back as the same value.
func AppendRating(b []byte, v float32) []byte {
	if a := math.Abs(float64(v)); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(b, float64(v), 'e', -1, 32)
	}
	return strconv.AppendFloat(b, float64(v), 'f', -1, 32)
}

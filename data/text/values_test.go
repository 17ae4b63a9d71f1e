package text

import (
	"math"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestNumbers compares with strconv.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`[+-]?[0-9]{0,9}(\.[0-9]{0,12})?`),
			rapid.StringMatching(`-?[0-9]{1,30}(\.[0-9]{0,30})?(e[+-]?[0-9]{1,2})?`),
			rapid.Map(rapid.Float32(), func(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }),
		).Draw(t, "text")
		got, ok := ParseRating([]byte(text))
		v, err := strconv.ParseFloat(text, 32)
		if finite := err == nil && !math.IsNaN(v) && !math.IsInf(v, 0); ok != finite {
			t.Fatalf("%q: number %v, want %v", text, ok, finite)
		} else if ok && math.Float32bits(got) != math.Float32bits(float32(v)) {
			t.Fatalf("%q is %v, want %v", text, got, float32(v))
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32).Draw(t, "value")
		text := AppendRating(nil, v)
		if got, ok := ParseRating(text); !ok || math.Float32bits(got) != math.Float32bits(v) {
			t.Fatalf("%v is written %s and read %v", v, text, got)
		}
	})
	for text, want := range map[string]string{"4.0": "4", "3.5": "3.5", "0.1": "0.1", "-2": "-2", "100000000": "100000000", "1e30": "1e+30", "1e-9": "1e-09"} {
		if v, ok := ParseRating([]byte(text)); !ok || string(AppendRating(nil, v)) != want {
			t.Errorf("%s is written %s, want %s", text, AppendRating(nil, v), want)
		}
	}
}

// TestDates compares with package time.
func TestDates(t *testing.T) {
	for day := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2500; day = day.AddDate(0, 0, 1) {
		if day.Year() == 100 { // every kind of century, the rest is quicker
			day = time.Date(1580, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		text := day.Format("2006-01-02")
		if got, ok := ParseTime([]byte(text)); !ok || got != day.Unix() {
			t.Fatalf("%s is %d, want %d", text, got, day.Unix())
		}
	}
	for _, text := range []string{"", "x", "2000-13-01", "2000-00-01", "2000-01-32", "1900-02-29", "2000-1-1", "2000-01-01T", "2000-01-01 25:00:00", "NaN", "inf", "0x10", "1_000", "-", "99999999999999999999", "29/2/2000", "2.29.2000", "yesterday", "Feb 30, 2000", "1/2", "13/13/2000"} {
		if got, ok := ParseTime([]byte(text)); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
	for text, want := range map[string]int64{"0": 0, "-1": -1, "964982703": 964982703, "9.64982703E8": 964982703, "12.9": 12, "2000-02-29": 951782400,
		"964982703000": 964982703, "964982703123456": 964982703, "964982703123456789": 964982703, "9.64982703123e11": 964982703, "253402300799": 253402300799, "9999-12-31": 253402214400,
		"2/29/2000": 951782400, "02/29/2000": 951782400, "2/29/00": 951782400, "29.2.2000": 951782400, "2000/02/29": 951782400, "Feb 29, 2000": 951782400, "29 February 2000": 951782400,
		"29-Feb-2000": 951782400, "02 29, 2000": 951782400, "2/29/2000 13:00": 951829200, "2/29/2000 1:00 PM": 951829200, "2000-02-29T13:00:00.5Z": 951829200, "2000-02-29 14:00:00+01:00": 951829200,
		"2000-02-29 13:00:00 UTC": 951829200, "Tue, 29 Feb 2000 13:00:00 GMT": 951829200, "Tue Feb 29 13:00:00 +0000 2000": 951829200, "Tue Feb 29 13:00:00 2000": 951829200} {
		if got, ok := ParseTime([]byte(text)); !ok || got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}

package format

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"fubini/data/ratings"

	"pgregory.net/rapid"
)

// drawnID draws ids, some of them with what formats use for themselves.
func drawnID(odd bool) *rapid.Generator[string] {
	if !odd {
		return rapid.StringMatching(`[A-Za-z0-9_.-]{1,8}`)
	}
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{",", ";", "\t", "\"", "\"\"", "\n", "\r", "\r\n", " ", ":", "::", "|", "{", "}", "\\", "user", "item", "rating", "#", "é", "\ufeff", "\u2028", "😀", "<&>", "'", "0", "1", "\x00", "\x7f", "\xff"}),
		rapid.StringMatching(`[a-z0-9]{1,3}`),
	)
	return rapid.Map(rapid.SliceOfN(piece, 1, 5), func(p []string) string { return strings.Join(p, "") })
}

// drawnSet draws a set.
func drawnSet(t *rapid.T, odd bool) *ratings.Set {
	ids := drawnID(odd)
	timed := rapid.Bool().Draw(t, "timed")
	value := rapid.OneOf(
		rapid.Map(rapid.IntRange(1, 10), func(n int) float32 { return float32(n) / 2 }),
		rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32),
	)
	b := ratings.NewBuilder()
	for range rapid.IntRange(1, 20).Draw(t, "ratings") {
		when := int64(ratings.NoTime)
		if timed && rapid.IntRange(0, 9).Draw(t, "dated") > 0 {
			when = rapid.Int64Range(math.MinInt64+1, math.MaxInt64).Draw(t, "time")
		}
		if err := b.Add([]byte(ids.Draw(t, "user")), []byte(ids.Draw(t, "item")), value.Draw(t, "value"), when); err != nil {
			t.Fatal(err)
		}
	}
	set, _, err := b.Build(ratings.KeepLast)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestRoundTrips writes and reads: the same ratings come back, or the id that the
// format cannot hold was named and nothing was written.
func TestRoundTrips(t *testing.T) {
	for _, format := range []string{"csv", "tsv", "jsonl"} {
		for _, odd := range []bool{false, true} {
			t.Run(format+map[bool]string{true: " with odd ids"}[odd], rapid.MakeCheck(func(t *rapid.T) {
				set := drawnSet(t, odd)
				var text bytes.Buffer
				if err := Write(&text, set, Options{Format: format}); err != nil {
					if !odd || text.Len() > 0 || !strings.Contains(err.Error(), "user ") && !strings.Contains(err.Error(), "item ") {
						t.Fatalf("%v after %d bytes", err, text.Len())
					}
					return
				}
				o := Options{}
				if odd {
					o.Format = format // a first line of odd ids may look like anything
				}
				again, report, err := ReadStream(bytes.NewReader(text.Bytes()), "noname", o)
				if err != nil {
					t.Fatalf("%v\n%s", err, text.Bytes())
				}
				if report.Format != format {
					t.Fatalf("read as %s:\n%s", report.Format, text.Bytes())
				}
				if format == "tsv" { // has no times
					if again.Fingerprint() != set.Fingerprint() {
						t.Fatalf("%q became %q", listed(set), listed(again))
					}
				} else if got, want := listed(again), listed(set); got != want || again.Fingerprint() != set.Fingerprint() {
					t.Fatalf("%q became %q", want, got)
				}
			}))
		}
	}
}

// TestNumbers compares with strconv.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`[+-]?[0-9]{0,9}(\.[0-9]{0,12})?`),
			rapid.StringMatching(`-?[0-9]{1,30}(\.[0-9]{0,30})?(e[+-]?[0-9]{1,2})?`),
			rapid.Map(rapid.Float32(), func(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }),
		).Draw(t, "text")
		got, ok := parseRating([]byte(text))
		v, err := strconv.ParseFloat(text, 32)
		if finite := err == nil && !math.IsNaN(v) && !math.IsInf(v, 0); ok != finite {
			t.Fatalf("%q: number %v, want %v", text, ok, finite)
		} else if ok && math.Float32bits(got) != math.Float32bits(float32(v)) {
			t.Fatalf("%q is %v, want %v", text, got, float32(v))
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32).Draw(t, "value")
		text := appendRating(nil, v)
		if got, ok := parseRating(text); !ok || math.Float32bits(got) != math.Float32bits(v) {
			t.Fatalf("%v is written %s and read %v", v, text, got)
		}
	})
	for text, want := range map[string]string{"4.0": "4", "3.5": "3.5", "0.1": "0.1", "-2": "-2", "100000000": "100000000", "1e30": "1e+30", "1e-9": "1e-09"} {
		if v, ok := parseRating([]byte(text)); !ok || string(appendRating(nil, v)) != want {
			t.Errorf("%s is written %s, want %s", text, appendRating(nil, v), want)
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
		if got, ok := parseTime([]byte(text)); !ok || got != day.Unix() {
			t.Fatalf("%s is %d, want %d", text, got, day.Unix())
		}
	}
	for _, text := range []string{"", "x", "2000-13-01", "2000-00-01", "2000-01-32", "1900-02-29", "2000-1-1", "2000-01-01T", "2000-01-01 25:00:00", "NaN", "inf", "0x10", "1_000", "-", "99999999999999999999"} {
		if got, ok := parseTime([]byte(text)); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
	for text, want := range map[string]int64{"0": 0, "-1": -1, "964982703": 964982703, "9.64982703E8": 964982703, "12.9": 12, "2000-02-29": 951782400} {
		if got, ok := parseTime([]byte(text)); !ok || got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}

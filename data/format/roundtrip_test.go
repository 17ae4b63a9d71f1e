package format

import (
	"bytes"
	"math"
	"strings"
	"testing"

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
			when = rapid.Int64Range(math.MinInt64+1, 253402300799).Draw(t, "time") // later, it is read as milliseconds
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

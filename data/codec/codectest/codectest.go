// Package codectest is support for tests of codecs: sets of ratings drawn at random, written and read back.
package codectest

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fubini/data/codec"
	"fubini/data/ratings"
	"fubini/data/text"
)

// ReadBytes reads with one codec, around detection and decompression.
func ReadBytes(c *codec.Codec, content []byte, o codec.Options) (*ratings.Set, *codec.Report, error) {
	in := &codec.Input{Name: "test." + c.Name, R: bytes.NewReader(content), Size: -1, Counts: &codec.Report{}}
	b := ratings.NewBuilder()
	if err := c.Load(in, b, o); err != nil {
		return nil, in.Counts, err
	}
	s, report, err := b.Build(o.Duplicates)
	in.Counts.Report = report
	return s, in.Counts, err
}

// WriteTwice writes with one codec, twice: the bytes must be the same.
func WriteTwice(t rapid.TB, c *codec.Codec, s *ratings.Set, o codec.Options) []byte {
	t.Helper()
	var first, second bytes.Buffer
	if err := c.Write(&first, s, o); err != nil {
		t.Fatalf("writing %s: %v", c.Name, err)
	}
	if err := c.Write(&second, s, o); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Fatalf("writing %s a second time gives other bytes (%v)", c.Name, err)
	}
	return first.Bytes()
}

// RoundTrip writes and reads, and wants the format to be known by its beginning.
func RoundTrip(t rapid.TB, c *codec.Codec, s *ratings.Set, o codec.Options) *ratings.Set {
	t.Helper()
	content := WriteTwice(t, c, s, o)
	if !c.Detect(content[:min(len(content), 4096)]) {
		t.Fatalf("%s does not know its own file:\n%.300s", c.Name, content)
	}
	again, _, err := ReadBytes(c, content, o)
	if err != nil {
		t.Fatalf("%s cannot read what it wrote: %v\n%.300s", c.Name, err, content)
	}
	return again
}

// SetOf makes a set of rows of user, item and value.
func SetOf(t testing.TB, rows ...[3]any) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for _, row := range rows {
		if err := b.Add([]byte(row[0].(string)), []byte(row[1].(string)), float32(row[2].(float64)), ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// DrawSet draws a set of ratings.
func DrawSet(t *rapid.T, ids *rapid.Generator[string], values *rapid.Generator[float32], mostUsers int, timed bool) *ratings.Set {
	users := rapid.SliceOfNDistinct(ids, 1, mostUsers, rapid.ID[string]).Draw(t, "users")
	items := rapid.SliceOfNDistinct(ids, 1, 8, rapid.ID[string]).Draw(t, "items")
	b := ratings.NewBuilder()
	for _, user := range users {
		rated := rapid.SliceOfNDistinct(rapid.SampledFrom(items), 1, len(items), rapid.ID[string]).Draw(t, "rated")
		for _, item := range rated {
			when := int64(ratings.NoTime)
			if timed && rapid.IntRange(0, 9).Draw(t, "dated") > 0 {
				when = rapid.Int64Range(-1e12, 2e11).Draw(t, "when")
			}
			if err := b.Add([]byte(user), []byte(item), values.Draw(t, "value"), when); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Generators of ids, any and plain, and of values, any and 1 to 5.
var (
	AnyID    = rapid.StringN(1, 12, 40)
	PlainID  = rapid.StringMatching(`[A-Za-z0-9_.:é日-]{1,8}`)
	AnyLevel = rapid.Map(rapid.IntRange(1, 5), func(n int) float32 { return float32(n) })
	AnyValue = rapid.Custom(func(t *rapid.T) float32 {
		return rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32).Draw(t, "float") + 0 // no negative zero
	})
)

// CheckSame compares ids, values and times.
func CheckSame(t rapid.TB, got, want *ratings.Set) {
	t.Helper()
	if got.Fingerprint() != want.Fingerprint() || got.HasTimes() != want.HasTimes() {
		t.Fatalf("the set came back changed:\n%s\nwas\n%s", Spell(got), Spell(want))
	}
	for u := range got.Users().Len() {
		if !slices.Equal(got.Row(u).Times, want.Row(u).Times) {
			t.Fatalf("times came back changed: %v was %v", got.Row(u).Times, want.Row(u).Times)
		}
	}
}

// Spell writes a set as text: user, then item=value.
func Spell(s *ratings.Set) string {
	var out strings.Builder
	for u := range s.Users().Len() {
		out.WriteString(s.Users().ID(uint32(u)))
		row := s.Row(u)
		for k, item := range row.Items {
			out.WriteString(" " + s.Items().ID(item) + "=")
			out.Write(text.AppendRating(nil, row.Values[k]))
		}
		out.WriteString("\n")
	}
	return out.String()
}

// CheckRefused wants an error that names the file and contains the words.
func CheckRefused(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("read without an error; want one with %q", words)
	}
	for _, w := range append(words, "test.") {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not mention %q", err, w)
		}
	}
}

package codec_test

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fubini/data/codec"
	"fubini/data/codec/codectest"
	"fubini/data/text"
)

func TestTRECReads(t *testing.T) {
	for _, c := range []struct {
		*codec.Codec
		content, want string
	}{
		{&codec.Qrels, "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 -1\n", "q1 d1=2 d2=0\nq2 d1=-1\n"},
		{&codec.Qrels, "\ufeffq1\t0\td1\t2\r\n\r\nq1  0  d2  0.5", "q1 d1=2 d2=0.5\n"},
		{&codec.Run, "q1 Q0 d9 1 12.5 bm25\nq1 Q0 d1 2 1e-3 bm25\n", "q1 d1=0.001 d9=12.5\n"},
	} {
		s, counts, err := codectest.ReadBytes(c.Codec, []byte(c.content), codec.Options{})
		if err != nil {
			t.Errorf("%q: %v", c.content, err)
			continue
		}
		if got := codectest.Spell(s); got != c.want || counts.Lines != s.Len() {
			t.Errorf("%q: %q from %d lines, want %q", c.content, got, counts.Lines, c.want)
		}
		if !c.Detect([]byte(c.content)) || !c.Detect([]byte(c.content+"\nq3 ")) {
			t.Errorf("%q is not detected", c.content)
		}
	}
	for _, content := range []string{"196\t242\t3\t881250949\n", "", "\n", "q1 0 d1\n", "q1 0 d1 high\n", "1 0 2 3\n1 5 2 3\n"} {
		if codec.Qrels.Detect([]byte(content)) || codec.Run.Detect([]byte(content)) {
			t.Errorf("%q is taken for TREC", content)
		}
	}
}

func TestTRECRefuses(t *testing.T) {
	for _, c := range []struct {
		*codec.Codec
		content string
		words   []string
	}{
		{&codec.Qrels, "q 0 d 1\nq 0 d2\n", []string{":2:", "3 fields", "relevance"}},
		{&codec.Qrels, "q 0 d 1 1\n", []string{":1:", "5 fields"}},
		{&codec.Qrels, "q 0 d good\n", []string{":1:", "good"}},
		{&codec.Qrels, "q 0 d NaN\n", []string{":1:", "NaN"}},
		{&codec.Qrels, "q 0 d 1e99\n", []string{":1:", "1e99"}},
		{&codec.Qrels, "q 0 d " + strings.Repeat("1", text.MaxLine) + "\n", []string{":1:", "longer"}},
		{&codec.Qrels, "q 0 d\x00 1\n", []string{":1:", "NUL"}},
		{&codec.Run, "q Q0 d 1 2.5\n", []string{":1:", "5 fields", "tag"}},
		{&codec.Run, "q Q0 d first 2.5 me\n", []string{":1:", "first"}},
		{&codec.Run, "q Q0 d 1 Inf me\n", []string{":1:", "Inf"}},
	} {
		_, _, err := codectest.ReadBytes(c.Codec, []byte(c.content), codec.Options{})
		codectest.CheckRefused(t, err, c.words...)
	}
}

func TestTRECWrites(t *testing.T) {
	s := codectest.SetOf(t, [3]any{"u", "a", 3.}, [3]any{"u", "b", 5.}, [3]any{"u", "c", 5.}, [3]any{"v", "a", 0.}, [3]any{"v", "b", 0.})
	if got, want := string(codectest.WriteTwice(t, &codec.Qrels, s, codec.Options{})), "u 0 a 3\nu 0 b 5\nu 0 c 5\nv 0 a 0\nv 0 b 0\n"; got != want {
		t.Errorf("qrels:\n%swant\n%s", got, want)
	}
	want := "u Q0 b 1 5 fubini\nu Q0 c 2 4.9999995 fubini\nu Q0 a 3 3 fubini\nv Q0 a 1 0 fubini\nv Q0 b 2 -1e-45 fubini\n"
	if got := string(codectest.WriteTwice(t, &codec.Run, s, codec.Options{})); got != want {
		t.Errorf("run:\n%swant\n%s", got, want)
	}
	for _, c := range []struct {
		*codec.Codec
		user, item string
		value      float64
		o          codec.Options
		word       string
	}{
		{&codec.Qrels, "a b", "i", 1, codec.Options{}, "a b"},
		{&codec.Qrels, "u", "i\tj", 1, codec.Options{}, `i\tj`},
		{&codec.Qrels, "u", "i\u00a0j", 1, codec.Options{}, "i"},
		{&codec.Qrels, "u", "i", 2.5, codec.Options{}, "2.5"},
		{&codec.Run, "u", "two words", 1, codec.Options{}, "two words"},
	} {
		s := codectest.SetOf(t, [3]any{c.user, c.item, c.value})
		if err := c.Write(&bytes.Buffer{}, s, c.o); err == nil || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%q rates %q %g: %v", c.user, c.item, c.value, err)
		}
	}
	low := codectest.SetOf(t, [3]any{"u", "a", -math.MaxFloat32}, [3]any{"u", "b", -math.MaxFloat32})
	if err := codec.Run.Write(&bytes.Buffer{}, low, codec.Options{}); err == nil || !strings.Contains(err.Error(), "below") {
		t.Errorf("no score below the lowest: %v", err)
	}
}

func TestQrelsRoundTrip(t *testing.T) {
	whole := rapid.Map(rapid.IntRange(-1<<24, 1<<24), func(n int) float32 { return float32(n) })
	rapid.Check(t, func(t *rapid.T) {
		s := codectest.DrawSet(t, codectest.PlainID, rapid.OneOf(whole, codectest.AnyLevel), 6, false)
		codectest.CheckSame(t, codectest.RoundTrip(t, &codec.Qrels, s, codec.Options{}), s)
	})
}

// Scores decrease strictly, the order of a user's items stays, and a run without
// ties comes back as it was.
func TestRunRoundTrip(t *testing.T) {
	values := rapid.OneOf(codectest.AnyValue, codectest.AnyLevel, rapid.SampledFrom([]float32{0, 5, 5 - 1<<20, math.Nextafter32(5, 0)}))
	rapid.Check(t, func(t *rapid.T) {
		s := codectest.DrawSet(t, codectest.PlainID, rapid.Map(values, func(v float32) float32 { return max(v, -1e38) }), 6, false)
		content := codectest.WriteTwice(t, &codec.Run, s, codec.Options{})
		before, user, rank := math.Inf(1), "", 0
		for line := range strings.Lines(string(content)) {
			f := strings.Fields(line)
			if f[0] != user {
				before, user, rank = math.Inf(1), f[0], 0
			}
			score, err := strconv.ParseFloat(f[4], 32)
			if rank++; err != nil || !(score < before) || f[3] != strconv.Itoa(rank) || f[5] != "fubini" {
				t.Fatalf("line %q after score %g", line, before)
			}
			before = score
		}
		once := codectest.RoundTrip(t, &codec.Run, s, codec.Options{})
		for u := range s.Users().Len() {
			was, is := s.Row(u), once.Row(u)
			for a := range was.Items {
				for b := range was.Items {
					if was.Values[a] > was.Values[b] && !(is.Values[a] > is.Values[b]) {
						t.Fatalf("the order changed: %v were %v", is.Values, was.Values)
					}
				}
			}
		}
		codectest.CheckSame(t, codectest.RoundTrip(t, &codec.Run, once, codec.Options{}), once)
	})
}

func FuzzTREC(f *testing.F) {
	f.Add([]byte("q1 0 d1 2\nq1 0 d2 0\n"), false)
	f.Add([]byte("q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 2.5 tag\r\n"), true)
	f.Fuzz(func(t *testing.T, content []byte, run bool) {
		c := &codec.Qrels
		if run {
			c = &codec.Run
		}
		c.Detect(content)
		s, _, err := codectest.ReadBytes(c, content, codec.Options{})
		if err != nil || s.Len() == 0 {
			return
		}
		var out bytes.Buffer
		if err := c.Write(&out, s, codec.Options{}); err != nil {
			return // fractions in qrels, control characters in ids
		}
		again, _, err := codectest.ReadBytes(c, out.Bytes(), codec.Options{})
		if err != nil {
			t.Fatalf("wrote what cannot be read: %v\n%s", err, out.Bytes())
		}
		if again.Len() != s.Len() || again.Users().Len() != s.Users().Len() || again.Items().Len() != s.Items().Len() {
			t.Fatalf("got\n%swas\n%s", codectest.Spell(again), codectest.Spell(s))
		}
	})
}

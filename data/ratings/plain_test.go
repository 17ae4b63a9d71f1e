package ratings

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shape is that of lines of a test, with times or without.
func shape(timed bool) *PlainLines {
	s := &PlainLines{Separator: ',', User: 0, Item: 1, Rating: 2, Time: -1, Width: 3,
		ParseRating: func(field []byte) (float32, bool) {
			v, err := strconv.ParseFloat(string(field), 32)
			return float32(v), err == nil
		},
		ParseTime: func(field []byte) (int64, bool) {
			v, err := strconv.ParseInt(string(field), 10, 64)
			return v, err == nil
		},
	}
	if timed {
		s.Time, s.Width = 3, 4
	}
	return s
}

// addPlain adds ratings by AddPlain, which must take them all.
func addPlain(t interface{ Fatalf(string, ...any) }, b *Builder, rows []one, timed bool) {
	var text []byte
	for _, r := range rows {
		text = fmt.Appendf(text, "%s,%s,%g", r.user, r.item, r.value)
		if timed {
			text = fmt.Appendf(text, ",%d", r.when)
		}
		text = append(text, '\n')
	}
	text = slices.Grow(text, PlainSlack)
	if lines, size := b.AddPlain(shape(timed), text); lines != len(rows) || size != len(text) {
		t.Fatalf("%d lines and %d bytes of %q, want %d and %d", lines, size, text, len(rows), len(text))
	}
}

// AddPlain adds what Add adds, alone or in turn, with times, without and with some.
func TestAddPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alone, both := NewBuilder(), NewBuilder()
		for batch := range rapid.IntRange(1, 5).Draw(t, "batches") {
			var rows []one
			timed := rapid.Bool().Draw(t, "timed")
			times := rapid.OneOf(rapid.Int64Range(0, 2e9), rapid.Int64Range(-9, 1e12))
			for k := range rapid.IntRange(1, 80).Draw(t, "rows") {
				r := one{rapid.SampledFrom([]string{"1", "2", "x", "12345678"}).Draw(t, "user"), rapid.SampledFrom([]string{"", "0", "a"}).Draw(t, "kind") + fmt.Sprint(1000*batch+k), float32(k%5) / 2, NoTime}
				if timed {
					r.when = times.Draw(t, "when")
				}
				rows = append(rows, r)
				if err := alone.Add([]byte(r.user), []byte(r.item), r.value, r.when); err != nil {
					t.Fatal(err)
				}
			}
			addPlain(t, both, rows, timed)
			for _, b := range []*Builder{alone, both} {
				if err := b.Add([]byte("a user with a long id"), fmt.Append(nil, batch), 1, NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		var files [2]bytes.Buffer
		var reports [2]Report
		for k, b := range []*Builder{alone, both} {
			s, report, err := b.Build(Refuse)
			if err != nil {
				t.Fatal(err)
			}
			reports[k] = report
			if err := s.WriteCompact(&files[k]); err != nil {
				t.Fatal(err)
			}
		}
		if reports[0] != reports[1] || !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Fatalf("%+v, want %+v", reports[1], reports[0])
		}
	})
}

// Chunks are filled to their end and not beyond, items and values may be too many for small numbers, and values for numbers of their own.
func TestAddPlainOverLimits(t *testing.T) {
	for name, c := range map[string]struct {
		item  func(k int) int
		value func(k int) float32
	}{
		"chunks":      {func(k int) int { return k % 1000 }, func(k int) float32 { return float32(k % 7) }},
		"many items":  {func(k int) int { return k }, func(k int) float32 { return float32(k % 300) }},
		"many values": {func(k int) int { return k % 1000 }, func(k int) float32 { return float32(k * min(k%3, 1)) }},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder()
			const n = 2*mostLevels + 3000
			for from := 0; from < n; from += 1000 {
				var rows []one
				for k := from; k < min(n, from+1000); k++ {
					rows = append(rows, one{fmt.Sprint(k / 1000), fmt.Sprint(c.item(k)), c.value(k), NoTime})
				}
				addPlain(t, b, rows, false)
			}
			s, _, err := b.Build(Refuse)
			if err != nil || s.Len() != n {
				t.Fatal(s.Len(), err)
			}
			for k := range n {
				u, _ := s.Users().Find(fmt.Sprint(k / 1000))
				i, _ := s.Items().Find(fmt.Sprint(c.item(k)))
				row := s.Row(int(u))
				if at, ok := slices.BinarySearch(row.Items, i); !ok || row.Values[at] != c.value(k) {
					t.Fatalf("rating %d is not %g", k, c.value(k))
				}
			}
		})
	}
}

func TestEightDigits(t *testing.T) {
	for _, text := range []string{"00000000", "12345678", "99999999", "90000001"} {
		word := ShortID([]byte(text))
		want, err := strconv.ParseInt(text, 10, 64)
		if err != nil || !eightDigits(word) || eightDigitsValue(word) != want {
			t.Errorf("%s is %d", text, eightDigitsValue(word))
		}
		for at := range text {
			for c := range 128 {
				var word uint64
				for k, b := range []byte(text[:at] + string(rune(c)) + text[at+1:]) {
					word |= uint64(b) << (8 * k)
				}
				if want := strings.ContainsRune("0123456789", rune(c)); eightDigits(word) != want {
					t.Errorf("%s with %q at %d are eight digits: %t", text, rune(c), at, !want)
				}
			}
		}
	}
}

// BenchmarkAddPlain reads lines like those of MovieLens 1M, with times and without.
func BenchmarkAddPlain(b *testing.B) {
	for _, timed := range []bool{true, false} {
		b.Run(map[bool]string{true: "times", false: "no times"}[timed], func(b *testing.B) {
			var text []byte
			const n = 100_000
			for k := range n {
				text = fmt.Appendf(text, "%d,%d,%d", k/165+1, k*7919%3706+1, k*7919%11%5+1)
				if timed {
					text = fmt.Appendf(text, ",%d", 978300760+k*31)
				}
				text = append(text, '\n')
			}
			text = slices.Grow(text, PlainSlack)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if lines, _ := NewBuilder().AddPlain(shape(timed), text); lines != n {
					b.Fatal(lines)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n/float64(b.N), "ns/line")
		})
	}
}

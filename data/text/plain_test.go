package text

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fubini/data/ratings"
)

// shapes of the lines in the tests.
var plainShapes = []struct {
	separator byte
	quotes    bool
	columns   PlainColumns
}{
	{':', false, PlainColumns{0, 1, 2, 3, 4}},
	{',', true, PlainColumns{0, 1, 2, 3, 4}},
	{';', true, PlainColumns{1, 0, 2, -1, 3}},
	{'\t', false, PlainColumns{0, 3, 1, 2, 5}},
	{'\t', true, PlainColumns{0, 1, -1, -1, 2}},
}

// lineByLine reads a rating by Next and the functions that the formats use. It is false for a line that Plain must leave to others.
func lineByLine(t *Fields, c PlainColumns) (row ratings.Short, ok bool) {
	if len(t.Values) != c.Width {
		return row, false
	}
	row = ratings.Short{User: ratings.ShortID(t.Values[c.User]), Item: ratings.ShortID(t.Values[c.Item]), Value: 1, When: ratings.NoTime}
	ok = row.User != 0 && row.Item != 0
	if c.Rating >= 0 {
		value, number := ParseRating(t.Values[c.Rating])
		row.Value, ok = value, ok && number
	}
	if c.Time >= 0 {
		var s Slashes
		when, _, date := s.Parse(t.Values[c.Time], 1)
		row.When, ok = when, ok && date && s == Slashes{}
	}
	return row, ok
}

// Plain and Next together read what Next alone reads, at the same lines, in whatever portions a text comes.
func TestPlain(t *testing.T) {
	field := rapid.OneOf(
		rapid.StringMatching(`[1-9][0-9]{0,7}`), rapid.StringMatching(`[1-9][0-9]{0,18}`), rapid.StringMatching(`[0-9]{8,10}`), rapid.StringMatching(`[0-5](\.[05])?`),
		rapid.StringMatching(`[a-z:]{0,12}`), rapid.SampledFrom([]string{"", " ", " 1", "1 ", "a b", `"1"`, `"1,2"`, "x\r", "2000-07-30", "3/4/2021", "30/7/2000", "4,5", "1e3", "NaN", "-3", "ä", "\x00", "+", ":", "::"}),
	)
	quick := 0
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SampledFrom(plainShapes).Draw(t, "shape")
		separator := strings.Repeat(string(shape.separator), 1+strings.Count(":", string(shape.separator)))
		var text strings.Builder
		for range rapid.IntRange(0, 40).Draw(t, "lines") {
			fields := rapid.SliceOfN(rapid.StringMatching(`[1-9][0-9]{0,3}`), shape.columns.Width, shape.columns.Width).Draw(t, "fields")
			if rapid.IntRange(0, 2).Draw(t, "odd") == 0 {
				fields = rapid.SliceOfN(field, 1, shape.columns.Width+1).Draw(t, "fields")
			}
			text.WriteString(strings.Join(fields, separator) + rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\n\n"}).Draw(t, "end"))
		}
		all := text.String() + rapid.SampledFrom([]string{"", "1", strings.Repeat("\n", 80)}).Draw(t, "rest")
		chunk := rapid.SampledFrom([]int{1 << 20, 100, 7}).Draw(t, "chunk")
		open := func() *Fields {
			return &Fields{Lines: NewLines("x", &slowly{strings.NewReader(all), chunk}), Separator: shape.separator, Quotes: shape.quotes}
		}
		alone, both := open(), open()
		rows := make([]ratings.Short, rapid.IntRange(1, 5).Draw(t, "rows"))
		for {
			n := both.Plain(shape.columns, rows)
			quick += n
			for k := range n {
				err := alone.Next()
				want, ok := lineByLine(alone, shape.columns)
				if err != nil || !ok || rows[k] != want || both.Number-n+k+1 > alone.Number {
					t.Fatalf("line %d of %q is %v, want %v, %t, %v", alone.Number, all, rows[k], want, ok, err)
				}
			}
			if n > 0 && both.Number != alone.Number {
				t.Fatalf("at line %d of %q, want %d", both.Number, all, alone.Number)
			}
			if n == len(rows) {
				continue
			}
			errAlone, errBoth := alone.Next(), both.Next()
			if fmt.Sprint(errAlone) != fmt.Sprint(errBoth) || both.Number != alone.Number || errAlone == nil && !bytes.Equal(bytes.Join(alone.Values, []byte{0}), bytes.Join(both.Values, []byte{0})) {
				t.Fatalf("%q: %v at %d, want %v at %d", all, errBoth, both.Number, errAlone, alone.Number)
			}
			if errAlone == io.EOF {
				break
			}
		}
	})
	if quick == 0 {
		t.Error("no line was plain")
	}
}

// Lines that large files have are plain.
func TestPlainLines(t *testing.T) {
	for k, lines := range []string{
		"1::1193::5::978300760\n6040::1097::4::956715569\r\n1::2::10::0\n",
		"1,31,2.5,1260759144\n671,6565,3.5,1074784724\n12345678,a-1,4.25,2000-07-30\n",
		"31;1;2.5\n6565;671;3\nx;y;-1e-3\n",
		"196\t3\t881250949\t242\tx y\n186\t3\t891717742123\t302\t\n22\t1\t878887116\t377\tz\n",
		"1\t2\n3\t4\nann\tMatrix\n",
	} {
		shape := plainShapes[k]
		f := &Fields{Lines: NewLines("x", strings.NewReader("0\n"+lines+strings.Repeat("\n", 80))), Separator: shape.separator, Quotes: shape.quotes}
		if err := f.Next(); err != nil {
			t.Fatal(err)
		}
		if n := f.Plain(shape.columns, make([]ratings.Short, 9)); n != 3 || f.Number != 4 {
			t.Errorf("%d lines of %q are plain, at line %d", n, lines, f.Number)
		}
	}
}

func TestEightDigits(t *testing.T) {
	for _, text := range []string{"00000000", "12345678", "99999999", "90000001"} {
		word := ratings.ShortID([]byte(text))
		want, _ := Digits([]byte(text))
		if !eightDigits(word) || eightDigitsValue(word) != want {
			t.Errorf("%s is %d", text, eightDigitsValue(word))
		}
		for at := range text {
			for c := range 128 {
				other := []byte(text)
				other[at] = byte(c)
				var word uint64
				for k, b := range other {
					word |= uint64(b) << (8 * k)
				}
				if _, want := Digits(other); eightDigits(word) != want {
					t.Errorf("%q are eight digits: %t", other, !want)
				}
			}
		}
	}
}

func BenchmarkPlain(b *testing.B) {
	var text bytes.Buffer
	for k := range 100_000 {
		fmt.Fprintf(&text, "%d::%d::%d::%d\n", k/165+1, k*7919%3706+1, k%5+1, 978300760+k*31)
	}
	rows := make([]ratings.Short, 256)
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		sum := float32(0)
		t := Fields{Lines: NewLines("x", bytes.NewReader(text.Bytes())), Separator: ':'}
		for t.Next() == nil {
			for n := len(rows); n == len(rows); sum += rows[0].Value {
				n = t.Plain(PlainColumns{0, 1, 2, 3, 4}, rows)
			}
		}
		if math.IsNaN(float64(sum)) || t.Number != 100_000 {
			b.Fatal(t.Number)
		}
	}
}

package text

import (
	"bytes"
	"fmt"
	"io"
	"slices"
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

// lineByLine adds a rating by Next and the functions that the formats use. It is false for a line that Plain must leave to others.
func lineByLine(t *Fields, c PlainColumns, b *ratings.Builder) (ok bool) {
	if len(t.Values) != c.Width {
		return false
	}
	user, item, value, when := t.Values[c.User], t.Values[c.Item], float32(1), int64(ratings.NoTime)
	ok = ratings.ShortID(user) != 0 && ratings.ShortID(item) != 0
	if c.Rating >= 0 {
		number := false
		value, number = ParseRating(t.Values[c.Rating])
		ok = ok && number
	}
	if c.Time >= 0 {
		var s Slashes
		date := false
		when, _, date = s.Parse(t.Values[c.Time], 1)
		ok = ok && date && s == Slashes{}
	}
	return ok && b.Add(user, item, value, when) == nil
}

// Plain and Next together read what Next alone reads, at the same lines, in whatever portions a text comes.
func TestPlain(t *testing.T) {
	field := rapid.OneOf(
		rapid.StringMatching(`[1-9][0-9]{0,7}`), rapid.StringMatching(`[1-9][0-9]{0,18}`), rapid.StringMatching(`[0-9]{7,12}`), rapid.StringMatching(`[0-5](\.[05])?`),
		rapid.StringMatching(`[a-z:]{0,12}`), rapid.SampledFrom([]string{"", " ", " 1", "1 ", "a b", `"1"`, `"1,2"`, "x\r", "2000-07-30", "3/4/2021", "30/7/2000", "4,5", "1e3", "NaN", "-3", "ä", "\x00", "+", ":", "::", "3.00000000", "0000000003"}),
	)
	quick := 0
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SampledFrom(plainShapes).Draw(t, "shape")
		separator := strings.Repeat(string(shape.separator), 1+strings.Count(":", string(shape.separator)))
		var text strings.Builder
		var before []string // the line before
		for range rapid.IntRange(0, 40).Draw(t, "lines") {
			fields := rapid.SliceOfN(rapid.StringMatching(`[1-9][0-9]{0,3}`), shape.columns.Width, shape.columns.Width).Draw(t, "fields")
			if before != nil && rapid.IntRange(0, 3).Draw(t, "another user") > 0 { // most lines are of the same user
				copy(fields, before[:min(len(before), rapid.IntRange(1, shape.columns.Width).Draw(t, "same"))])
			}
			before = slices.Clone(fields)
			switch rapid.IntRange(0, 5).Draw(t, "odd") {
			case 0:
				fields = rapid.SliceOfN(field, 1, shape.columns.Width+1).Draw(t, "fields")
			case 1: // as many fields as there are columns
				fields[rapid.IntRange(0, len(fields)-1).Draw(t, "at")] = field.Draw(t, "field")
			}
			text.WriteString(strings.Join(fields, separator) + rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\n\n"}).Draw(t, "end"))
		}
		all := text.String() + rapid.SampledFrom([]string{"", "1", strings.Repeat("\n", 80)}).Draw(t, "rest")
		chunk := rapid.OneOf(rapid.Just(1<<20), rapid.IntRange(1, 200)).Draw(t, "chunk")
		open := func() *Fields {
			return &Fields{Lines: NewLines("x", &slowly{strings.NewReader(all), chunk}), Separator: shape.separator, Quotes: shape.quotes}
		}
		alone, both := open(), open()
		want, got := ratings.NewBuilder(), ratings.NewBuilder()
		for {
			n := both.Plain(shape.columns, got)
			quick += n
			for k := range n {
				if err := alone.Next(); err != nil || !lineByLine(alone, shape.columns, want) || both.Number-n+k+1 > alone.Number {
					t.Fatalf("line %d of %q is plain, %v", alone.Number, all, err)
				}
			}
			if n > 0 && both.Number != alone.Number {
				t.Fatalf("at line %d of %q, want %d", both.Number, all, alone.Number)
			}
			errAlone, errBoth := alone.Next(), both.Next()
			if fmt.Sprint(errAlone) != fmt.Sprint(errBoth) || both.Number != alone.Number || errAlone == nil && !bytes.Equal(bytes.Join(alone.Values, []byte{0}), bytes.Join(both.Values, []byte{0})) {
				t.Fatalf("%q: %v at %d, want %v at %d", all, errBoth, both.Number, errAlone, alone.Number)
			}
			if errAlone == io.EOF {
				break
			}
			if a, b := errAlone == nil && lineByLine(alone, shape.columns, want), errBoth == nil && lineByLine(both, shape.columns, got); a != b {
				t.Fatalf("line %d of %q is a rating: %t, want %t", both.Number, all, b, a)
			}
		}
		if got.Len() == 0 && want.Len() == 0 {
			return
		}
		if a, b := compact(t, want), compact(t, got); !bytes.Equal(a, b) {
			t.Fatalf("%q has other ratings line by line", all)
		}
	})
	if quick == 0 {
		t.Error("no line was plain")
	}
}

// compact builds a set, with the last of several ratings, and returns its compact form.
func compact(t *rapid.T, b *ratings.Builder) []byte {
	set, _, err := b.Build(ratings.KeepLast)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := set.WriteCompact(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
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
		if n := f.Plain(shape.columns, ratings.NewBuilder()); n != 3 || f.Number != 4 {
			t.Errorf("%d lines of %q are plain, at line %d", n, lines, f.Number)
		}
	}
}

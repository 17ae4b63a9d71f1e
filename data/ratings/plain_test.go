package ratings

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fubini/data/marks"
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
		wantSameSet(t, both, alone)
	})
}

// wantSameSet fails unless two builders make the same set, to the byte of its compact form, and the same report.
func wantSameSet(t *rapid.T, got, want *Builder) {
	t.Helper()
	var files [2]bytes.Buffer
	var reports [2]Report
	for k, b := range []*Builder{want, got} {
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
}

// Lines of one user after the other's, with what may stand among them: the short loop takes those that it should, and adds what Add adds.
func TestAddRows(t *testing.T) {
	if !little {
		t.Skip("marks are looked at by bytes only where the low one comes first")
	}
	for name, separator := range map[string]byte{"commas": ',', "colons": ':'} {
		for _, timed := range []bool{true, false} {
			for _, odd := range []string{"", "1,17,3,964982703", "2,17,3,964982703", "1,17,3,9649827031", "1,17,3,96498270312", "1,17,3,96498270", "1,17,3,964982703123", "1,017,3,964982703", "1,1x,3,964982703", "1,18446744,3,964982703",
				"1,17,3.00,964982703", "1,17,3.000000001,964982703", "1,17,3,964982703\r", "12,17,3,964982703", "1,17,3,96498270x", "1,17,3,x64982703", "1,17,3,9649827O312"} {
				s := shape(timed)
				s.Separator = separator
				want, got := NewBuilder(), NewBuilder()
				var text []byte
				lines := 0
				add := func(line string) {
					fields := strings.Split(strings.TrimSuffix(line, "\r"), ",")
					value, err := strconv.ParseFloat(fields[2], 32)
					when := int64(NoTime)
					if timed {
						var wrong error
						when, wrong = strconv.ParseInt(fields[3], 10, 64)
						err = errors.Join(err, wrong)
					} else {
						line = strings.Join(fields[:3], ",") + strings.Repeat("\r", strings.Count(line, "\r"))
					}
					text = append(text, strings.ReplaceAll(line, ",", strings.Repeat(string(separator), newRowRun(s).gap))+"\n"...)
					if err != nil {
						lines = -1
					} else if lines >= 0 {
						lines++
						if err := want.Add([]byte(fields[0]), []byte(fields[1]), float32(value), when); err != nil {
							t.Fatal(err)
						}
					}
				}
				for _, user := range []int{1, 2, 12345678} {
					for k := range 40 {
						if k == 30 && odd != "" {
							add(odd)
						}
						add(fmt.Sprintf("%d,%d,%d,%d", user, 300+k, k%5, 978300760+10_000_000*k))
					}
				}
				text = slices.Grow(text, PlainSlack)
				n, size := got.AddPlain(s, text)
				if lines >= 0 && (n != lines || size != len(text)) || lines < 0 && n != 30 {
					t.Fatalf("%s, %t, %q: %d lines of %d", name, timed, odd, n, lines)
				}
				if lines < 0 {
					continue
				}
				var files [2]bytes.Buffer
				for k, b := range []*Builder{want, got} {
					set, _, err := b.Build(KeepFirst)
					if err != nil {
						t.Fatal(err)
					}
					if err := set.WriteCompact(&files[k]); err != nil {
						t.Fatal(err)
					}
				}
				if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
					t.Errorf("%s, %t, %q: other ratings than by Add", name, timed, odd)
				}
			}
		}
	}
}

// twins reads lines of a user by the short loop of this processor and by the plain one, which must stop at the same place and leave the same ratings and the
// same beginnings of times. It reports whether they read all.
func twins(t *testing.T, s *PlainLines, user string, lines ...string) (all bool) {
	t.Helper()
	run := newRowRun(s)
	separator := strings.Repeat(string(s.Separator), run.gap)
	b := NewBuilder()
	var text []byte
	for k := range 40 {
		text = append(text, strings.Join([]string{user, fmt.Sprint(k + 1), fmt.Sprint(k % 8), "978300760"}[:s.Width], separator)+"\n"...)
	}
	if n, _ := b.AddPlain(s, slices.Grow(text, PlainSlack)); n != 40 {
		t.Fatal(n)
	}
	first := len(user) + 6
	text = append(bytes.Repeat([]byte("9"), first-1), '\n') // the line before
	for _, line := range lines {
		text = append(text, strings.ReplaceAll(line, "|", separator)...)
	}
	text = slices.Grow(text, PlainSlack)
	run.of(ShortID([]byte(user)))
	p := b.plain
	blocks := (len(text) + 63) / 64
	marks.Find(text[:64*blocks], s.Separator, '\n', p.separators[:], p.ends[:])
	p.cut(len(text), blocks)
	p.join(blocks, run.gap == 2)
	p.place(&run, blocks)
	other, otherRun := *p, run
	single, singleRun := *p, run
	singleRun.placed = false // not eight lines at a time
	singleSize, singleFilled := single.addRows(&singleRun, b.items.short.decimal, text, first, 3, len(text))
	size, filled := p.addRows(&run, b.items.short.decimal, text, first, 3, len(text))
	otherSize, otherFilled := other.addRowsPlain(&otherRun, b.items.short.decimal, text, first, 3, len(text))
	run.placed, otherRun.placed = false, false
	if size != otherSize || filled != otherFilled || run != otherRun || singleSize != otherSize || singleFilled != otherFilled || singleRun != otherRun {
		t.Fatalf("%q: %d bytes and %d lines, one at a time %d and %d, want %d and %d", text, size, filled, singleSize, singleFilled, otherSize, otherFilled)
	}
	if !slices.Equal(single.item[:filled], other.item[:filled]) || !slices.Equal(single.number[:filled], other.number[:filled]) || !slices.Equal(single.when[:filled], other.when[:filled]) {
		t.Fatalf("%q has other ratings one line at a time", text)
	}
	if !slices.Equal(p.item[:filled], other.item[:filled]) || !slices.Equal(p.number[:filled], other.number[:filled]) || !slices.Equal(p.when[:filled], other.when[:filled]) {
		t.Fatalf("%q has other ratings", text)
	}
	return size == len(text)
}

// The short loops of this processor and of any read the same, whatever stands in a field and behind a line.
func TestAddRowsTwins(t *testing.T) {
	if !little {
		t.Skip("marks are looked at by bytes only where the low one comes first")
	}
	odd := []string{"5", "3", "", "0", "05", "00000001", "41", "1234567", "12345678", "123456789", "1x", "x1", "1/", "/1", "1:", ":1", " ", "3.5", "3.00", "96498270", "964982703", "1964982703", "19649827031", "96498270312", "196498270312", "964982703123", "96498270x", "96498270/", "9x4982703",
		"x64982703", "9649827O312", "7\r", "\"7\"", "\n", "5\n6", "5\r\n6", ",", ":", "\t", "|", "5|", "|5", "5|6", ":|", "|:"}
	// Lines that end where a field should, with as many bytes as a separator has.
	cut := []string{"\n5|3", "\n75|3", "|5\n3", "|5\n73", "|5|3\n978300760", "|5|3\n7978300760", "|5\n3|978300760", "|5\n73|978300760", "\n5|3|978300760", "\n75|3|978300760", "", "|", "||", "|||", "|5|3|978300760|5"}
	whole := map[bool]int{}
	for _, timed := range []bool{true, false} {
		for _, separator := range []byte(",:\t") {
			for _, user := range []string{"7", "123456", "1234567", "12345678", "a"} {
				for _, text := range cut {
					s := shape(timed)
					s.Separator = separator
					twins(t, s, user, user+"|17|2"+map[bool]string{true: "|978300760"}[timed]+"\n", user+text+"\n", user+"|40|1\n")
				}
				for field := range 4 {
					for _, text := range odd {
						for _, end := range []string{"\n", "\r\n", "\n\n", ""} {
							s := shape(timed)
							s.Separator = separator
							line := func(item, rating, when string) []string {
								return []string{user, item, rating, when}[:s.Width]
							}
							middle := line("5", "3", "1278300761")
							if field < len(middle) {
								middle[field] = text
							}
							if twins(t, s, user, strings.Join(line("17", "2", "978300760"), "|")+"\n", strings.Join(middle, "|")+end, strings.Join(line("40", "1", "12978300760"), "|")+"\n") {
								whole[timed]++
							}
						}
					}
				}
			}
		}
	}
	if whole[true] < 300 || whole[false] < 300 {
		t.Errorf("%v texts were read whole", whole)
	}
}

// An odd line at any place among others, as many as a window has: of eight lines at once, those before it count, and it may be any of them.
func TestAddRowsTwinsAtAnyPlace(t *testing.T) {
	if !little {
		t.Skip("marks are looked at by bytes only where the low one comes first")
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, odd := range []string{"7|17|2\n", "7|05|2\n", "7|0|2\n", "7|17|2\r\n", "8|17|2\n", "77|17|2\n", "7|1x|2\n", "7|/7|2\n", "7|:7|2\n", "7||2\n", "7|17|\n", "7|17\n", "\n", "7|17|2|3\n", "7\n17|2\n", "7|17\n2\n", "7|17|3.5000\n", "7|17|3.50000\n", "7|17|9\n", "7|41|2\n", "7|99999999|2\n", "7|123456789|2\n", "7|17\"|2\n", "7|17|2"} {
		for place := range 26 {
			for _, user := range []string{"7", "1234567", "12345678"} {
				var lines []string
				for k := range 26 {
					line := fmt.Sprintf("%s|%d|%d\n", user, 1+r.IntN(40), r.IntN(8))
					if k == place {
						if line = odd; line[0] == '7' {
							line = user + line[1:]
						}
					}
					lines = append(lines, line)
				}
				s := shape(false)
				if all := twins(t, s, user, lines...); all != (odd == "7|17|2\n" || odd == "7|17|2\r\n") {
					t.Errorf("%q at %d: %t", odd, place, all)
				}
			}
		}
	}
}

// The short loop takes all lines of a user but those that it need not: the speed depends on it.
func TestAddRowsTakesLines(t *testing.T) {
	if !little {
		t.Skip("marks are looked at by bytes only where the low one comes first")
	}
	for _, timed := range []bool{true, false} {
		var text []byte
		for k := range 60 {
			text = fmt.Appendf(text, "7,%d,%d", 1+k%9, k%5)
			if timed {
				text = fmt.Appendf(text, ",%d", 978300760+k)
			}
			text = append(text, '\n')
		}
		text = slices.Grow(text, PlainSlack)
		b, s := NewBuilder(), shape(timed)
		if n, _ := b.AddPlain(s, text); n != 60 {
			t.Fatal(n)
		}
		run := newRowRun(s)
		run.of(ShortID([]byte("7")))
		blocks := (len(text) + 63) / 64
		marks.Find(text[:64*blocks], ',', '\n', b.plain.separators[:], b.plain.ends[:])
		b.plain.cut(len(text), blocks)
		b.plain.join(blocks, false)
		b.plain.place(&run, blocks)
		first := bytes.IndexByte(text, '\n') + 1
		if size, filled := b.plain.addRows(&run, b.items.short.decimal, text, first, 0, len(text)); size != len(text) || filled != 59 {
			t.Errorf("%d lines, %d bytes of %d", filled, size, len(text))
		}
	}
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

// BenchmarkAddRows is the short loop alone, over the lines of one user in one window.
func BenchmarkAddRows(b *testing.B) {
	for _, timed := range []bool{true, false} {
		b.Run(map[bool]string{true: "times", false: "no times"}[timed], func(b *testing.B) {
			builder, s := NewBuilder(), shape(timed)
			var all, text []byte
			for k := range 17770 {
				all = fmt.Appendf(all, "1,%d,%d%s\n", k+1, k%5+1, map[bool]string{true: ",978300760"}[timed])
			}
			builder.AddPlain(s, slices.Grow(all, PlainSlack))
			r := rand.New(rand.NewPCG(1, 2))
			for len(text) < (window-2)*marks.Block {
				text = fmt.Appendf(text, "123456,%d,%d", r.IntN(17770)+1, r.IntN(5)+1)
				if timed {
					text = fmt.Appendf(text, ",%d", 978300760+r.IntN(90_000_000))
				}
				text = append(text, '\n')
			}
			text = slices.Grow(text, PlainSlack)
			run := newRowRun(s)
			run.of(ShortID([]byte("123456")))
			p := builder.plain
			blocks := (len(text) + 63) / 64
			marks.Find(text[:64*blocks], ',', '\n', p.separators[:], p.ends[:])
			p.cut(len(text), blocks)
			p.join(blocks, false)
			p.place(&run, blocks)
			first, lines := bytes.IndexByte(text, '\n')+1, 0
			for b.Loop() {
				_, lines = p.addRows(&run, builder.items.short.decimal, text, first, 0, len(text))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(lines)/float64(b.N), "ns/line")
			if lines != bytes.Count(text, []byte("\n"))-1 {
				b.Fatal(lines)
			}
		})
	}
}

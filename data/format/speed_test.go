package format

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"testing/fstest"
	"time"

	"fubini/data/codec"
	"fubini/data/ratings"
)

// synthetic is text in the shape of MovieLens: users one after the other, each
// with some items of the catalogue, no item twice. It is made while it is read.
type synthetic struct {
	users, items, each int
	separator          string

	user   int
	r      *rand.Rand
	order  []int
	text   []byte
	unread []byte
	lines  int
}

func newSynthetic(users, items, each int, separator string) *synthetic {
	s := &synthetic{users: users, items: items, each: each, separator: separator, r: rand.New(rand.NewPCG(1, 2))}
	s.order = s.r.Perm(items)
	return s
}

func (s *synthetic) Read(p []byte) (int, error) {
	for len(s.unread) == 0 {
		if s.user == s.users {
			return 0, io.EOF
		}
		s.user++
		s.text = s.text[:0]
		first := s.r.IntN(s.items)
		for k := range s.each {
			s.text = strconv.AppendInt(s.text, int64(s.user), 10)
			s.text = append(s.text, s.separator...)
			s.text = strconv.AppendInt(s.text, int64(s.order[(first+k)%s.items]), 10)
			s.text = append(s.text, s.separator...)
			s.text = strconv.AppendInt(s.text, int64(1+s.r.IntN(5)), 10)
			s.text = append(s.text, s.separator...)
			s.text = strconv.AppendInt(s.text, int64(950_000_000+s.r.IntN(90_000_000)), 10)
			s.text = append(s.text, '\n')
		}
		s.lines += s.each
		s.unread = s.text
	}
	n := copy(p, s.unread)
	s.unread = s.unread[n:]
	return n, nil
}

// BenchmarkRead reads a million ratings in the shape of MovieLens 1M, on one core.
func BenchmarkRead(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	set := readText(b, "ratings.dat", allOf(b, newSynthetic(6040, 3706, 165, "::")))
	for _, format := range []string{"movielens", "u.data", "csv", "tsv", "jsonl"} {
		b.Run(format, func(b *testing.B) {
			var text bytes.Buffer
			switch format {
			case "movielens":
				text.Write(allOf(b, newSynthetic(6040, 3706, 165, "::")))
			case "u.data":
				text.Write(allOf(b, newSynthetic(6040, 3706, 165, "\t")))
			default:
				if err := Write(&text, set, Options{Format: format}); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := ReadStream(bytes.NewReader(text.Bytes()), "x", Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("ml-1m", func(b *testing.B) {
		path := outside(b, "ml-1m/ratings.dat")
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		files := fstest.MapFS{"ratings.dat": {Data: text}}
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := Read(files, "ratings.dat", Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkParse leaves the building of the set out.
func BenchmarkParse(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	text := allOf(b, newSynthetic(6040, 3706, 165, "::"))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		in := &codec.Input{Name: "x", R: bytes.NewReader(text), Counts: &Report{}}
		if err := codec.MovieLens.Load(in, ratings.NewBuilder(), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	set := readText(b, "ratings.dat", allOf(b, newSynthetic(6040, 3706, 165, "::")))
	for _, format := range []string{"csv", "tsv", "jsonl"} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				if err := Write(io.Discard, set, Options{Format: format}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestLargeKeepsRate reads a gigabyte and some hundredth of it: time for each
// byte is about the same.
func TestLargeKeepsRate(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("reads 1 GB; set FUBINI_LONG=1")
	}
	rate := func(users int) (seconds, perByte float64) {
		source := &counted{r: newSynthetic(users, 20_000, 165, "::")}
		begin := time.Now()
		set, report, err := ReadStream(source, "ratings.dat", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if set.Len() != users*165 || report.Lines != set.Len() {
			t.Fatalf("%d ratings from %d lines, want %d", set.Len(), report.Lines, users*165)
		}
		seconds = time.Since(begin).Seconds()
		t.Logf("%d ratings, %.1f MB in %.2f s: %.0f MB/s", set.Len(), float64(source.n)/1e6, seconds, float64(source.n)/1e6/seconds)
		return seconds, seconds / float64(source.n)
	}
	rate(6_000)
	_, small := rate(6_000)
	_, large := rate(240_000)
	if !(large <= 2*small) { // larger tables miss caches; anything that grows faster than the file shows at once
		t.Errorf("%.2f ns a byte of 1 GB, %.2f ns of 25 MB", large*1e9, small*1e9)
	}
}

// TestNoAllocationPerLine holds for the ways through the readers that large files
// take.
func TestNoAllocationPerLine(t *testing.T) {
	const users, each = 400, 100
	base := readText(t, "ratings.dat", allOf(t, newSynthetic(users, 500, each, "::")))
	texts := map[string][]byte{
		"movielens": allOf(t, newSynthetic(users, 500, each, "::")),
		"u.data":    allOf(t, newSynthetic(users, 500, each, "\t")),
	}
	for _, format := range []string{"csv", "tsv", "jsonl"} {
		var text bytes.Buffer
		if err := Write(&text, base, Options{Format: format}); err != nil {
			t.Fatal(err)
		}
		texts[format] = text.Bytes()
	}
	var netflix bytes.Buffer
	for item := range 500 {
		fmt.Fprintf(&netflix, "%d:\n", item+1)
		for user := range 80 {
			fmt.Fprintf(&netflix, "%d,%d,2005-09-06\n", user, 1+user%5)
		}
	}
	texts["netflix"] = netflix.Bytes()
	for format, text := range texts {
		allocations := testing.AllocsPerRun(3, func() {
			if _, _, err := ReadStream(bytes.NewReader(text), "x", Options{}); err != nil {
				t.Fatal(format, err)
			}
		})
		// A few for each user and item, and for slices that grow.
		if lines := float64(users * each); allocations > 0.1*lines {
			t.Errorf("%s: %.0f allocations for %.0f ratings", format, allocations, lines)
		}
	}
}

func allOf(t testing.TB, r io.Reader) []byte {
	t.Helper()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func readText[T string | []byte](t testing.TB, name string, text T) *ratings.Set {
	t.Helper()
	set, _, err := ReadStream(bytes.NewReader([]byte(text)), name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// outside finds a file or a folder below FUBINI_DATA, or skips the test.
func outside(t testing.TB, path string) string {
	t.Helper()
	root := os.Getenv("FUBINI_DATA")
	if root == "" {
		t.Skipf("%s: FUBINI_DATA is not set", path)
	}
	for _, folder := range []string{"", "data", "shared/data"} {
		found := filepath.Join(root, folder, filepath.FromSlash(path))
		if _, err := os.Stat(found); err == nil {
			return found
		}
	}
	t.Skipf("%s is not below FUBINI_DATA", path)
	return ""
}

// counted counts the bytes that are read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

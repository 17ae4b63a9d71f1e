package ratings_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fubini/data/ratings"
)

var update = flag.Bool("update", false, "rewrite testdata/compact.hex")

func compact(t testing.TB, s *ratings.Set) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteCompact(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// small has everything that the form has a place for: times, one of them unknown, and a title.
func smallSet(t testing.TB) *ratings.Set {
	b := ratings.NewBuilder()
	b.Title("heat", "Heat (1995)")
	for _, r := range []triple{{"bob", "heat", 4.5, 800000000}, {"ann", "heat", 2, 900000000}, {"ann", "alien", 5, ratings.NoTime}, {"übü", "dune", -1, -5}} {
		if err := b.Add([]byte(r.user), []byte(r.item), r.value, r.when); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The form does not change: files that were written stay readable.
func TestCompactGolden(t *testing.T) {
	const name = "testdata/compact.hex"
	got := compact(t, smallSet(t))
	if *update {
		text := []byte("# go test ./data/ratings -run TestCompactGolden -update\n")
		for line := range slices.Chunk(got, 32) {
			text = append(hex.AppendEncode(text, line), '\n')
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, digits, _ := strings.Cut(string(text), "\n")
	want, err := hex.DecodeString(strings.ReplaceAll(digits, "\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the small set is written as\n%x\nand no longer as\n%x", got, want)
	}
	s, err := ratings.FromCompact(want)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(unroll(s), unroll(smallSet(t))) || s.Items().Name(2) != "Heat (1995)" || s.Items().Name(0) != "alien" || s.Untimed() != 1 {
		t.Errorf("read as %v", unroll(s))
	}
}

// Any set comes back as it was, from bytes at any address, and is found by id without a table of ids.
func TestCompactRoundTrip(t *testing.T) {
	for seed := range uint64(20) {
		set, _ := build(t, ratings.Refuse, world(seed, 1+int(seed), 7)...)
		for _, s := range []*ratings.Set{set, set.OfUsers(func(u int) bool { return u%2 == 1 })} { // rows without ratings too
			file := compact(t, s)
			shifted := append([]byte{1}, file...)[1:] // where numbers are not aligned
			for _, b := range [][]byte{file, shifted} {
				again, err := ratings.FromCompact(b)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(unroll(again), unroll(s)) || again.Fingerprint() != s.Fingerprint() || !bytes.Equal(compact(t, again), file) {
					t.Fatalf("%v became %v", unroll(s), unroll(again))
				}
				for n, id := range again.Users().IDs() {
					if at, known := again.Users().Find(id); !known || int(at) != n {
						t.Fatalf("user %q is number %d, not %d (%v)", id, n, at, known)
					}
				}
				if _, known := again.Items().Find("nobody"); known {
					t.Fatal("an unknown id was found")
				}
			}
		}
	}
	if err := must(ratings.NewBuilder(), "a\xff").WriteCompact(&bytes.Buffer{}); err == nil {
		t.Error("an id that is not UTF-8 was written")
	}
}

func must(b *ratings.Builder, user string) *ratings.Set {
	if err := b.Add([]byte(user), []byte("x"), 1, ratings.NoTime); err != nil {
		panic(err)
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		panic(err)
	}
	return s
}

// Tier lists keep the names of their tiers.
func TestCompactTiers(t *testing.T) {
	b := ratings.NewBuilder()
	for level, item := range []string{"x", "y", "z"} {
		if err := b.Place([]byte("ann"), []byte(item), []string{"C", "B", "S"}, level+1, ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	file := compact(t, s)
	again, err := ratings.FromCompact(file)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.LevelNames(), s.LevelNames()) || again.LevelNames() == nil || again.Own() != s.Own() {
		t.Errorf("names %q became %q", s.LevelNames(), again.LevelNames())
	}
}

// Files that are damaged or made to harm are refused with a message, whatever part of them it is.
func TestCompactHostile(t *testing.T) {
	good := compact(t, smallSet(t))
	for n := range good {
		if _, err := ratings.FromCompact(good[:n]); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(good))
		}
		for _, v := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			b := slices.Clone(good)
			b[n] = v
			s, err := ratings.FromCompact(b)
			if err != nil {
				continue
			}
			if !bytes.Equal(compact(t, s), b) { // a rating, a time, a letter or the mark of tiers is another; all else is found out
				t.Errorf("with byte %d set to %d it is read, and written otherwise", n, v)
			}
		}
	}
	at := func(word int, v uint64) []byte {
		b := slices.Clone(good)
		binary.LittleEndian.PutUint64(b[8*word:], v)
		return b
	}
	values := len(good) - 8*4 - 4*4 // four times, four values before them
	for why, b := range map[string][]byte{
		"more users than bytes":    at(2, 1<<40),
		"counts that overflow":     at(4, math.MaxUint64),
		"unknown flags":            at(1, 1<<9),
		"a row that begins late":   at(10, 1),
		"a row that ends too late": at(11, math.MaxInt64),
		"a value that is none":     append(binary.LittleEndian.AppendUint32(slices.Clone(good[:values]), math.Float32bits(float32(math.NaN()))), good[values+4:]...),
		"more behind the end":      append(slices.Clone(good), make([]byte, 8)...),
		"another version":          append([]byte("fubini\x00\x02"), good[8:]...),
		"nothing":                  nil,
	} {
		if _, err := ratings.FromCompact(b); err == nil {
			t.Errorf("%s: it was read", why)
		}
	}
}

func FuzzCompact(f *testing.F) {
	f.Add(compact(f, smallSet(f)))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ratings.FromCompact(b)
		if err != nil {
			return
		}
		if !bytes.Equal(compact(t, s), b) {
			t.Error("what was read is written otherwise")
		}
	})
}

package ratings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A short id and its number stand for each other, and other ids have none.
func TestShortID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SliceOfN(rapid.Byte(), 0, 10).Draw(t, "id")
		short := ShortID(id)
		if fits := len(id) >= 1 && len(id) <= 8 && id[len(id)-1] != 0; fits != (short != 0) || fits && shortText(short) != string(id) {
			t.Fatalf("%q is %#x", id, short)
		}
	})
}

// Ids are numbered as they come, each once, and sorted as strings, whatever their lengths are.
func TestVocabularyNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, known := newVocabulary(), map[string]uint32{}
		var ids []string
		for _, id := range rapid.SliceOfN(rapid.StringMatching(`[ab\x00]{0,10}|[0-9]{1,3}`), 0, 400).Draw(t, "ids") {
			want, seen := known[id]
			if !seen {
				want = uint32(len(ids))
				known[id] = want
				ids = append(ids, id)
			}
			if n := v.add([]byte(id)); n != want {
				t.Fatalf("%q has the number %d, want %d", id, n, want)
			}
		}
		renumbered := v.sort()
		sorted := slices.Sorted(slices.Values(ids))
		if !slices.Equal(v.IDs(), sorted) {
			t.Fatalf("%q, want %q", v.IDs(), sorted)
		}
		for n, id := range ids {
			if found, ok := v.Find(id); !ok || found != renumbered[n] || v.ID(found) != id {
				t.Fatalf("%q is number %d, want %d", id, found, renumbered[n])
			}
		}
	})
}

// The places of a row come by ascending item, of equal ones by ascending place, by bits as by comparing, in one row after another.
func TestRowSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SampledFrom([]int{1, 40, 64, 65, 4096, 4097, 20_000}).Draw(t, "items")
		s := newRowSort(items)
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			row := rapid.SliceOfN(rapid.Uint32Range(0, uint32(items-1)), 0, 100).Draw(t, "row")
			if rapid.Bool().Draw(t, "distinct") {
				slices.Sort(row)
				row = slices.Compact(row)
				slices.Reverse(row)
			}
			want := make([]uint32, len(row))
			for k := range want {
				want[k] = uint32(k)
			}
			slices.SortStableFunc(want, func(a, b uint32) int { return int(row[a]) - int(row[b]) })
			got, distinct := s.order(row)
			if !slices.Equal(got, want) {
				t.Fatalf("%v of %v, want %v", got, row, want)
			}
			if distinct {
				sorted := slices.Sorted(slices.Values(row))
				if len(slices.Compact(sorted)) < len(row) {
					t.Fatalf("%v is distinct", row)
				}
			}
			if slices.ContainsFunc(s.words, func(w uint64) bool { return w != 0 }) || slices.ContainsFunc(s.filled, func(w uint64) bool { return w != 0 }) {
				t.Fatalf("bits are left behind %v", row)
			}
		}
	})
	row := make([]uint32, 100)
	for k := range row {
		row[k] = uint32(300 - 3*k)
	}
	s := newRowSort(400)
	if got, distinct := s.order(row); !distinct || got[0] != 99 || got[99] != 0 {
		t.Errorf("a row of 100 descending items is not sorted by bits: %v", got)
	}
}

// AddShort adds what Add adds, alone or in turn, with times, without and with some.
func TestAddShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one, other := NewBuilder(), NewBuilder()
		times := rapid.SampledFrom([]string{"all", "none", "some"}).Draw(t, "times")
		for batch := range rapid.IntRange(1, 5).Draw(t, "batches") {
			var rows []Short
			for k := range rapid.IntRange(1, 80).Draw(t, "rows") {
				user, item := fmt.Append(nil, rapid.IntRange(1, 5).Draw(t, "user")), fmt.Append(nil, 1000*batch+k)
				when := int64(k)
				if times == "none" || times == "some" && rapid.Bool().Draw(t, "timed") {
					when = NoTime
				}
				rows = append(rows, Short{ShortID(user), ShortID(item), float32(k % 5), when})
				if err := one.Add(user, item, float32(k%5), when); err != nil {
					t.Fatal(err)
				}
			}
			other.AddShort(rows)
			long := []byte("a user with a long id")
			for _, b := range []*Builder{one, other} {
				if err := b.Add(long, fmt.Append(nil, batch), 1, NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		var files [2]bytes.Buffer
		var reports [2]Report
		for k, b := range []*Builder{one, other} {
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

// Chunks are filled to their end and not beyond.
func TestAddShortOverChunks(t *testing.T) {
	b := NewBuilder()
	rows := make([]Short, 1000)
	for k := range 2*chunkSize/len(rows) + 3 {
		for n := range rows {
			rows[n] = Short{ShortID(fmt.Append(nil, k)), ShortID(fmt.Append(nil, n)), float32(n % 7), NoTime}
		}
		b.AddShort(rows)
	}
	count := b.Len()
	s, _, err := b.Build(Refuse)
	if err != nil || s.Len() != count || count != 1000*(2*chunkSize/1000+3) {
		t.Fatal(s.Len(), count, err)
	}
	for u := range s.Users().Len() {
		row := s.Row(u)
		for k, i := range row.Items {
			var n int
			if _, err := fmt.Sscan(s.Items().ID(i), &n); err != nil || row.Values[k] != float32(n%7) || row.Len() != 1000 {
				t.Fatalf("user %d has %d ratings, item %s is %g", u, row.Len(), strings.TrimSpace(s.Items().ID(i)), row.Values[k])
			}
		}
	}
}

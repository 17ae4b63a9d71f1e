package ratings

import (
	"slices"
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

// The items of a row are sorted by bits as by comparing, each with its place, in one row after another; a row with an item twice is not.
func TestRowSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SampledFrom([]int{1, 40, 64, 65, 4096, 4097, 20_000}).Draw(t, "items")
		renumbered := make([]uint32, items)
		for i := range renumbered {
			renumbered[i] = uint32(items - 1 - i)
		}
		s := newRowSort(items)
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			row := rapid.SliceOfN(rapid.Uint16Range(0, uint16(items-1)), 0, 100).Draw(t, "row")
			if rapid.Bool().Draw(t, "distinct") {
				slices.Sort(row)
				row = slices.Compact(row)
				slices.Reverse(row)
			}
			var numbers []uint32
			for _, i := range row {
				numbers = append(numbers, renumbered[i])
			}
			want := make([]uint32, len(row))
			for k := range want {
				want[k] = uint32(k)
			}
			slices.SortStableFunc(want, func(a, b uint32) int { return int(numbers[a]) - int(numbers[b]) })
			if got := s.compared(numbers); !slices.Equal(got, want) {
				t.Fatalf("%v of %v, want %v", got, row, want)
			}
			item := make([]uint32, len(row)+1)
			got, ok := order(s, row, renumbered, item)
			slices.Sort(numbers)
			if twice := len(slices.Compact(slices.Clone(numbers))) < len(row); ok && (twice || !slices.Equal(got, want) || !slices.Equal(item[:len(row)], numbers)) {
				t.Fatalf("%v and %v of %v, want %v", got, item, row, want)
			} else if !ok && !twice && len(row) > fewToSort && len(row) >= len(s.filled)/4 {
				t.Fatalf("%v is not sorted", row)
			}
			if slices.ContainsFunc(s.words, func(w uint64) bool { return w != 0 }) || slices.ContainsFunc(s.filled, func(w uint64) bool { return w != 0 }) {
				t.Fatalf("bits are left behind %v", row)
			}
		}
	})
}

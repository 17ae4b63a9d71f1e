package codec_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fubini/data/codec"
	"fubini/data/codec/codectest"
)

func TestReadTiers(t *testing.T) {
	content := []byte(`{"tiers":[["b"],[],["a","c"],[]],"unranked":["x","y","z"]}`)
	s, counts, err := codectest.ReadBytes(&codec.TierList, content, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := codectest.Spell(s), "me a=1 b=2 c=1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if counts.Lines != 8 || counts.Dropped["empty tier"] != 2 || counts.Unplaced != 3 {
		t.Errorf("%d records, dropped %v", counts.Lines, counts.Dropped)
	}
}

func TestWriteTiers(t *testing.T) {
	s := codectest.SetOf(t, [3]any{"u", "a", 1.5}, [3]any{"u", "b", 5.}, [3]any{"u", "<c>", 1.5})
	want := `{"tiers":[{"name":"S","items":["b"]},{"name":"A","items":["<c>","a"]}]}`
	var got bytes.Buffer
	if err := json.Compact(&got, codectest.WriteTwice(t, &codec.TierList, s, codec.Options{})); err != nil {
		t.Fatal(err)
	}
	if got.String() != want {
		t.Errorf("got %s, want %s", &got, want)
	}
	var rows [][3]any
	for k := range 8 {
		rows = append(rows, [3]any{"u", string(rune('a' + k)), float64(k)})
	}
	if tiers := codec.TiersOf(codectest.SetOf(t, rows[:7]...), 0).Tiers; tiers[6].Name != "F" {
		t.Errorf("the last of seven tiers is %q", tiers[6].Name)
	}
	if tiers := codec.TiersOf(codectest.SetOf(t, rows...), 0).Tiers; tiers[0].Name != "1" || tiers[7].Name != "8" || tiers[0].Items[0] != "h" {
		t.Errorf("eight tiers are %v", tiers)
	}
	two := codectest.SetOf(t, [3]any{"u", "a", 1.}, [3]any{"v", "a", 1.}, [3]any{"w", "a", 1.})
	if err := codec.TierList.Write(&bytes.Buffer{}, two, codec.Options{}); err == nil || !strings.Contains(err.Error(), "3") {
		t.Errorf("three users: %v", err)
	}
	if err := codec.TierList.Write(&bytes.Buffer{}, codectest.SetOf(t), codec.Options{}); err == nil {
		t.Error("a tier list of nobody was written")
	}
	if err := codec.TierList.Write(&bytes.Buffer{}, codectest.SetOf(t, [3]any{"u", "\xff", 1.}), codec.Options{}); err == nil {
		t.Error("an id that is not UTF-8 was written")
	}
}

// Values that are levels come back as they were; the others as their order.
func TestTiersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := codectest.DrawSet(t, codectest.AnyID, codectest.AnyValue, 1, false)
		o := codec.Options{}
		once := codectest.RoundTrip(t, &codec.TierList, s, o)
		if !reflect.DeepEqual(codec.TiersOf(once, 0), codec.TiersOf(s, 0)) {
			t.Fatalf("%v was %v", codec.TiersOf(once, 0), codec.TiersOf(s, 0))
		}
		codectest.CheckSame(t, codectest.RoundTrip(t, &codec.TierList, once, o), once)
	})
}

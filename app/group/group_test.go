package group

import (
	"math"
	"testing"

	"fubini/use/odds"
)

// Three lists that agree on the ends and differ in the middle: the common list has their order, and what is known of an item
// by one list alone has a wider interval than what three lists agree on.
func TestCommon(t *testing.T) {
	rows, err := Common(t.Context(), [][][]string{
		{{"a"}, {"b", "c"}, {"d"}, {"e"}, {"f"}},
		{{"a"}, {"c"}, {"b", "d"}, {"e"}, {}},
		{{"a"}, {"b"}, {"c"}, {}, {"e", "d"}},
	}, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 6 || rows[0].Item != "a" || rows[0].Said[0] != 0 || rows[0].Said[2] != 0 {
		t.Fatalf("%+v", rows)
	}
	of := map[string]Row{}
	for k, r := range rows {
		of[r.Item] = r
		if !(r.Low <= r.At && r.At <= r.High && r.Low >= 0 && r.High <= 1) || k > 0 && !(rows[k-1].At <= r.At) {
			t.Errorf("%+v", r)
		}
	}
	if of["f"].Said[1] != -1 || !(of["a"].At < of["b"].At && of["b"].At < of["d"].At && of["d"].At < of["e"].At) {
		t.Errorf("%+v", rows)
	}
	if wide, narrow := of["f"].High-of["f"].Low, of["c"].High-of["c"].Low; !(wide > narrow || of["f"].High == 1) {
		t.Errorf("f, which one placed: %g; c, which all did: %g", wide, narrow)
	}
}

func TestCommonOfLittle(t *testing.T) {
	if _, err := Common(t.Context(), [][][]string{{{"a"}}, {{"b"}}}, 0.8); err == nil {
		t.Error("two lists of one item each have a common order")
	}
	if rows, err := Common(t.Context(), [][][]string{{{"a"}}, {{"a"}}}, 0.8); err != nil || len(rows) != 1 {
		t.Errorf("%v %v", rows, err)
	}
}

// The second tier or higher, where both are used, one, and none.
func TestHigh(t *testing.T) {
	o := odds.Odds{Gaps: []float64{0.1, 0.2, 0.05, 0.05}, Tiers: []float64{0.3, 0.1, 0.2}}
	for _, c := range []struct {
		used []int
		want float64
	}{{[]int{0, 1, 4}, 0.7}, {[]int{1, 2, 3}, 0.4}, {[]int{0, 2, 3}, 0.4}, {[]int{2, 3, 4}, 0.1}} {
		if got := high(o, c.used); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%v: %g, want %g", c.used, got, c.want)
		}
	}
}

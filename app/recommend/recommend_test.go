package recommend_test

import (
	"math"
	"slices"
	"testing"

	"fubini/app/recommend"
	"fubini/learn/zoo"
)

// Tiers are an order, whether they come alone or one a line: their places are no
// ratings, and odds must not be read as if they were.
func TestTiersAreNoRatings(t *testing.T) {
	for format, want := range map[string]bool{"csv": true, "parquet": true, "tiers": false, "tiers, one a line": false, "preflib": false} {
		if recommend.AreRatings(format) != want {
			t.Errorf("%s: ratings %v", format, !want)
		}
	}
}

func TestHandicaps(t *testing.T) {
	saved := &zoo.Saved{ItemIDs: []string{"a", "b", "c", "d"}, Seen: []uint32{10, 20, 3, 7}}
	out := math.Inf(1)
	for name, c := range map[string]struct {
		rules recommend.Rules
		want  []float64
	}{
		"none":    {recommend.Rules{}, []float64{0, 0, 0, 0}},
		"support": {recommend.Rules{Support: 7}, []float64{0, 0, out, 0}},
		"novelty": {recommend.Rules{Novelty: 2}, []float64{2 * math.Log(11), 2 * math.Log(21), 2 * math.Log(4), 2 * math.Log(8)}},
		"only":    {recommend.Rules{Only: map[int]bool{1: true, 3: true}, Exclude: map[int]bool{3: true}}, []float64{out, 0, out, out}},
		"nothing": {recommend.Rules{Only: map[int]bool{}}, []float64{out, out, out, out}},
	} {
		if got := c.rules.Handicaps(saved); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}

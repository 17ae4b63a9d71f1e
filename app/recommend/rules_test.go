package recommend

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/data/format"
	"fubini/learn/modelstore"
)

// Tiers are an order, whether they come alone or one a line: their places are no
// ratings, and odds must not be read as if they were.
func TestTiersAreNoRatings(t *testing.T) {
	for content, want := range map[string]bool{
		"user,item,rating\nann,a,4\n": true, "user,item,rating\nann,a,A+\n": false, "user,item\nann,a\n": false,
		`[["a"],["b"]]`: false, `{"user":"ann","tiers":[["a"],["b"]]}`: false,
		`{"user":"ann","tiers":[["a"],["b"]]}` + "\n" + `{"user":"bob","item":"a","rating":4}`: true,
	} {
		_, report, err := format.ReadStream(strings.NewReader(content), "data", format.Options{})
		if err != nil || AreRatings(report) != want {
			t.Errorf("%s: ratings %v, %v", content, !want, err)
		}
	}
	r, err := format.NewUserReader(strings.NewReader(`{"user":"ann","tiers":[["a"],["b"]]}`), "data", format.Options{})
	if err != nil || AreRatings(r.Report()) {
		t.Errorf("user by user, tier lists are ratings: %v", err)
	}
}

func TestHandicaps(t *testing.T) {
	saved := &modelstore.Saved{ItemIDs: []string{"a", "b", "c", "d"}, Seen: []uint32{10, 20, 3, 7}}
	out := math.Inf(1)
	for name, c := range map[string]struct {
		rules Rules
		want  []float64
	}{
		"none":    {Rules{}, []float64{0, 0, 0, 0}},
		"support": {Rules{Support: 7}, []float64{0, 0, out, 0}},
		"novelty": {Rules{Novelty: 2}, []float64{2 * math.Log(11), 2 * math.Log(21), 2 * math.Log(4), 2 * math.Log(8)}},
		"only":    {Rules{Only: []int{1, 3}, Exclude: []int{3}}, []float64{out, 0, out, out}},
		"all":     {Rules{Only: []int{2, 3, 3}, Support: 5, Novelty: 1}, []float64{out, out, out, math.Log(8)}},
		"nothing": {Rules{Only: []int{}}, []float64{out, out, out, out}},
	} {
		if got := c.rules.handicaps(saved); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}

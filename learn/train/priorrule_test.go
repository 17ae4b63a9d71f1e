package train

import (
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/model/osm"
)

const byRule = Auto // the value of PriorW that leaves it to the data

// ofLength has lists of so many of the first items each.
func ofLength(lengths ...int) (lists []osm.List) {
	for _, n := range lengths {
		list := osm.List{Order: partition.OneBlock(n)}
		for i := range n {
			list.Items = append(list.Items, i)
		}
		lists = append(lists, list)
	}
	return lists
}

// The default precision of the prior on W is 20 and the mean number of lists that an item
// is in, or 60 and 1.5 times the mean length of lists where that is less. Of lists longer
// than the longest part only so many places count.
func TestDefaultPriorOnW(t *testing.T) {
	many := func(n, times int) (lengths []int) {
		for range times {
			lengths = append(lengths, n)
		}
		return lengths
	}
	for _, c := range []struct {
		name    string
		lengths []int
		longest int
		want    float64
	}{
		{"few lists", []int{2, 4, 6}, 200, 22},                            // 12 places of 6 items: 20 + 2
		{"many lists of few items", many(4, 100), 200, 66},                // 20 + 100, capped at 60 + 6
		{"just below the cap", many(4, 45), 200, 65},                      // 20 + 45
		{"longer than a part", []int{10, 10, 10, 10}, 5, 22},              // 20 places of 10 items
		{"many, longer than a part", many(10, 200), 5, 67.5},              // 20 + 100, capped at 60 + 7.5
		{"some longer than a part", append(many(2, 60), 8, 8), 4, 36},     // 128 places of 8 items: 20 + 16
		{"as long as a part", append(many(4, 90), many(4, 10)...), 4, 66}, // the cap again
	} {
		lists := ofLength(c.lengths...)
		o := plainly(10, 10)
		o.PriorW, o.Longest = byRule, c.longest
		got, err := o.resolved(lists)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(got.PriorW-c.want) <= 1e-12) {
			t.Errorf("%s: a precision of %g, by hand %g", c.name, got.PriorW, c.want)
		}
		o.PriorW = 7
		if got, err = o.resolved(lists); err != nil || got.PriorW != 7 {
			t.Errorf("%s: asked for 7, got %g (%v)", c.name, got.PriorW, err)
		}
	}
}

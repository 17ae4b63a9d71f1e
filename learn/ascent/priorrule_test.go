package ascent

import (
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/model/osm"
)

// ofLength has lists of the first items, of these lengths.
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
		for _, asked := range []float64{Auto, 7} {
			o := Defaults()
			o.Epochs, o.Prior.W, o.Longest = 10, asked, c.longest
			if err := o.resolve(osm.Pack(lists)); err != nil {
				t.Fatal(err)
			}
			if want := c.want; asked == Auto && !(math.Abs(o.Prior.W-want) <= 1e-12) || asked == 7 && o.Prior.W != 7 {
				t.Errorf("%s: a precision of %g, by hand %g, asked for %g", c.name, o.Prior.W, want, asked)
			}
		}
	}
}

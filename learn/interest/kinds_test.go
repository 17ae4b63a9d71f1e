package interest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fubini/data/ratings"
)

// addKinds adds to counts what items have in common by their kinds, straight from the definition.
func addKinds(g []float64, set *ratings.Set, strength float64) {
	known, n := set.Items().Kinds(), set.Items().Len()
	if known == nil {
		return
	}
	for i := range n {
		for j := range n {
			a, first := known.Of(uint32(i))
			b, second := known.Of(uint32(j))
			for _, group := range a {
				if slices.Contains(b, group) {
					g[i*n+j] += strength / math.Sqrt(float64(len(a)*len(b)))
				}
			}
			if d := math.Abs(float64(first - second)); first != 0 && second != 0 && d <= lastYears {
				g[i*n+j] += strength * math.Exp(-d/nearYears) * (1 + d*math.Tanh(1/nearYears))
			}
		}
	}
}

// described gives the items of a set up to three groups each, most of them a year, and every tenth neither.
func described(set *ratings.Set) *ratings.Set {
	return set.Described(func(item string) (groups []string, year int) {
		var i int
		if _, err := fmt.Sscanf(item, "i%d", &i); err != nil || i%10 == 9 {
			return nil, 0
		}
		for g := range i % 4 {
			groups = append(groups, fmt.Sprint("g", (i/4+g*g)%7))
		}
		if i%5 != 0 {
			year = 1950 + i*7%60
		}
		return groups, year
	})
}

// With groups and years, weights are those of regressions on counts to which the kinds are added, for items that predict and for others.
func TestKinds(t *testing.T) {
	set, o := described(picks(t, 60, 30)), Defaults()
	o.Ridge, o.Inputs, o.Least = 3, 12, 0
	inputs := mostPicked(set, o.Inputs)
	m := fitted(t, set, o)
	if worst := farthest(&m.Near, set, inputs, o); !(worst <= narrow) {
		t.Errorf("weights are off by %g", worst)
	}
	for _, other := range []float64{0, .9 * o.Kinds} {
		with := o
		with.Kinds = other
		if worst := farthest(&m.Near, set, inputs, with); !(worst > 1e-3) {
			t.Errorf("the test cannot see a strength of %g: off by %g", other, worst)
		}
	}
}

// What two years have in common is what they have by a list for every year in which items weigh less the farther their year is.
func TestYearsAreLists(t *testing.T) {
	together := func(apart int) (sum float64) {
		for year := -200; year <= 200; year++ {
			sum += math.Exp(-math.Abs(float64(year))/nearYears) * math.Exp(-math.Abs(float64(year-apart))/nearYears)
		}
		return sum
	}
	years := []int{1980, 1980, 1981, 1985, 2000, 2001, 0}
	set := setOf(t, 2, len(years), func(u, i int) float32 { return 1 }).Described(func(item string) (groups []string, year int) {
		return nil, years[item[len(item)-1]-'0']
	})
	k := alikeOf(set.Items().Kinds(), []uint32{0, 1, 2, 3, 4, 5, 6}, 1)
	for i, own := range years {
		counts := make([]float64, len(years))
		k.together(uint32(i), len(years), counts)
		for j, other := range years {
			want, apart := 0., max(own-other, other-own)
			if own != 0 && other != 0 && apart <= lastYears {
				want = together(apart) / together(0)
			}
			if !(math.Abs(counts[j]-want) <= 1e-6) {
				t.Errorf("%d and %d have %g in common, want %g", own, other, counts[j], want)
			}
		}
	}
}

// An item that nobody picked is found by its groups, for those who picked others of them.
func TestItemNobodyPicked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	set := setOf(t, 201, 40, func(u, i int) float32 { // the first person picked everything, the others mostly even or mostly odd items
		if u == 0 || i < 38 && (r.Float64() < .4 && u%2 == i%2 || r.Float64() < .05) {
			return 1
		}
		return 0
	}).OfUsers(func(u int) bool { return u > 0 })
	list := ratings.Row{Items: []uint32{0, 2, 4, 6}, Values: []float32{1, 1, 1, 1}}
	with := set.Described(func(item string) (groups []string, year int) {
		return []string{string("eo"[item[len(item)-1]%2])}, 0
	})
	even, odd := 38, 39
	scores := make([]float64, set.Items().Len())
	if err := fitted(t, with, Defaults()).Score(list, scores); err != nil {
		t.Fatal(err)
	}
	if !(scores[even] > scores[odd]+1e-3) {
		t.Errorf("the even item has %g, the odd one %g", scores[even], scores[odd])
	}
	if err := fitted(t, set, Defaults()).Score(list, scores); err != nil {
		t.Fatal(err)
	}
	if scores[even] != scores[odd] {
		t.Errorf("without groups the even item has %g, the odd one %g", scores[even], scores[odd])
	}
}

// Bytes do not depend on the number of goroutines, nor on the order of a map.
func TestJobsWithKinds(t *testing.T) {
	o := Defaults()
	o.Inputs = 80
	sameBytes(t, described(picks(t, 100, 150)), o)
}

// Of many kinds those with most items count; the years of all items, or none.
func TestManyKinds(t *testing.T) {
	set := setOf(t, 2, 700, func(u, i int) float32 { return 1 }).Described(func(item string) (groups []string, year int) {
		var i int
		if _, err := fmt.Sscanf(item, "i%d", &i); err != nil {
			t.Fatal(err)
		}
		return []string{"all", fmt.Sprint("pair ", i/2), fmt.Sprint("own ", i)}, 1000 + i
	})
	inputs := make([]uint32, 700)
	for i := range inputs {
		inputs[i] = uint32(i)
	}
	k := alikeOf(set.Items().Kinds(), inputs, 1)
	if len(k.rows) != mostKinds {
		t.Fatalf("%d lists", len(k.rows))
	}
	counts := make([]float64, 700)
	k.together(1, 700, counts)
	third := 1. / 3
	for j, want := range map[int]float64{0: 2*third + math.Exp(-1/nearYears)*(1+math.Tanh(1/nearYears)), 500: third} {
		if !(math.Abs(counts[j]-want) <= 1e-6) {
			t.Errorf("items 1 and %d have %g in common, want %g", j, counts[j], want)
		}
	}
}

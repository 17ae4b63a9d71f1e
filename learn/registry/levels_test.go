package registry

import (
	"fmt"
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model/osm"
)

// rated draws so many ratings of each of some items by as many users as it takes,
// items' levels and ratings about them with these deviations.
func rated(t *testing.T, items, each int, between, within float64) *ratings.Set {
	t.Helper()
	r := rng.Stream(1, "rated")
	b := ratings.NewBuilder()
	for i := range items {
		level := 3 + between*r.NormFloat64()
		for k := range each {
			if err := b.Add(fmt.Append(nil, (i*7+k*13)%(items*each/4)), fmt.Append(nil, i), float32(level+within*r.NormFloat64()), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, _, err := b.Build(ratings.KeepLast)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// How far levels are drawn to the mean follows the variances in the data.
func TestShynessFromVariances(t *testing.T) {
	for _, c := range []struct{ between, within, low, high float64 }{
		{0.5, 1, 3.3, 4.8},
		{1, 0.5, 1, 1}, // 0.25, and never below one
		{0, 1, 40, 100},
	} {
		if m := momentsOf(rated(t, 2000, 5, c.between, c.within)); !(m.shrinkage >= c.low && m.shrinkage <= c.high) {
			t.Errorf("deviations %g and %g: %g", c.between, c.within, m.shrinkage)
		}
	}
}

// The levels of a list are those that all other ratings give, by the same shrinkage.
func TestLevelsByOthers(t *testing.T) {
	set := rated(t, 30, 4, 0.5, 1)
	m := momentsOf(set)
	v := m.levels(set)
	lists, err := osm.ListsOf(set)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Others) != len(lists) {
		t.Fatalf("levels of %d lists, of %d", len(v.Others), len(lists))
	}
	l, checked := 0, 0
	for u := range set.Users().Len() {
		row := set.Row(u)
		if row.Len() < 2 {
			continue
		}
		for k, i := range row.Items {
			var sum, n float64
			for other := range set.Users().Len() {
				for at, j := range set.Row(other).Items {
					if other != u && j == i {
						sum += float64(set.Row(other).Values[at])
						n++
					}
				}
			}
			if want := (sum - n*m.mean) / (n + m.shrinkage); !(math.Abs(v.Others[l][k]-want) < 1e-6) {
				t.Fatalf("user %d, item %d: %g, want %g", u, i, v.Others[l][k], want)
			}
			checked++
		}
		l++
	}
	if checked < 50 {
		t.Errorf("only %d levels checked", checked)
	}
}

// Levels are used where items have few ratings that tell much of them, or as told.
func TestWhenLevelsAreUsed(t *testing.T) {
	sparse, noisy, dense := rated(t, 40, 4, 1, 0.5), rated(t, 40, 4, 0.5, 1), rated(t, 40, 30, 1, 0.5)
	for _, c := range []struct {
		use  levelsUse
		set  *ratings.Set
		want bool
	}{
		{levelsFew, sparse, true},
		{levelsFew, noisy, false},
		{levelsFew, dense, false},
		{levelsAlways, noisy, true},
		{levelsAlways, dense, true},
		{levelsNever, sparse, false},
	} {
		if got := c.use.of(c.set) != nil; got != c.want {
			t.Errorf("use %d: %t", c.use, got)
		}
	}
}

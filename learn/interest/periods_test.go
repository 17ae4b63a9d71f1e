package interest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fubini/data/ratings"
	"fubini/model/interest"
)

// timed makes a set of people with long lists, whose ratings have times: some of them the same ones, and a few none.
func timedPicks(t *testing.T, people, items int) *ratings.Set {
	t.Helper()
	r := rand.New(rand.NewPCG(11, uint64(people)))
	b := ratings.NewBuilder()
	for u := range people {
		for i := range items {
			if r.Float64() > .8/(1+float64(i)/float64(items)) {
				continue
			}
			at := int64(1e9 + r.IntN(3*items)/2)
			if r.IntN(20) == 0 {
				at = ratings.NoTime
			}
			if err := b.Add(fmt.Appendf(nil, "u%04d", u), fmt.Appendf(nil, "i%03d", i), float32(1+r.IntN(5)), at); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// apart is the number of periods between two placements of a row, straight from the definition: the share of the list before each, and half of
// those of its time, times the number of periods, rounded down.
func apart(row ratings.Row, a, b int) int {
	in := func(k int) int {
		var place float64
		for _, at := range row.Times {
			if at < row.Times[k] {
				place++
			} else if at == row.Times[k] {
				place += .5
			}
		}
		count := min(max(1, math.Round(float64(row.Len())/20)), 64)
		return int(place*count/float64(row.Len()) + 1e-9)
	}
	return max(in(a)-in(b), in(b)-in(a))
}

// With times, weights are those of regressions on counts in which items that somebody placed near each other count for more, for items that predict and
// for others.
func TestPeriods(t *testing.T) {
	set, o := timedPicks(t, 40, 120), Defaults()
	o.Ridge, o.Inputs, o.Least = 3, 100, 0
	inputs := mostPicked(set, o.Inputs)
	m := fitted(t, set, o)
	if worst := farthest(&m.Near, set, inputs, o); !(worst <= narrow) {
		t.Errorf("weights are off by %g", worst)
	}
	for _, other := range []float64{0, .9 * o.Periods} {
		with := o
		with.Periods = other
		if worst := farthest(&m.Near, set, inputs, with); !(worst > 1e-3) {
			t.Errorf("the test cannot see a strength of %g: off by %g", other, worst)
		}
	}
}

// A list has a period for each 20 placements, at most 64, all about as long; placements of one time are in one.
func TestLengthsOfPeriods(t *testing.T) {
	l := &lists{periods: 1}
	for n, want := range map[int]int{1: 1, 29: 1, 30: 2, 1260: 63, 1280: 64, 1300: 64, 9000: 64} {
		row := ratings.Row{Items: make([]uint32, n), Times: make([]int64, n)}
		of := make([]uint8, n)
		for k := range of {
			of[k] = 99 // of the list before
			row.Times[k] = int64(n - k)
		}
		l.timed(row, make([]int, n), of)
		sizes := make([]int, want)
		for k, in := range of {
			if int(in) >= want || k > 0 && in > of[k-1] {
				t.Fatalf("%d placements: the one at %d from the end is in period %d of %d", n, k, in, want)
			}
			sizes[in]++
		}
		if slices.Max(sizes)-slices.Min(sizes) > 1 {
			t.Errorf("%d placements: periods of %d", n, sizes)
		}
		clear(row.Times)
		l.timed(row, make([]int, n), of)
		if slices.Max(of) != slices.Min(of) {
			t.Errorf("%d placements of one time are in periods %d to %d", n, slices.Min(of), slices.Max(of))
		}
	}
}

// Leaving somebody out of the regressions leaves out all periods of their list.
func TestLeftOutWithTimes(t *testing.T) { leftOutIsExact(t, timedPicks(t, 30, 90), 4*narrow) } // U has several columns of four bytes a number

// A strength of periods so small that rounding leaves nothing of it is none.
func TestPeriodsThatCountForNothing(t *testing.T) {
	set := timedPicks(t, 30, 90)
	fit := func(periods float64) *interest.Model {
		o := Defaults()
		o.Periods = periods
		return fitted(t, set, o)
	}
	got, want := fit(1e-17), fit(0)
	if !slices.Equal(got.Near.Value, want.Near.Value) {
		t.Error("weights are others")
	}
	if len(want.Calibration.Scores) == 0 || len(got.Calibration.Scores) != len(want.Calibration.Scores) {
		t.Fatalf("%d groups of scores, %d without periods", len(got.Calibration.Scores), len(want.Calibration.Scores))
	}
	for k, score := range want.Calibration.Scores {
		if !(math.Abs(got.Calibration.Scores[k]-score) <= 1e-4) {
			t.Errorf("group %d has a mean score of %g, without periods %g", k, got.Calibration.Scores[k], score)
		}
	}
}

// Times that are far apart are put into the same order as others.
func TestByTime(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 100; n++ {
		for _, scale := range []int64{1, 1 << 20, 1 << 62} {
			times, order := make([]int64, n), make([]int, n)
			for k := range times {
				times[k] = int64(r.IntN(5)-2) * scale
			}
			byTime(times, order)
			seen := make([]bool, n)
			for k, at := range order {
				if seen[at] || k > 0 && times[order[k-1]] > times[at] {
					t.Fatalf("%d is in the order %d of %d", times, order, n)
				}
				seen[at] = true
			}
		}
	}
}

package partition_test

import (
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
)

func TestScoresAndLevelsRoundTrip(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for x := range partition.All(n) {
			scores := x.Scores(make([]float64, n))
			var sum float64
			for i, s := range scores {
				sum += s
				var direct float64 // the definition, pair by pair
				for j := range n {
					if j != i {
						direct += float64(x.Relation(i, j)+1) / 2
					}
				}
				if s != direct {
					t.Fatalf("%s: score of %d is %g, counted %g", x, i, s, direct)
				}
			}
			if want := float64(n*(n-1)) / 2; sum != want {
				t.Errorf("%s: scores sum to %g, want %g", x, sum, want)
			}
			back, err := partition.FromScores(scores)
			if err != nil || !back.Equal(x) {
				t.Errorf("%s comes back from its scores as %v (%v)", x, back, err)
			}
			back, err = partition.FromLevels(x.Levels())
			if err != nil || !back.Equal(x) {
				t.Errorf("%s comes back from its levels as %v (%v)", x, back, err)
			}
		}
	}
}

func TestSetRanks(t *testing.T) {
	for n := 1; n <= 5; n++ {
		y := partition.OneBlock(n)
		for x := range partition.All(n) {
			rank := make([]int, n)
			for i := range rank {
				rank[i] = x.BlockOf(i)
			}
			y.SetRanks(rank)
			if err := y.Check(); err != nil || !y.Equal(x) {
				t.Fatalf("%s came back from its ranks as %s (%v)", x, y, err)
			}
		}
	}
	x := partition.OneBlock(3)
	if a := testing.AllocsPerRun(10, func() { x.SetRanks([]int{1, 0, 1}) }); a != 0 {
		t.Errorf("%g allocations", a)
	}
	for _, bad := range [][]int{{0, 0}, {0, 2, 2}, {-1, 0, 0}, {0, 1, 3}, {1, 1, 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("ranks %v were taken", bad)
				}
			}()
			partition.OneBlock(3).SetRanks(bad)
		}()
	}
}

func TestScoresThatAreNoScores(t *testing.T) {
	if _, err := partition.FromScores([]float64{1, math.NaN()}); err == nil {
		t.Error("NaN was ranked")
	}
	if _, err := partition.FromScores(nil); err == nil {
		t.Error("an empty list was ranked")
	}
	if _, err := partition.FromLevels(nil); err == nil {
		t.Error("an empty list was ranked")
	}
	x, err := partition.FromScores([]float64{math.Inf(-1), 0, math.Inf(1), math.Copysign(0, -1)})
	if err != nil || x.String() != "2 > 1~3 > 0" {
		t.Errorf("infinities and zeros ranked as %v (%v)", x, err)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"0 > 1 > 2", "2 > 1 > 0", 1},
		{"0 > 1 > 2", "0 > 1 > 2", 0},
		{"0~1~2", "0 > 1 > 2", 1},
		{"0~1 > 2", "0 > 1 > 2", 1.0 / 3},
		{"0~1 > 2~3", "0 > 1 > 2~3", 1.0 / 6},
		{"0", "0", 0},
	} {
		a, b := parse(t, c.a), parse(t, c.b)
		if got := partition.Distance(a, b); !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("distance of %s and %s is %g, want %g", a, b, got, c.want)
		}
		if ab, ba := partition.Distance(a, b), partition.Distance(b, a); ab != ba {
			t.Errorf("distance of %s and %s depends on the order: %g, %g", a, b, ab, ba)
		}
	}
}

// The two ways to a relation, by pair and by distance, agree on all pairs of
// partitions of four items; the triangle inequality holds.
func TestDistanceIsAMetric(t *testing.T) {
	var all []*partition.Partition
	for x := range partition.All(3) {
		all = append(all, x.Clone())
	}
	for _, x := range all {
		for _, y := range all {
			d := partition.Distance(x, y)
			if (d == 0) != x.Equal(y) {
				t.Errorf("%s and %s: distance %g", x, y, d)
			}
			for _, z := range all {
				if sum := partition.Distance(x, z) + partition.Distance(z, y); !(d <= sum+1e-15) {
					t.Errorf("%s to %s is %g, by way of %s only %g", x, y, d, z, sum)
				}
			}
		}
	}
}

// The distance by its definition, pair by pair, on orders of every shape; and no
// memory for lists of a usual length.
func TestDistancePairByPair(t *testing.T) {
	r := rng.Stream(1, "distance")
	for _, n := range []int{2, 3, 10, 60, 128, 129, 300} {
		x, y := partition.OneBlock(n), partition.OneBlock(n)
		uniform := partition.NewUniform(n)
		for range 10 {
			uniform.Draw(r, x)
			levels := make([]int, n)
			for i := range levels {
				levels[i] = r.IntN(5)
			}
			y, err := partition.FromLevels(levels)
			if err != nil {
				t.Fatal(err)
			}
			differ := 0
			for i := range n {
				for j := range i {
					if x.Relation(i, j) != y.Relation(i, j) {
						differ++
					}
				}
			}
			if got, want := partition.Distance(x, y), float64(differ)/float64(n*(n-1)/2); !(math.Abs(got-want) <= 1e-15) {
				t.Errorf("%d items: %g, pair by pair %g", n, got, want)
			}
		}
		if a := testing.AllocsPerRun(10, func() { partition.Distance(x, y) }); n <= 128 && a != 0 {
			t.Errorf("%d items: %g allocations", n, a)
		}
	}
}

// stars are random ratings from 1 to 5.
func stars(n int) []float64 {
	r := rng.Stream(1, "stars")
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(1 + r.IntN(5))
	}
	return values
}

// Tied items stand by number: sums over a block are then the same for any way to sort.
func TestTiedItemsStandByNumber(t *testing.T) {
	x, err := partition.FromScores(stars(300))
	if err != nil {
		t.Fatal(err)
	}
	for b := range x.Len() {
		if !slices.IsSorted(x.Block(b)) {
			t.Errorf("block %d is %v", b, x.Block(b))
		}
	}
}

func BenchmarkFromScores(b *testing.B) {
	values := stars(200) // about the mean number of ratings of a user of MovieLens 1M
	b.ReportAllocs()
	for b.Loop() {
		if _, err := partition.FromScores(values); err != nil {
			b.Fatal(err)
		}
	}
}

// Of few values and of many, and of some that are infinite or have two signs of zero, the distinct ones are those of sorting all.
func TestDistinct(t *testing.T) {
	r := rng.Stream(3, "distinct")
	for _, kinds := range []int{1, 2, 31, 32, 33, 34, 500} {
		for n := range 70 {
			values := make([]float64, n)
			for k := range values {
				values[k] = float64(r.IntN(kinds) - kinds/2)
			}
			want := slices.Clone(values)
			slices.Sort(want)
			if got := partition.Distinct(values); !slices.Equal(got, slices.Compact(want)) {
				t.Fatalf("%v of %v", got, values)
			}
		}
	}
	if got := partition.Distinct([]float64{1, math.Inf(1), 0, math.Copysign(0, -1), 1, math.Inf(-1)}); !slices.Equal(got, []float64{math.Inf(-1), 0, 1, math.Inf(1)}) {
		t.Errorf("%v", got)
	}
}

package rng_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fubini/core/rng"
)

func TestStreamsDependOnEveryArgument(t *testing.T) {
	seen := map[uint64]string{}
	for _, c := range []struct {
		seed uint64
		name string
		keys []uint64
	}{
		{1, "chain", []uint64{1, 2}}, {2, "chain", []uint64{1, 2}}, {1, "chains", []uint64{1, 2}},
		{1, "chain", []uint64{2, 1}}, {1, "chain", []uint64{1}}, {1, "chain", nil}, {1, "", []uint64{1, 2}},
		{1, "chain\x01\x00\x00\x00\x00\x00\x00\x00", []uint64{2}}, // the bytes of the first, cut elsewhere
	} {
		label := fmt.Sprintf("%d %q %v", c.seed, c.name, c.keys)
		first := rng.Stream(c.seed, c.name, c.keys...).Uint64()
		if other, twice := seen[first]; twice {
			t.Errorf("streams %s and %s start alike", label, other)
		}
		seen[first] = label
		if again := rng.Stream(c.seed, c.name, c.keys...).Uint64(); again != first {
			t.Errorf("stream %s is not repeatable", label)
		}
	}
}

// The numbers of a seed are part of the contract: a change of generator or of
// the derivation changes every published table.
func TestStreamIsPinned(t *testing.T) {
	r := rng.Stream(1, "pinned", 7)
	got := []uint64{r.Uint64(), r.Uint64()}
	want := []uint64{0xb11c434cf4465656, 0x4a8fed0775d35a44}
	if got[0] != want[0] || got[1] != want[1] {
		t.Errorf("stream (1, pinned, 7) starts %#x, pinned as %#x", got, want)
	}
}

func TestReseedEqualsStreamAndDoesNotAllocate(t *testing.T) {
	r := rng.Stream(9, "other")
	r.Uint64()
	r.Reseed(1, "pinned", 7)
	if got, want := r.Uint64(), rng.Stream(1, "pinned", 7).Uint64(); got != want {
		t.Errorf("reseeded stream starts %#x, a fresh one %#x", got, want)
	}
	if n := testing.AllocsPerRun(100, func() { r.Reseed(3, "chain", 1, 2, 3, 4) }); n != 0 {
		t.Errorf("Reseed allocates %g times", n)
	}
}

// frequency checks a share of draws against its probability: beyond 5 standard
// errors at a fixed seed means a mistake, not bad luck.
func frequency(t *testing.T, name string, hits, draws int, p float64) {
	t.Helper()
	z := (float64(hits) - float64(draws)*p) / math.Sqrt(float64(draws)*p*(1-p))
	if !(math.Abs(z) <= 5) {
		t.Errorf("%s: %d of %d, expected a share of %g (z = %.1f)", name, hits, draws, p, z)
	}
}

func TestDiceFollowTheirProbabilities(t *testing.T) {
	r := rng.Stream(1, "dice")
	const draws = 200_000
	accepted := 0
	picked := make([]int, 4)
	ones := make([]int, 3)
	for range draws {
		if r.Accept(math.Log(0.3)) {
			accepted++
		}
		picked[r.Pick([]float64{0, 1, 0.5, 2.5})]++
		coins := r.Coins(3)
		if coins > 7 {
			t.Fatalf("3 coins gave %b", coins)
		}
		for b := range ones {
			ones[b] += int(coins >> b & 1)
		}
	}
	frequency(t, "Accept(log 0.3)", accepted, draws, 0.3)
	if picked[0] != 0 {
		t.Errorf("an impossible choice was picked %d times", picked[0])
	}
	for i, p := range []float64{0.25, 0.125, 0.625} {
		frequency(t, fmt.Sprintf("Pick index %d", i+1), picked[i+1], draws, p)
	}
	for b, n := range ones {
		frequency(t, fmt.Sprintf("coin %d", b), n, draws, 0.5)
	}
	if !r.Accept(0) || !r.Accept(800) || r.Accept(math.Inf(-1)) {
		t.Error("certain choices were left to chance")
	}
}

func TestPermutationIsUniform(t *testing.T) {
	r := rng.Stream(1, "permutation")
	const draws = 120_000
	count := map[[3]int]int{}
	for range draws {
		p := [3]int{7, 7, 7} // what stood there before does not matter
		rng.Permutation(r, p[:])
		count[p]++
	}
	if len(count) != 6 {
		t.Fatalf("%d permutations of three things", len(count))
	}
	for p, n := range count {
		frequency(t, fmt.Sprint(p), n, draws, 1.0/6)
		if sorted := slices.Sorted(slices.Values(p[:])); !slices.Equal(sorted, []int{0, 1, 2}) {
			t.Errorf("%v is no permutation", p)
		}
	}
}

// crumbs is a source whose number is as near to 1 as float64 comes, so that
// rounding can carry Pick past the last weight.
type crumbs struct{}

func (crumbs) Uint64() uint64 { return math.MaxUint64 }

func TestPickStaysInsideThePositiveWeights(t *testing.T) {
	r := &rng.Rand{Rand: rand.New(crumbs{})}
	for n := 1; n < 200; n++ {
		weights := make([]float64, n+2) // the last two are impossible
		for i := range n {
			weights[i] = 0.1
		}
		if got := r.Pick(weights); got != n-1 {
			t.Errorf("%d weights of 0.1: the largest random number picks %d", n, got)
		}
	}
}

func TestAcceptRefusesNaN(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a probability that is not a number was taken")
		}
	}()
	rng.Stream(1, "panic").Accept(math.NaN())
}

func TestImpossibleWeightsPanic(t *testing.T) {
	for _, weights := range [][]float64{{}, {0, 0}, {1, math.NaN()}, {math.Inf(1)}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Pick(%v) did not panic", weights)
				}
			}()
			rng.Stream(1, "panic").Pick(weights)
		}()
	}
}

func ExampleStream() {
	// The stream of user 42 does not depend on which worker runs it, or when.
	a := rng.Stream(1, "chain", 42)
	b := rng.Stream(1, "chain", 42)
	fmt.Println(a.IntN(1000) == b.IntN(1000))
	// Output: true
}

package mcmc_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/mcmc"
	"fubini/infer/stattest"
)

func splitter(t testing.TB, n int) *mcmc.SplitMerge {
	return must[*mcmc.SplitMerge](t)(mcmc.NewSplitMerge(worths(t, make([]float64, n), 0), partition.Space{}))
}

func sorted(items []int) string { return fmt.Sprint(slices.Sorted(slices.Values(items))) }

// Played out, every split of a block has the probability that splitLogProb
// claims, and together they have all of it.
func TestSplitsHaveTheirStatedProbability(t *testing.T) {
	for n := 2; n <= 7; n++ {
		block := make([]int, n)
		for i := range block {
			block[i] = i
		}
		k := splitter(t, n)
		law := map[string]float64{}
		size := map[string]int{}
		var upper []int
		for p := range stattest.Outcomes(func(d rng.Dice) { upper = k.DrawUpper(d, block) }) {
			law[sorted(upper)] += p
			size[sorted(upper)] = len(upper)
		}
		if len(law) != 1<<n-2 {
			t.Errorf("n = %d: %d splits, want %d", n, len(law), 1<<n-2)
		}
		printedTotal := 0.0
		for split, p := range law {
			up := size[split]
			if q := math.Exp(mcmc.SplitLogProb(up, n-up)); !(math.Abs(p-q) <= 1e-14) {
				t.Errorf("n = %d: %s is drawn with probability %g, stated %g", n, split, p, q)
			}
			printedTotal += math.Exp(mcmc.PrintedSplitLogProb(up, n-up))
		}
		if n > 2 && !(printedTotal < 0.99) {
			t.Errorf("n = %d: the printed probabilities sum to %g; this test could not tell them from the true ones", n, printedTotal)
		}
	}
}

// The same with real dice, and a block long enough to need more than 64 coins
// for its sizes: chi-square against the stated law.
func TestDrawnSplitsFollowTheStatedLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const draws = 50_000
	r := rng.Stream(1, "splits")
	block := []int{4, 1, 7, 2, 0}
	k := splitter(t, 100)
	index := map[string]int{}
	var observed []int
	var expected []float64
	for range draws {
		upper := k.DrawUpper(r, block)
		key := sorted(upper)
		if _, known := index[key]; !known {
			index[key] = len(observed)
			observed = append(observed, 0)
			expected = append(expected, draws*math.Exp(mcmc.SplitLogProb(len(upper), len(block)-len(upper))))
		}
		observed[index[key]]++
	}
	if len(observed) != 1<<5-2 {
		t.Fatalf("%d different splits of five items", len(observed))
	}
	if p := stattest.ChiSquare(observed, expected); !(p > 1e-6) {
		t.Errorf("splits of five items: p = %g", p)
	}

	long := make([]int, 100)
	for i := range long {
		long[i] = i
	}
	sizes := make([]int, 101)
	up := make([]int, 100) // how often each item goes up: half the time
	for range draws {
		upper := k.DrawUpper(r, long)
		sizes[len(upper)]++
		for _, i := range upper {
			up[i]++
		}
	}
	law := make([]float64, 101)
	for a := 1; a < 100; a++ {
		ways, _ := math.Lgamma(101)
		l1, _ := math.Lgamma(float64(a) + 1)
		l2, _ := math.Lgamma(float64(100-a) + 1)
		law[a] = draws * math.Exp(ways-l1-l2+mcmc.SplitLogProb(a, 100-a))
	}
	if p := stattest.ChiSquare(sizes, law); !(p > 1e-6) {
		t.Errorf("sizes of splits of 100 items: p = %g", p)
	}
	for i, n := range up {
		if z := (float64(n) - draws/2) / math.Sqrt(draws/4); !(math.Abs(z) <= 5) {
			t.Errorf("item %d goes up in %d of %d splits (z = %.1f)", i, n, draws, z)
		}
	}
}

package mcmc_test

import (
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/mcmc"
)

// chosen is a die that is told whether to split and what to choose, and notes the log
// ratio by which a move would be accepted.
type chosen struct {
	*rng.Rand
	merge  bool
	first  bool // the coin between split and merge is still to come
	ratios []float64
}

func (c *chosen) Coins(n int) uint64 {
	if !c.first {
		return c.Rand.Coins(n)
	}
	c.first = false
	if c.merge {
		return 1
	}
	return 0
}

func (c *chosen) Accept(logRatio float64) bool {
	c.ratios = append(c.ratios, logRatio)
	return true
}

// shaped has blocks of these sizes.
func shaped(t testing.TB, sizes []int) *partition.Partition {
	t.Helper()
	var levels []int
	for b, size := range sizes {
		for range size {
			levels = append(levels, len(sizes)-b)
		}
	}
	return must[*partition.Partition](t)(partition.FromLevels(levels))
}

func sizesOf(x *partition.Partition) (sizes []int) {
	for b := range x.Len() {
		sizes = append(sizes, x.Size(b))
	}
	return sizes
}

func splittable(sizes []int) (count float64) {
	for _, n := range sizes {
		if n > 1 {
			count++
		}
	}
	return count
}

// splitLaw is log q of docs/maths.md#split-proposal, by factorials: of n (n-1) ordered
// pairs of seeds upper·lower lead to these parts, and n-2 coins fall as they must.
func splitLaw(upper, lower int) float64 {
	n := float64(upper + lower)
	return math.Log(float64(upper)) + math.Log(float64(lower)) - math.Log(n) - math.Log(n-1) - (n-2)*math.Log(2)
}

// Where all tier lists weigh the same, a split from B blocks is accepted by
// S/(B q) and a merge by (B-1) q/S', with S and S' the blocks that can be split before
// the split and after the merge: with few blocks and with hundreds, small ones and large.
func TestAcceptanceOnLongLists(t *testing.T) {
	repeat := func(size, times int) (sizes []int) {
		for range times {
			sizes = append(sizes, size)
		}
		return sizes
	}
	for name, sizes := range map[string][]int{
		"few blocks":              {2, 1, 3},
		"64 blocks":               append(repeat(1, 60), 2, 2, 3, 2),
		"65 blocks":               append(repeat(1, 61), 2, 2, 3, 2),
		"300 blocks":              append(repeat(1, 200), repeat(2, 100)...),
		"100 blocks to be split":  repeat(2, 100),
		"blocks of 64, 65, 66":    {64, 65, 66},
		"one block of 400":        {400},
		"large beside many small": append(repeat(1, 150), 130, 90),
	} {
		x := shaped(t, sizes)
		target := worths(t, make([]float64, x.N()), 0)
		k := must[*mcmc.SplitMerge](t)(mcmc.NewSplitMerge(target, partition.Space{}))
		d := &chosen{Rand: rng.Stream(1, "long "+name)}
		for step := range 200 {
			before := sizesOf(x)
			d.first, d.merge, d.ratios = true, step%2 == 1, d.ratios[:0]
			k.Step(d, x, nil)
			after := sizesOf(x)
			if len(d.ratios) == 0 {
				continue // a move that cannot be made
			}
			// Where one of two lists has a block more, the first block that differs.
			more, fewer := after, before
			if d.merge {
				more, fewer = before, after
			}
			at := 0
			for at < len(fewer) && fewer[at] == more[at] {
				at++
			}
			upper, lower := more[at], more[at+1]
			want := math.Log(splittable(fewer)) - math.Log(float64(len(fewer))) - splitLaw(upper, lower)
			if d.merge {
				want = -want
			}
			// Sums of a few logarithms, and of up to 400 times log 2.
			if !(math.Abs(d.ratios[0]-want) <= 1e-11) {
				t.Fatalf("%s, merge %t, %d blocks, parts of %d and %d: accepted by %.12g, want %.12g", name, d.merge, len(before), upper, lower, d.ratios[0], want)
			}
		}
	}
}

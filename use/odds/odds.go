package odds

import (
	"math"
	"slices"

	"fubini/core/partition"
	"fubini/data/ratings"
)

// Odds are the probabilities of every place that an item may take among a person's tiers. They sum to 1.
type Odds struct {
	Tiers []float64 // probability of each tier, best first
	Gaps  []float64 // probability of a tier of its own above the first tier, between two, and below the last
	// Rank is the expected rank among the person's items, 1 for the best. Low to High is an
	// interval of ranks with probability at least [RankHolds]. Without tiers all three are 1.
	Rank, Low, High float64
}

// RankHolds is the least probability of the interval of ranks from Low to High in [Odds].
const RankHolds = 0.8

// Slots lists the odds from the top: gap, tier, gap, and so on.
func (o Odds) Slots() []float64 {
	slots := make([]float64, len(o.Tiers)+len(o.Gaps))
	for s := range slots {
		if s%2 == 0 {
			slots[s] = o.Gaps[s/2]
		} else {
			slots[s] = o.Tiers[s/2]
		}
	}
	return slots
}

// Tier is the most probable tier, from 0, or -1 without tiers. The odds of a gap are divided
// equally between the two tiers beside it.
func (o Odds) Tier() int {
	best, most := -1, math.Inf(-1)
	for t, v := range o.Tiers {
		half := 2.0
		above, below := o.Gaps[t]/half, o.Gaps[t+1]/half
		if t == 0 {
			above *= half
		}
		if t == len(o.Tiers)-1 {
			below *= half
		}
		if v += above + below; v > most {
			best, most = t, v
		}
	}
	return best
}

// RankAmong returns the expected rank of an item among tiers of these sizes, 1 for the best,
// and an interval of ranks with at least the given probability, of which each tail has at most
// half the rest. The rank in a tier is the mean of the ranks that the tier spans with the item.
func (o Odds) RankAmong(sizes []int, level float64) (expected, low, high float64) {
	tail := (1 - level) / 2
	above, passed := 0.0, 0.0 // items, and odds
	low, high = 1, 1
	step := func(rank, odds float64) {
		expected += rank * odds
		if passed <= tail {
			low = rank
		}
		if passed < 1-tail {
			high = rank
		}
		passed += odds
	}
	for t, gap := range o.Gaps {
		step(above+1, gap)
		if t < len(o.Tiers) {
			size := float64(sizes[t])
			step(above+1+size/2, o.Tiers[t])
			above += size
		}
	}
	return expected, low, high
}

// tierRatings are the ratings of a row, each once, best first: those that its tiers stand for.
func tierRatings(row ratings.Row) []float64 {
	values := make([]float64, row.Len())
	for k, v := range row.Values {
		values[k] = float64(v)
	}
	tiers := partition.Distinct(values)
	slices.Reverse(tiers)
	return tiers
}

// slotOf is where a rating stands among those of tiers, best first: 2t in the gap above tier t, 2t+1 in it, 2T below
// all.
func slotOf(tiers []float64, rating float64) int {
	for t, v := range tiers {
		switch {
		case rating > v:
			return 2 * t
		case rating == v:
			return 2*t + 1
		}
	}
	return 2 * len(tiers)
}

// Over returns the probability of each of a person's tiers, of which used, from 0 for the best, are those that hold items:
// the odds of a gap are divided by the empty tiers inside it, or by its neighbours where there is none.
func (o Odds) Over(used []int, tiers int) []float64 {
	chances := make([]float64, tiers)
	first := 0 // tier after the last used one
	for t, gap := range o.Gaps {
		until := tiers
		if t < len(used) {
			until = used[t]
			chances[until] += o.Tiers[t]
		}
		from, to := first, until // of the tiers that share the gap
		if from == to {
			from, to = max(from-1, 0), min(to+1, tiers)
		}
		for k := from; k < to; k++ {
			chances[k] += gap / float64(to-from)
		}
		first = until + 1
	}
	return chances
}

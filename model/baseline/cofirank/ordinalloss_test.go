package cofirank

import (
	"math"
	"testing"

	"fubini/core/rng"
)

// naiveOrdinal looks at every pair.
func naiveOrdinal(ratings, scores []float64, even bool) (loss float64, slope []float64) {
	slope = make([]float64, len(scores))
	var costs float64
	for a := range scores {
		for b := range scores {
			if ratings[a] <= ratings[b] {
				continue
			}
			cost := ratings[a] - ratings[b]
			if even {
				cost = 1
			}
			costs += cost
			if miss := 1 - scores[a] + scores[b]; miss > 0 {
				loss += cost * miss
				slope[a] -= cost
				slope[b] += cost
			}
		}
	}
	for j := range slope {
		slope[j] /= costs
	}
	return loss / costs, slope
}

func TestOrdinalLossAgainstAllPairs(t *testing.T) {
	r := rng.Stream(1, "ordinal loss")
	for _, even := range []bool{false, true} {
		l := &ordinalLoss{even: even}
		for range 500 {
			n := 2 + r.IntN(90) // byScore sorts differently above 64
			ratings, scores := drawnList(r, n)
			one := prepared(l, ratings)
			if !one.ordered {
				if ratings[0] != ratings[n-1] {
					t.Fatalf("%v has an order", ratings)
				}
				continue
			}
			l.usual = one.costs
			want, wantSlope := naiveOrdinal(ratings, scores, even)
			if got := l.measure(one, scores); !(math.Abs(got-want) <= 1e-10*(1+want)) {
				t.Fatalf("loss %g, pair by pair %g", got, want)
			}
			for j, slope := range one.slope {
				if !(math.Abs(slope-wantSlope[j]) <= 1e-10) {
					t.Fatalf("slope %v, pair by pair %v", one.slope, wantSlope)
				}
			}
		}
	}
}

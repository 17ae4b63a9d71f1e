package traffic

import (
	"math"
	"testing"
)

// By hand: 10 of 20 below 0.1 s, all below 0.2 s. The median is the end of the first bucket, 95 % lie nine tenths into the second.
func TestQuantileOfBuckets(t *testing.T) {
	buckets := map[float64]uint64{0.1: 10, 0.2: 20, math.Inf(1): 20}
	for share, want := range map[float64]float64{0.5: 0.1, 0.95: 0.19, 0.25: 0.05} {
		if got := quantile(buckets, 20, share); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("the %g quantile is %g, by hand %g", share, got, want)
		}
	}
	if got := quantile(map[float64]uint64{0.1: 0, math.Inf(1): 5}, 5, 0.5); got != 0.1 {
		t.Errorf("above all bounds: %g", got)
	}
}

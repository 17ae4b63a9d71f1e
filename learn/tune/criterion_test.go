package tune

import (
	"math"
	"testing"

	"fubini/core/rng"
)

// The error of a gain is that of a mean over users: over many draws of users, the
// gain lies within two errors of the truth about 95 times of 100.
func TestErrorOfAGain(t *testing.T) {
	const truth, rounds = 0.1, 2000
	r := rng.Stream(1, "gain")
	within, half := 0, 0
	for range rounds {
		one, other := make([]tally, 200), make([]tally, 200)
		for u := range one {
			pairs := 1 + float64(r.IntN(6))
			// What both have in common is noise that must cancel.
			common := r.Float64()
			one[u] = tally{pairs * (0.4*common + 0.3 + truth + 0.2*r.NormFloat64()), pairs}
			other[u] = tally{pairs * (0.4*common + 0.3 + 0.2*r.NormFloat64()), pairs}
		}
		gain, noise := apart(one, other)
		if math.Abs(gain-truth) < 2*noise {
			within++
		}
		if math.Abs(gain-truth) < noise { // a broken twin: half as wide
			half++
		}
	}
	if share := float64(within) / rounds; !(math.Abs(share-0.954) < 0.02) {
		t.Errorf("within two errors %.3f of the time", share)
	}
	if share := float64(half) / rounds; math.Abs(share-0.954) < 0.02 {
		t.Errorf("the twin passes too")
	}
}

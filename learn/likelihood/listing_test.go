package likelihood

import (
	"math"
	"testing"
)

// Listing two tiers and the subset table are two ways to the same expectations.
func TestTwoTiersByListingAndByTable(t *testing.T) {
	design := full(ItemTies, TwoTiers)
	d := must[*Data](t)(Group(design, drawnVotes(design, 30, 6, 2)))
	theta := anywhere(d)
	m, longest := &local{Data: d}, 0
	for v := range d.votes.Weight {
		m.load(theta, int32(v))
		longest = max(longest, m.n)
		m.list(false)
		logZ, listed := m.logZ, append([]float64{}, m.mean[:m.dim]...)
		if err := m.expectTable(m.mean); err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(logZ-m.logZ) <= 1e-10) {
			t.Errorf("log Z of %d items: %g listed, %g by the table", m.n, logZ, m.logZ)
		}
		for a, v := range listed {
			if !(math.Abs(v-m.mean[a]) <= 1e-10) {
				t.Errorf("mean %d of %d items: %g listed, %g by the table", a, m.n, v, m.mean[a])
			}
		}
	}
	if longest <= maxListed {
		t.Fatalf("votes of %d items: all spaces list them", longest)
	}
}

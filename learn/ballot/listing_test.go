package ballot_test

import (
	"math"
	"testing"

	"fubini/learn/ballot"
	"fubini/learn/ballot/drawn"
)

// Listing two tiers and the subset table are two ways to the same expectations.
func TestTwoTiersByListingAndByTable(t *testing.T) {
	longest := 0
	for _, ties := range []ballot.Ties{ballot.ItemTies, ballot.DistanceTies} {
		design := drawn.Full(ties, ballot.TwoTiers)
		d, err := ballot.Gather(design, drawn.Votes(design, 30, 6, 2))
		if err != nil {
			t.Fatal(err)
		}
		theta := drawn.Point(d.All)
		m := d.NewLocal()
		for v := range int32(30) {
			m.Load(theta, v)
			longest = max(longest, m.N())
			m.ByListing()
			logZ, listed := m.LogZ, append([]float64{}, m.Mean[:m.Dim]...)
			if err := m.ByTable(); err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(logZ-m.LogZ) <= 1e-10) {
				t.Errorf("log Z of %d items: %g listed, %g by the table", m.N(), logZ, m.LogZ)
			}
			for a, v := range listed {
				if !(math.Abs(v-m.Mean[a]) <= 1e-10) {
					t.Errorf("mean %d of %d items: %g listed, %g by the table", a, m.N(), v, m.Mean[a])
				}
			}
		}
	}
	if longest <= ballot.MaxListed {
		t.Fatalf("votes of %d items: all spaces list them", longest)
	}
}

package ballot_test

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/learn/ballot"
)

// The expectations by the size of the upper tier are those of listing, covariances too: with weights by size and tie
// deviations of items, for equal worths and for worths so far apart that odds reach e^400.
func TestTwoTiersBySize(t *testing.T) {
	r := rng.Stream(1, "two tiers")
	for _, ties := range []ballot.Ties{ballot.CommonTies, ballot.ItemTies} {
		for _, sizes := range []int{0, 2, 7} {
			for _, scale := range []float64{0, 1, 40} {
				const n = 7
				votes := ballot.Votes{Start: []int32{0, n}, Item: []int32{0, 1, 2, 3, 4, 5, 6}, Tier: []int32{0, 1, 1, 1, 0, 1, 1}, Weight: []float64{1}}
				d, err := ballot.Gather(ballot.Design{Items: n, Ties: ties, Space: ballot.TwoTiers, Sizes: sizes}, votes)
				if err != nil {
					t.Fatal(err)
				}
				theta := make([]float64, d.All)
				for k := range theta {
					theta[k] = r.NormFloat64()
					if k < n {
						theta[k] *= scale
					}
				}
				m := d.NewLocal()
				m.Load(theta, 0)
				m.ByListing()
				logZ, mean, covariance := m.LogZ, append([]float64{}, m.Mean[:m.Dim]...), append([]float64{}, m.Covariance[:m.Dim*m.Dim]...)
				if err := m.Expect(true); err != nil {
					t.Fatal(err)
				}
				if !(math.Abs(m.LogZ-logZ) <= 1e-12*(1+math.Abs(logZ))) {
					t.Errorf("ties %d, %d sizes, scale %g: log Z %.15g, listed %.15g", ties, sizes, scale, m.LogZ, logZ)
				}
				for a, want := range mean {
					if !(math.Abs(m.Mean[a]-want) <= 1e-11) {
						t.Errorf("ties %d, %d sizes, scale %g: mean %d is %g, listed %g", ties, sizes, scale, a, m.Mean[a], want)
					}
				}
				for a, want := range covariance {
					if !(math.Abs(m.Covariance[a]-want) <= 1e-10) { // differences of squares of up to 50
						t.Errorf("ties %d, %d sizes, scale %g: covariance %d is %g, listed %g", ties, sizes, scale, a, m.Covariance[a], want)
					}
				}
			}
		}
	}
}

func BenchmarkTwoTiers(b *testing.B) {
	const n = 16
	votes := ballot.Votes{Start: []int32{0, n}, Weight: []float64{1}}
	for k := range int32(n) {
		votes.Item, votes.Tier = append(votes.Item, k), append(votes.Tier, k%2)
	}
	d, err := ballot.Gather(ballot.Design{Items: n, Space: ballot.TwoTiers, Sizes: n}, votes)
	if err != nil {
		b.Fatal(err)
	}
	m := d.NewLocal()
	m.Load(make([]float64, d.All), 0)
	b.Run("by size", func(b *testing.B) {
		for b.Loop() {
			if err := m.Expect(true); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("listed", func(b *testing.B) {
		for b.Loop() {
			m.ByListing()
		}
	})
}

package ballot_test

import (
	"cmp"
	"math"
	"testing"

	"fubini/learn/ballot"
	"fubini/learn/ballot/drawn"
)

// alike is whether two outcomes agree in all places but one.
func alike(a, b []int32, but int) bool {
	for k := range a {
		for l := range k {
			if k != but && l != but && cmp.Compare(a[k], a[l]) != cmp.Compare(b[k], b[l]) {
				return false
			}
		}
	}
	return true
}

// Value, gradient and covariance of the slot likelihood are those of the joint distribution conditional on all items but one,
// by listing, in all designs and spaces.
func TestSlotsAreConditionals(t *testing.T) {
	for name, design := range drawn.Designs() {
		t.Run(name, func(t *testing.T) {
			d, err := ballot.Gather(design, drawn.Votes(design, 30, 5, 7))
			if err != nil {
				t.Fatal(err)
			}
			theta := drawn.Point(d.All)
			m := d.NewLocal()
			for v := range int32(30) {
				m.Load(theta, v)
				tiers := d.TiersOf(v)
				var value float64
				gradient, covariance := make([]float64, m.Dim), make([]float64, m.Dim*m.Dim)
				for i := range m.N() {
					var z float64
					var states [][]int32
					for _, other := range m.Outcomes() {
						if alike(tiers, other, i) {
							states = append(states, other)
							z += math.Exp(m.LogWeight(other))
						}
					}
					value += m.LogWeight(tiers) - math.Log(z)
					mean := make([]float64, m.Dim)
					for _, other := range states {
						m.StatisticsOf(other, m.Statistic)
						for a, x := range m.Statistic[:m.Dim] {
							mean[a] += math.Exp(m.LogWeight(other)) / z * x
						}
					}
					for _, other := range states {
						m.StatisticsOf(other, m.Statistic)
						for a, x := range m.Statistic[:m.Dim] {
							for b, y := range m.Statistic[:m.Dim] {
								covariance[a*m.Dim+b] += math.Exp(m.LogWeight(other)) / z * (x - mean[a]) * (y - mean[b])
							}
						}
					}
					m.StatisticsOf(tiers, m.Statistic)
					for a, x := range m.Statistic[:m.Dim] {
						gradient[a] += x - mean[a]
					}
				}
				if got := m.Composite(tiers, true); !(math.Abs(got-value) <= 1e-11) {
					t.Fatalf("vote %d: %g, want %g", v, got, value)
				}
				for a := range gradient {
					if !(math.Abs(m.Statistic[a]-gradient[a]) <= 1e-11) {
						t.Errorf("vote %d of %d: gradient %g of coordinate %d, want %g", v, m.N(), m.Statistic[a], a, gradient[a])
					}
					for b := range gradient {
						if c := a*m.Dim + b; !(math.Abs(m.Covariance[c]-covariance[c]) <= 1e-11) {
							t.Errorf("vote %d of %d: covariance %g of coordinates %d and %d, want %g", v, m.N(), m.Covariance[c], a, b, covariance[c])
						}
					}
				}
			}
		})
	}
}

// The probabilities of a pair in a long list are none below zero and sum to one, however far apart the worths are.
func TestSlotPairsAreProbabilities(t *testing.T) {
	const n = 20
	for _, spread := range []float64{0.1, 1, 3, 10} {
		design := ballot.Design{Items: n, Slots: true}
		d, err := ballot.Gather(design, drawn.Votes(design, 30, n, 7))
		if err != nil {
			t.Fatal(err)
		}
		theta := drawn.Point(d.All)
		for k := range theta[:n] {
			theta[k] = spread * float64(k-n/2)
		}
		m := d.NewLocal()
		for v := range int32(30) {
			m.Load(theta, v)
			above, tied := m.VotePairs(d.TiersOf(v))
			for k := range m.N() {
				for l := range k {
					a, b, c := above[k*m.N()+l], above[l*m.N()+k], tied[k*m.N()+l]
					if !(a >= 0 && b >= 0 && c >= 0 && math.Abs(a+b+c-1) <= 1e-12) {
						t.Fatalf("spread %g, vote %d: places %d and %d have probabilities %g, %g and %g", spread, v, k, l, a, c, b)
					}
				}
			}
		}
	}
}

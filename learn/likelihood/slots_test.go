package likelihood

import (
	"cmp"
	"math"
	"testing"
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
	for name, design := range designs() {
		t.Run(name, func(t *testing.T) {
			d := must[*Data](t)(Group(design, drawnVotes(design, 30, 5, 7)))
			theta := anywhere(d)
			m := &local{Data: d}
			for v := range int32(30) {
				m.load(theta, v)
				tiers := d.tiers(v)
				var value float64
				gradient, covariance := make([]float64, m.dim), make([]float64, m.dim*m.dim)
				for i := range m.n {
					var z float64
					var states [][]int32
					for _, other := range m.all() {
						if alike(tiers, other, i) {
							states = append(states, other)
							z += math.Exp(m.logWeight(other))
						}
					}
					value += m.logWeight(tiers) - math.Log(z)
					mean := make([]float64, m.dim)
					for _, other := range states {
						m.statisticsOf(other, m.statistic)
						for a, x := range m.statistic[:m.dim] {
							mean[a] += math.Exp(m.logWeight(other)) / z * x
						}
					}
					for _, other := range states {
						m.statisticsOf(other, m.statistic)
						for a, x := range m.statistic[:m.dim] {
							for b, y := range m.statistic[:m.dim] {
								covariance[a*m.dim+b] += math.Exp(m.logWeight(other)) / z * (x - mean[a]) * (y - mean[b])
							}
						}
					}
					m.statisticsOf(tiers, m.statistic)
					for a, x := range m.statistic[:m.dim] {
						gradient[a] += x - mean[a]
					}
				}
				if got := m.composite(tiers, true); !(math.Abs(got-value) <= 1e-11) {
					t.Fatalf("vote %d: %g, want %g", v, got, value)
				}
				for a := range gradient {
					if !(math.Abs(m.statistic[a]-gradient[a]) <= 1e-11) {
						t.Errorf("vote %d of %d: gradient %g of coordinate %d, want %g", v, m.n, m.statistic[a], a, gradient[a])
					}
					for b := range gradient {
						if c := a*m.dim + b; !(math.Abs(m.covariance[c]-covariance[c]) <= 1e-11) {
							t.Errorf("vote %d of %d: covariance %g of coordinates %d and %d, want %g", v, m.n, m.covariance[c], a, b, covariance[c])
						}
					}
				}
			}
		})
	}
}

// Worths far apart leave the slot likelihood finite.
func TestSlotsOfFarWorths(t *testing.T) {
	design := Design{Items: 3, Slots: true}
	d := must[*Data](t)(Group(design, drawnVotes(design, 20, 3, 1)))
	p := must[*point](t)(d.evaluate(t.Context(), []float64{1e4, 0, -1e4, 3}, 1, true))
	if math.IsNaN(p.value) || math.IsInf(p.value, 0) || !(p.value < -1e4) {
		t.Errorf("slot log likelihood %g", p.value)
	}
}

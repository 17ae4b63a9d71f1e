package ballot_test

import (
	"math"
	"slices"
	"testing"

	"fubini/learn/ballot"
	"fubini/learn/ballot/drawn"
)

// Means and covariances of the subset table are those of all outcomes, listed, in all designs in the space of all weak orders; differences
// of means come near them.
func TestCovarianceOfTheTable(t *testing.T) {
	tried := 0
	for name, design := range drawn.Designs() {
		t.Run(name, func(t *testing.T) {
			d, err := ballot.Gather(design, drawn.Votes(design, 20, 6, 7))
			if err != nil {
				t.Fatal(err)
			}
			theta := drawn.Point(d.All)
			m := d.NewLocal()
			for v := range int32(20) {
				m.Load(theta, v)
				if m.ByVote() {
					t.Skip("no sums over outcomes")
				}
				ok, err := m.ByCovariance()
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					t.Skip("a space with layers")
				}
				all := func() []float64 { return slices.Concat([]float64{m.LogZ}, m.Mean[:m.Dim], m.Covariance[:m.Dim*m.Dim]) }
				table := all()
				compare := func(how string, tolerance float64) {
					for k, want := range all() {
						if !(math.Abs(table[k]-want) <= tolerance) {
							t.Fatalf("vote %d of %d items: number %d is %g by the table, %g %s", v, m.N(), k, table[k], want, how)
						}
					}
				}
				if err := m.ByDifferences(); err != nil {
					t.Fatal(err)
				}
				compare("by differences", 1e-6) // steps of 1e-4, squared, and rounding
				if m.N() > ballot.MaxListed {
					continue
				}
				m.ByListing()
				compare("listed", 1e-10)
				tried++
			}
		})
	}
	if tried < 50 {
		t.Errorf("%d votes: the test sees little", tried)
	}
}

func BenchmarkCovarianceOfTen(b *testing.B) {
	design := ballot.Design{Items: 10}
	d, err := ballot.Gather(design, drawn.Votes(design, 60, 10, 7))
	if err != nil {
		b.Fatal(err)
	}
	theta, m, v := drawn.Point(d.All), d.NewLocal(), int32(0)
	for m.Load(theta, v); m.N() < 10; m.Load(theta, v) {
		v++
	}
	for name, compute := range map[string]func() error{
		"table": func() error { _, err := m.ByCovariance(); return err }, "differences": m.ByDifferences, "mean": m.ByTable,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := compute(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

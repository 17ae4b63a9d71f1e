package vec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Weigh and Spread are their plain twins, element for element, and write nothing behind the end.
func TestWeighAndSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, blocks := range []int{0, 1, 2, 5, 9} {
		for _, spare := range []int{0, 3} {
			for _, n := range []int{0, 4, 8, 20} {
				slots, wide := 2*blocks+1, blocks+spare
				within, linear, slope, base, away := draw(r, n*wide, true), draw(r, n, true), draw(r, n, true), draw(r, slots, true), draw(r, slots, true)
				got := draw(r, slots*n+1, false)
				want := slices.Clone(got)
				Weigh(got[:slots*n], within, linear, slope, base, away, 0.3)
				weighPlain(want[:slots*n], within, linear, slope, base, away, wide, 0.3)
				if !same(got, want) {
					t.Fatalf("%d items, %d slots: weights %g, plain %g", n, slots, got, want)
				}
				values, sums, first, second := draw(r, slots*n+1, true), draw(r, 4*slots+1, true), draw(r, n+1, false), draw(r, n+1, false)
				again := [][]float64{slices.Clone(values), slices.Clone(sums), slices.Clone(first), slices.Clone(second)}
				Spread(values[:slots*n], first[:n], second[:n], sums[:4*slots], linear, away)
				spreadPlain(again[0][:slots*n], again[2][:n], again[3][:n], again[1][:4*slots], linear, away)
				for k, of := range [][]float64{values, sums, first, second} {
					if !same(of, again[k]) {
						t.Fatalf("%d columns, %d rows: result %d is %g, plain %g", n, slots, k, of, again[k])
					}
				}
			}
		}
	}
}

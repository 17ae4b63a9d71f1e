package partition_test

import (
	"math"
	"math/big"
	"testing"

	"fubini/core/partition"
)

// boxes is a die that notes the weights it is to pick by.
type boxes struct{ weights []float64 }

func (b *boxes) IntN(int) int        { return 0 }
func (b *boxes) Coins(int) uint64    { return 0 }
func (b *boxes) Accept(float64) bool { return true }
func (b *boxes) Pick(weights []float64) int {
	b.weights = weights
	return 1
}

// The number of boxes k of a uniform draw has probability k^n / (2^(k+1) Fubini(n)),
// against whole numbers, for every k. Weights that are left out sum to less than
// rounding: uniform draws with the tail cut at a thousandth would have too few tiers.
func TestWeightsOfBoxes(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8, 30, 100} {
		x := partition.OneBlock(n)
		var d boxes
		partition.NewUniform(n).Draw(&d, x)
		var total float64
		for _, w := range d.weights {
			total += w
		}
		left := 1.0
		for k, w := range d.weights {
			ways := new(big.Int).Exp(big.NewInt(int64(k)), big.NewInt(int64(n)), nil)
			law, _ := new(big.Rat).SetFrac(ways, new(big.Int).Lsh(partition.Fubini(n), uint(k+1))).Float64()
			// Logarithms of numbers near 500 round by a part in 1e-13.
			if !(math.Abs(w/total-law) <= 1e-12*law) {
				t.Errorf("n = %d: %d boxes have probability %g, want %g", n, k, w/total, law)
			}
			left -= law
		}
		if !(math.Abs(left) <= 1e-13) {
			t.Errorf("n = %d: up to %d boxes there is %g of all probability left", n, len(d.weights)-1, left)
		}
	}
}

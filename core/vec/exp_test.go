package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The exponential is within three units in the last place of the true one, here computed with 300 bits, by the kernel and by its
// plain twin; outside of the range it is 0 or infinite.
func TestExp(t *testing.T) {
	for name, kernel := range map[string]func(values []float64){"kernel": Exp, "plain": expPlain} {
		t.Run(name, func(t *testing.T) { checkExp(t, kernel) })
	}
}

func checkExp(t *testing.T, exp func(values []float64)) {
	r := rand.New(rand.NewPCG(5, 6))
	values := []float64{0, math.Copysign(0, -1), 1, -1, -708, 709, math.Ln2 / 2, -math.Ln2 / 2, 5e-324, 1e-300}
	for range 2000 {
		values = append(values, -708*r.Float64(), r.NormFloat64(), 709*r.Float64())
	}
	got := append([]float64{}, values...)
	exp(got)
	worst := 0.0
	for i, x := range values {
		want := bigExp(x)
		unit := math.Nextafter(want, math.Inf(1)) - want
		worst = max(worst, math.Abs(got[i]-want)/unit)
	}
	if !(worst <= 3) {
		t.Errorf("off by %.2f units in the last place", worst)
	}
	outside := []float64{-708.1, math.Inf(-1), 709.1, math.Inf(1), math.NaN()}
	exp(outside)
	if outside[0] != 0 || outside[1] != 0 || !math.IsInf(outside[2], 1) || !math.IsInf(outside[3], 1) || !math.IsNaN(outside[4]) {
		t.Errorf("outside: %g", outside)
	}
}

// bigExp is the exponential by its series, of x/1024, squared ten times.
func bigExp(x float64) float64 {
	const bits = 300
	small := new(big.Float).SetPrec(bits).SetMantExp(new(big.Float).SetPrec(bits).SetFloat64(x), -10)
	sum, term := new(big.Float).SetPrec(bits).SetInt64(1), new(big.Float).SetPrec(bits).SetInt64(1)
	for n := int64(1); n < 60; n++ {
		term.Mul(term, small)
		term.Quo(term, new(big.Float).SetPrec(bits).SetInt64(n))
		sum.Add(sum, term)
	}
	for range 10 {
		sum.Mul(sum, sum)
	}
	v, _ := sum.Float64()
	return v
}

func BenchmarkExp(b *testing.B) {
	values, work := make([]float64, 11), make([]float64, 11)
	for i := range values {
		values[i] = -float64(i)
	}
	b.Run("Exp", func(b *testing.B) {
		for b.Loop() {
			copy(work, values)
			Exp(work)
		}
	})
	b.Run("math.Exp", func(b *testing.B) {
		for b.Loop() {
			for i, v := range values {
				work[i] = math.Exp(v)
			}
		}
	})
}

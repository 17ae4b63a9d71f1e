package vec

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernels for numbers of four bytes have the bits of their plain twins, at all lengths, and write nothing behind the end.
func TestSingles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	singles := func(n int) []float32 {
		values := make([]float32, n)
		for k := range values {
			values[k] = float32(r.NormFloat64() * math.Exp(4*r.NormFloat64()))
		}
		return values
	}
	same := func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }
	for n := range 180 {
		for _, count := range []int{0, 1, 2, 7, 64} {
			to, factors := singles(n+1), singles(count)
			want := slices.Clone(to)
			const more = 3
			stride, places := n+more, make([]uint32, count)
			rows := singles(stride * count)
			for k := range places {
				places[k] = uint32(r.IntN(count))
			}
			AddRowsAtSingle(to[:n], rows, stride, places, factors)
			addRowsAtSinglePlain(want[:n], rows, stride, places, factors, 0)
			if !slices.EqualFunc(to, want, same) {
				t.Fatalf("%d rows at places of %d elements: %v, want %v", count, n, to, want)
			}
		}
		from, to := singles(n), draw(r, n+1, false)
		want := slices.Clone(to)
		AddTimesSingle(to[:n], from, .7)
		for k, v := range from {
			want[k] += float64(.7 * float64(v))
		}
		if !slices.EqualFunc(to, want, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
			t.Fatalf("%d elements: %v, want %v", n, to, want)
		}
	}
}

// A product that is added is rounded once: against numbers of any precision, among them some that lie half way between two of four bytes but for less
// than eight can hold, and such as are too small or too large.
func TestFusedSingle(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	number := func() float32 {
		return float32(math.Ldexp(math.Round(math.Ldexp(r.Float64()-.5, r.IntN(25))), r.IntN(250)-150))
	}
	twice := 0 // for which two roundings give another number
	for range 300_000 {
		x, y, z := number(), number(), number()
		if r.IntN(2) == 0 { // the product half way between z and the next
			x, y = float32(math.Ldexp(1+math.Ldexp(1, -23), r.IntN(40)-20)), float32(1-math.Ldexp(1, -24))
			z = float32(math.Ldexp(float64(x), 24+r.IntN(3)-1))
		}
		var exact, product big.Float
		product.SetPrec(600).Mul(product.SetPrec(600).SetFloat64(float64(x)), new(big.Float).SetFloat64(float64(y)))
		exact.SetPrec(600).Add(&product, new(big.Float).SetFloat64(float64(z)))
		want, _ := exact.Float32()
		if got := fusedSingle(x, y, z); got != want {
			t.Fatalf("%g times %g plus %g is %g, want %g", x, y, z, got, want)
		}
		if float32(float64(x)*float64(y)+float64(z)) != want {
			twice++
		}
	}
	if twice == 0 {
		t.Error("the test cannot see a sum that is rounded twice")
	}
	for _, x := range [][3]float32{{float32(math.Inf(1)), 1, 1}, {math.MaxFloat32, 2, -1}, {0, 3, 0}, {float32(math.Inf(1)), 1, float32(math.Inf(-1))}, {float32(math.NaN()), 1, 1}} {
		got, want := fusedSingle(x[0], x[1], x[2]), x[0]*x[1]+x[2]
		if got != want && !(got != got && want != want) {
			t.Errorf("%g times %g plus %g is %g, want %g", x[0], x[1], x[2], got, want)
		}
	}
}

// The tiles of all kernels have the bits of the plain loop, and nothing is written between the rows.
func TestAddTile(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	singles := func(n int) []float32 {
		values := make([]float32, n)
		for k := range values {
			values[k] = float32(r.NormFloat64() * math.Exp(4*r.NormFloat64()))
		}
		return values
	}
	for _, high := range []int{0, 1, 2, 3, 4, 5, 8, 11} {
		for _, count := range []int{0, 1, 2, 7, 64} {
			const stride = Tile + 3
			to, factors, rows := singles(max(0, high-1)*stride+Tile), singles(high*count), singles(count*Tile)
			want := slices.Clone(to)
			if count > 0 {
				addTilePlain(want, stride, factors, rows, count)
			}
			AddTile(to, stride, factors, rows)
			if !slices.EqualFunc(to, want, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
				t.Fatalf("%d rows of %d factors: %v, want %v", high, count, to, want)
			}
		}
	}
}

func BenchmarkSingles(b *testing.B) {
	const n, count, high = 64, 64, 8
	to, rows, factors := make([]float32, n*high), make([]float32, n*count), make([]float32, count*high)
	wide, wideRows, wideFactors := make([]float64, n), make([]float64, n*count), make([]float64, count)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"AddRows", func() { AddRows(wide, wideRows, wideFactors) }},
		{"AddTile/8", func() { AddTile(to, n, factors, rows) }},
	} {
		b.Run(fmt.Sprintf("%s/%dx%d", c.name, count, n), func(b *testing.B) {
			for b.Loop() {
				c.f()
			}
		})
	}
}

package vec

import (
	"fmt"
	"math"
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
	for n := range 140 {
		for _, count := range []int{0, 1, 2, 7, 64} {
			to, rows, factors := singles(n+1), singles(n*count), singles(count)
			want := slices.Clone(to)
			AddRowsSingle(to[:n], rows, factors)
			addRowsSinglePlain(want[:n], rows, factors, 0)
			if !slices.EqualFunc(to, want, same) {
				t.Fatalf("%d rows of %d elements: %v, want %v", count, n, to, want)
			}
			const more = 3
			stride, places := n+more, make([]uint32, count)
			rows = singles(stride * count)
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

func BenchmarkSingles(b *testing.B) {
	const n, count = 64, 64
	to, rows, factors := make([]float32, n), make([]float32, n*count), make([]float32, count)
	wide, wideRows, wideFactors := make([]float64, n), make([]float64, n*count), make([]float64, count)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"AddRows", func() { AddRows(wide, wideRows, wideFactors) }},
		{"AddRowsSingle", func() { AddRowsSingle(to, rows, factors) }},
	} {
		b.Run(fmt.Sprintf("%s/%dx%d", c.name, count, n), func(b *testing.B) {
			for b.Loop() {
				c.f()
			}
		})
	}
}

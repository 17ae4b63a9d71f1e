package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Scores of rounded rows and vectors are those of the exact ones within the bound, for any number of rows, elements and
// vectors; and the bound is not far from what happens.
func TestCoarse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	worst := 0.0
	for _, n := range []int{1, 15, 16, 63, 64, 65, 150} {
		for _, k := range []int{1, 2, 3, 50, 127} {
			for _, count := range []int{1, 3, 4, 9} {
				rows, base, vectors := draw(r, n*k, false), draw(r, n, false), draw(r, count*k, false)
				clear(rows[:k]) // one of length 0
				base[n-1] = math.Inf(-1)
				c := NewCoarse(rows, base, k)
				var narrow []int16
				var scales []float32
				for v := range count {
					var scale float32
					narrow, scale = c.Vector(narrow, vectors[v*k:(v+1)*k])
					scales = append(scales, scale)
				}
				apart := c.Stride() + 5
				out := make([]float32, (count-1)*apart+c.Stride())
				c.Scores(out, narrow, scales, apart)
				plain := make([]float32, len(out))
				c.scoresPlain(plain, narrow, scales, apart)
				for v := range count {
					vector := vectors[v*k : (v+1)*k]
					length := math.Sqrt(Dot(vector, vector))
					for i := range n {
						want := base[i] + Dot(vector, rows[i*k:(i+1)*k])
						got := float64(out[v*apart+i])
						if got == want {
							continue
						}
						off := math.Abs(got - want)
						if !(off <= c.Error()*length+0x1p-22*math.Abs(base[i])) {
							t.Fatalf("%d rows of %d, vector %d of %d, row %d: %g, not %g", n, k, v, count, i, got, want)
						}
						if worst = max(worst, off/(c.Error()*length)); !(math.Abs(got-float64(plain[v*apart+i])) <= 0x1p-21*(math.Abs(base[i])+c.longest*length)) {
							t.Fatalf("row %d: %g, plain %g", i, got, plain[v*apart+i])
						}
					}
				}
			}
		}
	}
	if !(worst > .05) {
		t.Errorf("the largest error is %g of the bound: a smaller one would do", worst)
	}
}

// Rows and vectors of the largest numbers that there are do not overflow.
func TestCoarseDoesNotOverflow(t *testing.T) {
	const k = 128
	for _, sign := range []float64{1, -1} {
		row, vector := make([]float64, k), make([]float64, k)
		for j := range row {
			row[j], vector[j] = 1e30, sign*1e-3
		}
		c := NewCoarse(row, []float64{0}, k)
		narrow, scale := c.Vector(nil, vector)
		out := make([]float32, c.Stride())
		c.Scores(out, narrow, []float32{scale}, c.Stride())
		if want := sign * k * 1e27; !(math.Abs(float64(out[0])/want-1) <= 1e-3) {
			t.Errorf("%g, not %g", out[0], want)
		}
	}
}

func BenchmarkCoarse(b *testing.B) {
	const n, k = 10_000, 50
	r := rand.New(rand.NewPCG(1, 2))
	c := NewCoarse(draw(r, n*k, false), draw(r, n, false), k)
	for _, count := range []int{1, 64} {
		var vectors []int16
		scales := make([]float32, count)
		for v := range scales {
			vectors, scales[v] = c.Vector(vectors, draw(r, k, false))
		}
		out := make([]float32, count*c.Stride())
		b.Run(fmt.Sprintf("%d vectors", count), func(b *testing.B) {
			for b.Loop() {
				c.Scores(out, vectors, scales, c.Stride())
			}
			b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "vectors/s")
		})
	}
}

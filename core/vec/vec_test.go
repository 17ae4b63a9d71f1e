package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// draw gives numbers of very different sizes, some special.
func draw(r *rand.Rand, n int, special bool) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64() * math.Exp(10*r.NormFloat64())
		if special && r.IntN(10) == 0 {
			v[i] = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324}[r.IntN(6)]
		}
	}
	return v
}

// same compares bits; one NaN is as good as another.
func same(a, b []float64) bool {
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
			return false
		}
	}
	return len(a) == len(b)
}

// Whatever runs here gives the bits of the plain twin, and leaves alone what lies
// beside its slices.
func TestSameBitsAsPlainTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		for _, special := range []bool{false, true} {
			for rows := range 4 {
				t.Run(fmt.Sprintf("%d elements, %d rows, special %t", n, rows, special), func(t *testing.T) {
					all := draw(r, 1+n+1, special)
					a, b, matrix, factors := all[1:1+n], draw(r, n, special), draw(r, rows*n, special), draw(r, rows, special)
					if got, want := []float64{Dot(a, b)}, []float64{dotPlain(a, b)}; !same(got, want) {
						t.Errorf("Dot %g, plain %g", got, want)
					}
					at, draws := make([]uint32, 2*rows), draw(r, 2*rows, special)
					for k := range at {
						at[k] = uint32(r.IntN(rows)) // some twice
					}
					got, want := make([]float64, rows), make([]float64, rows)
					DotRows(got, a, matrix)
					dotRowsPlain(want, a, matrix)
					if !same(got, want) {
						t.Errorf("DotRows %g, plain %g", got, want)
					}
					for name, kernel := range map[string][2]func(v []float64){
						"AddTimes":    {func(v []float64) { AddTimes(v, b, factors[0]) }, func(v []float64) { addTimesPlain(v, b, factors[0]) }},
						"AddRows":     {func(v []float64) { AddRows(v, matrix, factors) }, func(v []float64) { addRowsPlain(v, matrix, factors) }},
						"AddRowsAt":   {func(v []float64) { AddRowsAt(v, matrix, at, draws) }, func(v []float64) { addRowsAtPlain(v, matrix, at, draws) }},
						"Exp":         {Exp, expPlain},
						"Scale":       {func(v []float64) { Scale(v, factors[0]) }, func(v []float64) { scalePlain(v, factors[0]) }},
						"Towards":     {func(v []float64) { Towards(v, b, factors[0]) }, func(v []float64) { towardsPlain(v, b, factors[0]) }},
						"TowardsEach": {func(v []float64) { TowardsEach(v, b, matrix[:n], factors[0]) }, func(v []float64) { towardsEachPlain(v, b, matrix[:n], factors[0]) }},
						"AddTimesTwo": {
							func(v []float64) { AddTimesTwo(v, slices.Clone(v), b, factors[0], .3) }, func(v []float64) { addTimesTwoPlain(v, slices.Clone(v), b, factors[0], .3) },
						},
						"AddTimesTwo, the second": {
							func(v []float64) { AddTimesTwo(slices.Clone(v), v, b, .3, factors[0]) }, func(v []float64) { addTimesTwoPlain(slices.Clone(v), v, b, .3, factors[0]) },
						},
					} {
						if name != "AddRows" && rows == 0 {
							continue
						}
						x, y := append([]float64{}, all...), append([]float64{}, all...)
						kernel[0](x[1 : 1+n])
						kernel[1](y[1 : 1+n])
						if !same(x, y) {
							t.Errorf("%s %g, plain %g", name, x, y)
						}
					}
				})
			}
		}
	}
}

// Combine has the bits of its plain twin, and leaves other rows alone.
func TestCombine(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, k := range []int{0, 1, 7, 19, 20, 21, 40} {
		for count := range 9 {
			const n = 6
			at := []int{4, 1, 2, 4}
			out, rows, factors := draw(r, n*k, false), draw(r, count*k, count%2 == 0), draw(r, n*count, count%2 == 0)
			own, each := draw(r, n*k, false), draw(r, n, false)
			x, y := slices.Clone(out), slices.Clone(out)
			Combine(x, at, rows, factors, own, each, k)
			if k > 0 {
				combinePlain(y, at, rows, factors, own, each, k)
			}
			if !same(x, y) {
				t.Errorf("%d rows of %d elements: %g, plain %g", count, k, x, y)
			}
		}
	}
}

// The sum of the plain twin is a sum: close to the one in higher precision.
func TestDotAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 40 {
		a, b := make([]float64, n), make([]float64, n)
		want := 0.0
		for i := range a {
			a[i], b[i] = float64(r.IntN(1000)), float64(r.IntN(1000)) // exact in float64
			want += a[i] * b[i]
		}
		if got := Dot(a, b); got != want {
			t.Errorf("%d elements: %g, not %g", n, got, want)
		}
	}
}

func TestLengthsMustAgree(t *testing.T) {
	two, three := make([]float64, 2), make([]float64, 3)
	for name, f := range map[string]func(){
		"Dot":                func() { Dot(two, three) },
		"DotRows":            func() { DotRows(two, two, three) },
		"AddTimes":           func() { AddTimes(two, three, 1) },
		"AddRows":            func() { AddRows(two, three, two) },
		"AddRowsAt":          func() { AddRowsAt(two, two, []uint32{1}, two[:1]) },
		"AddRowsAt, factors": func() { AddRowsAt(two, two, []uint32{0}, two) },
		"AddTile, to":        func() { AddTile(make([]float32, Tile-1), Tile, make([]float32, 1), make([]float32, Tile)) },
		"AddTile, stride":    func() { AddTile(make([]float32, 2*Tile), Tile-1, make([]float32, 2), make([]float32, Tile)) },
		"AddTile, factors":   func() { AddTile(make([]float32, 2*Tile), Tile, make([]float32, 3), make([]float32, 2*Tile)) },
		"AddTile, rows":      func() { AddTile(make([]float32, 2*Tile), Tile, make([]float32, 2), make([]float32, Tile+1)) },
		"Combine, rows":      func() { Combine(two, []int{0}, three, two, two, two, 2) },
		"Combine, factors":   func() { Combine(two, []int{0}, make([]float64, 6), two, two, two, 2) },
		"Combine, out":       func() { Combine(two, []int{1}, two, two, make([]float64, 4), two, 2) },
		"Combine, own":       func() { Combine(make([]float64, 4), []int{1}, two, two, two, two, 2) },
		"Combine, each":      func() { Combine(make([]float64, 4), []int{1}, two, two, make([]float64, 4), two[:1], 2) },
		"AddTimesSingle":     func() { AddTimesSingle(two, make([]float32, 3), 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s took lengths that do not agree", name)
				}
			}()
			f()
		}()
	}
}

// AddAt has the bits of its plain twin, whatever the places, and refuses one that is outside.
func TestAddAt(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 40 {
		to := draw(r, 30, n%2 == 0)
		at, values := make([]uint32, n), make([]float32, n)
		for k := range at {
			at[k], values[k] = uint32(r.IntN(len(to)-2)), float32(r.NormFloat64()) // some twice
		}
		x, y := append([]float64{}, to...), append([]float64{}, to...)
		AddAt(x[1:29], at, values, .3, 100*n)
		addAtPlain(y[1:29], at, values, .3)
		if !same(x, y) {
			t.Errorf("%d places: %g, plain %g", n, x, y)
		}
		for k := range at {
			at[k] = 28
			func() {
				defer func() {
					if recover() == nil || x[29] != to[29] {
						t.Errorf("%d places: added to place %d of 28", n, at[k])
					}
				}()
				AddAt(x[1:29], at, values, .3, 100*n)
			}()
			at[k] = 0
		}
	}
}

// AddAtKinds has the bits of its plain twin, whatever the places and kinds, and refuses a place that is outside.
func TestAddAtKinds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var table [256]float64
	for k := range table {
		table[k] = r.NormFloat64()
	}
	for n := range 40 {
		to := draw(r, 30, n%2 == 0)
		at, values, kinds := make([]uint32, n), make([]float32, n), make([]uint8, n)
		for k := range at {
			at[k], values[k], kinds[k] = uint32(r.IntN(len(to)-2)), float32(r.NormFloat64()), uint8(r.IntN(256)) // some twice
		}
		x, y := append([]float64{}, to...), append([]float64{}, to...)
		AddAtKinds(x[1:29], at, values, kinds, .3, &table, 100*n)
		addAtKindsPlain(y[1:29], at, values, kinds, .3, &table)
		if !same(x, y) {
			t.Errorf("%d places: %g, plain %g", n, x, y)
		}
		for k := range at {
			at[k] = 28
			func() {
				defer func() {
					if recover() == nil || math.Float64bits(x[29]) != math.Float64bits(to[29]) {
						t.Errorf("%d places: added to place %d of 28", n, at[k])
					}
				}()
				AddAtKinds(x[1:29], at, values, kinds, .3, &table, 100*n)
			}()
			at[k] = 0
		}
	}
}

// Blend has the bits of its plain twin, and writes nothing beside its elements.
func TestBlend(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for n := range 40 {
		factors, a, b := draw(r, n, false), draw(r, n, n%2 == 0), draw(r, n, n%3 == 0)
		x, y := draw(r, n+2, false), make([]float64, n+2)
		copy(y, x)
		Blend(x[1:n+1], factors, a, b, .3, -.7)
		blendPlain(y[1:n+1], factors, a, b, .3, -.7)
		if !same(x, y) {
			t.Errorf("%d elements: %g, plain %g", n, x, y)
		}
	}
}

// Mix has the sums of its plain twin but for rounding, and the largest of each run.
func TestMix(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	infinity := float32(math.Inf(-1))
	for n := range 3*Run + 2 {
		for _, second := range []float32{.7, 0} {
			runs := (n + Run - 1) / Run
			out, want, highest := make([]float32, n), make([]float32, n), make([]float32, runs)
			scale, near, smooth := make([]float32, n), draw(r, n, false), make([]float32, n)
			for i := range scale {
				if scale[i], smooth[i] = float32(r.NormFloat64()), float32(r.NormFloat64()); r.IntN(3) == 0 || i/Run == 1 {
					smooth[i] = infinity
				}
			}
			Mix(out, highest, scale, near, smooth, .4, second)
			mixPlain(want, make([]float32, runs), scale, near, smooth, .4, second)
			largest := slices.Repeat([]float32{infinity}, runs)
			for i, v := range out {
				size := .4*math.Abs(float64(scale[i])*near[i]) + math.Abs(float64(second*smooth[i]))
				if both := math.IsNaN(float64(v)) && math.IsNaN(float64(want[i])) || v == want[i]; !both && !(math.Abs(float64(v-want[i])) <= 0x1p-21*size) {
					t.Errorf("%d of %d: %g, plain %g", i, n, v, want[i])
				}
				if v > largest[i/Run] {
					largest[i/Run] = v
				}
			}
			if !slices.Equal(highest, largest) {
				t.Errorf("of %d: largest %g, not %g", n, highest, largest)
			}
		}
	}
}

func BenchmarkKernels(b *testing.B) {
	const n, rows = 50, 6
	r := rand.New(rand.NewPCG(1, 2))
	x, y, matrix, out := draw(r, n, false), draw(r, n, false), draw(r, rows*n, false), make([]float64, rows)
	factors := make([]float64, rows)
	for name, f := range map[string]func(){
		"Dot": func() { Dot(x, y) }, "Dot/plain": func() { dotPlain(x, y) },
		"DotRows": func() { DotRows(out, x, matrix) }, "DotRows/plain": func() { dotRowsPlain(out, x, matrix) },
		"AddTimes": func() { AddTimes(x, y, 1e-9) }, "AddTimes/plain": func() { addTimesPlain(x, y, 1e-9) },
		"AddRows": func() { AddRows(x, matrix, factors) }, "AddRows/plain": func() { addRowsPlain(x, matrix, factors) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}

// Scores are inner products, to the precision of float32, for every number of rows
// and vectors; nothing is written behind them.
func TestPanels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 15, 16, 17, 63, 64, 65, 100, 200} {
		for _, k := range []int{0, 1, 7, 50} {
			rows, base := make([]float64, n*k), make([]float64, n)
			for i := range rows {
				rows[i] = r.NormFloat64()
			}
			for i := range base {
				base[i] = r.NormFloat64()
			}
			p := NewPanels(rows, base, k)
			for count := range 10 {
				if k == 0 && count > 0 && n > 0 {
					continue // no elements say how many vectors there are
				}
				vectors := make([]float32, count*k)
				for i := range vectors {
					vectors[i] = float32(r.NormFloat64())
				}
				out := make([]float32, count*p.Stride()+1)
				out[len(out)-1] = 42
				p.Scores(out[:count*p.Stride()], vectors)
				for v := range count {
					for i := range n {
						want := base[i]
						for j := range k {
							want += rows[i*k+j] * float64(vectors[v*k+j])
						}
						if got := float64(out[v*p.Stride()+i]); !(math.Abs(got-want) <= 1e-5*(1+float64(k))) {
							t.Fatalf("%d rows of %d, vector %d of %d: row %d scores %g, not %g", n, k, v, count, i, got, want)
						}
					}
				}
				if out[len(out)-1] != 42 {
					t.Fatalf("%d rows of %d, %d vectors: something was written behind the end", n, k, count)
				}
			}
		}
	}
}

func BenchmarkPanels(b *testing.B) {
	const n, k = 10_000, 50
	r := rand.New(rand.NewPCG(1, 2))
	p := NewPanels(draw(r, n*k, false), draw(r, n, false), k)
	for _, count := range []int{1, 64} {
		vectors, out := make([]float32, count*k), make([]float32, count*p.Stride())
		b.Run(fmt.Sprintf("%d vectors", count), func(b *testing.B) {
			for b.Loop() {
				p.Scores(out, vectors)
			}
			b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "vectors/s")
		})
		b.Run(fmt.Sprintf("%d vectors/plain", count), func(b *testing.B) {
			for b.Loop() {
				p.scoresPlain(out, vectors, count, p.Stride())
			}
			b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "vectors/s")
		})
	}
}

// Products have the bits of their plain twin, for any number of places, elements and columns, and write nothing behind the end.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, k := range []int{0, 1, 3, 20} {
		for _, wide := range []int{0, 1, 7, 8, 12, 24} {
			for count := range 10 {
				rows, columns, at := draw(r, 5*k, true), draw(r, k*wide, true), make([]int, count)
				for n := range at {
					at[n] = r.IntN(5)
				}
				got := draw(r, count*wide+1, false)
				want := slices.Clone(got)
				Products(got[:count*wide], rows, at, columns, k)
				productsPlain(want[:count*wide], rows, at, columns, k, wide)
				if !same(got, want) {
					t.Fatalf("%d rows of %d, %d columns: %g, plain %g", count, k, wide, got, want)
				}
			}
		}
	}
}

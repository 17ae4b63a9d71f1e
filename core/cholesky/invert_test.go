package cholesky_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fubini/core/cholesky"
)

// gram is a positive definite matrix of n rows: squares of random vectors, and something on the diagonal.
func gram(n int) []float64 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	a, x := make([]float64, n*n), make([]float64, n)
	for range n/2 + 1 {
		for k := range x {
			x[k] = r.NormFloat64()
		}
		cholesky.AddOuter(a, 1, x)
	}
	for k := range n {
		a[k*n+k] += .5
		for c := range k {
			a[c*n+k] = 99 // above the diagonal, which is not read
		}
	}
	return a
}

// A times its inverse is one, for sizes below, at and above the block, and the inverse has the same bits for any
// number of jobs.
func TestInvert(t *testing.T) {
	for _, n := range []int{1, 2, 5, 63, 64, 65, 128, 150, 200} {
		a := gram(n)
		inverse := slices.Clone(a)
		if !cholesky.Invert(inverse, n, 1) {
			t.Fatalf("%d rows: refused", n)
		}
		column, product := make([]float64, n), make([]float64, n)
		for c := range n {
			for r := range n {
				column[r] = inverse[r*n+c]
			}
			cholesky.Times(a, column, product)
			product[c]--
			for r, v := range product {
				if !(math.Abs(v) <= 1e-9) { // the condition number is below 1e4
					t.Fatalf("%d rows: A times its inverse is off by %g at %d, %d", n, v, r, c)
				}
			}
		}
		for _, jobs := range []int{2, 3, 8} {
			again := slices.Clone(a)
			if cholesky.Invert(again, n, jobs); !slices.Equal(again, inverse) {
				t.Errorf("%d rows: other bits with %d jobs", n, jobs)
			}
		}
	}
}

// With four bytes a number the inverse is that of eight, to the condition number times the precision, and has the same bits for any
// number of jobs.
func TestInvertSingle(t *testing.T) {
	single := func(a []float64) []float32 {
		out := make([]float32, len(a))
		for k, v := range a {
			out[k] = float32(v)
		}
		return out
	}
	for _, n := range []int{1, 2, 5, 63, 64, 65, 128, 150, 200} {
		a := gram(n)
		inverse, want := single(a), slices.Clone(a)
		if !cholesky.InvertSingle(t.Context(), inverse, n, 1) || !cholesky.Invert(want, n, 1) {
			t.Fatalf("%d rows: refused", n)
		}
		largest := slices.Max(want)
		for k, v := range inverse {
			if !(math.Abs(float64(v)-want[k]) <= 1e-4*largest) { // 6e-8 times a condition number of about 1000
				t.Fatalf("%d rows: element %d of the inverse is %g, want %g", n, k, v, want[k])
			}
		}
		for _, jobs := range []int{2, 3, 8} {
			again := single(a)
			if cholesky.InvertSingle(t.Context(), again, n, jobs); !slices.Equal(again, inverse) {
				t.Errorf("%d rows: other bits with %d jobs", n, jobs)
			}
		}
		a[(n-1)*n+n-1] = -1
		if cholesky.InvertSingle(t.Context(), single(a), n, 2) {
			t.Errorf("%d rows: inverted what is not positive definite", n)
		}
	}
}

// ending is a context that ends after a number of questions whether it has.
type ending struct {
	context.Context
	left, asked int
}

func (e *ending) Err() error {
	if e.asked++; e.asked > e.left {
		return context.Canceled
	}
	return nil
}

// After the context has ended no further block is swept.
func TestInvertEndsWithItsContext(t *testing.T) {
	const n, blocks = 200, 4
	for swept := range blocks + 1 {
		ctx, a := &ending{Context: t.Context(), left: swept}, make([]float32, n*n)
		for k := range n {
			a[k*n+k] = 2
		}
		if done := cholesky.InvertSingle(ctx, a, n, 2); done != (swept == blocks) {
			t.Errorf("%d blocks of %d: done %v", swept, blocks, done)
		}
		for k := range n {
			want := float32(2)
			switch {
			case swept == blocks:
				want = .5
			case k < swept*64:
				want = -.5 // minus the inverse until the end
			}
			if got := a[k*n+k]; got != want {
				t.Fatalf("%d blocks: element %d is %g, not %g", swept, k, got, want)
			}
		}
	}
}

func TestInvertRefuses(t *testing.T) {
	for _, n := range []int{2, 100} {
		a := gram(n)
		a[(n-1)*n+n-1] = -1
		if cholesky.Invert(a, n, 2) {
			t.Errorf("%d rows: inverted what is not positive definite", n)
		}
	}
	if cholesky.Invert([]float64{math.NaN()}, 1, 1) {
		t.Error("inverted NaN")
	}
}

func BenchmarkInvert(b *testing.B) {
	const n = 1000
	a := gram(n)
	for b.Loop() {
		cholesky.Invert(slices.Clone(a), n, 0)
	}
	b.ReportMetric(float64(b.N)*n*n*n/b.Elapsed().Seconds()/1e9, "Gflop/s")
}

func BenchmarkInvertSingle(b *testing.B) {
	const n = 1000
	a := make([]float32, n*n)
	for k, v := range gram(n) {
		a[k] = float32(v)
	}
	for b.Loop() {
		cholesky.InvertSingle(b.Context(), slices.Clone(a), n, 0)
	}
	b.ReportMetric(float64(b.N)*n*n*n/b.Elapsed().Seconds()/1e9, "Gflop/s")
}

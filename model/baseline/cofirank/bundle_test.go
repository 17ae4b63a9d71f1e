package cofirank

import (
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/model/baseline/fitting"
)

// bounds is a loss that checks, at every look, that a bundle closes in from both sides.
func bounds(t *testing.T, b *bundle, loss func(w, slope []float64) float64) func(w, slope []float64) float64 {
	t.Helper()
	low, high := 0.0, math.Inf(1)
	return func(w, slope []float64) float64 {
		if !(b.lower >= low) || !(b.upper <= high) || !(b.lower <= b.upper*(1+1e-12)) {
			t.Fatalf("bounds %g to %g after %g to %g", b.lower, b.upper, low, high)
		}
		low, high = b.lower, b.upper
		return loss(w, slope)
	}
}

func TestBundleFindsRidge(t *testing.T) {
	r := rng.Stream(1, "ridge")
	const size, rows = 6, 40
	for trial := range 10 {
		x, y := make([][]float64, rows), make([]float64, rows)
		var solver regression
		solver.reset(size + 1)
		for k := range x {
			x[k] = make([]float64, size+1)
			for d := range size {
				x[k][d] = r.NormFloat64()
			}
			x[k][size] = 1
			y[k] = x[k][0] - 2*x[k][1] + 3 + r.NormFloat64()
			solver.add(x[k][:size], y[k])
		}
		lambda, constant := math.Exp(2*r.NormFloat64()), math.Exp(2*r.NormFloat64())
		curvature := make([]float64, size+1)
		for d := range curvature {
			curvature[d] = lambda
		}
		curvature[size] = constant
		loss := func(w, slope []float64) (total float64) {
			clear(slope)
			for k, features := range x {
				miss := fitting.Dot(w, features) - y[k]
				total += 0.5 * miss * miss
				for d, v := range features {
					slope[d] += miss * v
				}
			}
			return total
		}
		exact := make([]float64, size+1)
		solver.solve(lambda, constant, exact)
		slope := make([]float64, size+1)
		least := loss(exact, slope)
		for d, v := range exact {
			least += 0.5 * curvature[d] * v * v
			if g := slope[d] + curvature[d]*v; !(math.Abs(g) <= 1e-9*rows) {
				t.Fatalf("ridge is not at a minimum: slope %g", g)
			}
		}
		var b bundle
		b.reset(curvature, 500)
		w := make([]float64, size+1)
		upper, lower := b.minimise(w, bounds(t, &b, loss), bundleLimits{gap: 1e-6, looks: 500})
		if !(upper-lower <= 1e-6*upper) || !(lower <= least*(1+1e-9)) || !(upper >= least*(1-1e-9)) {
			t.Errorf("trial %d: bounds %g to %g, the minimum is %g", trial, lower, upper, least)
		}
	}
}

// In one dimension: ½λw² + max(0, 1-w) is least at min(1, 1/λ).
func TestBundleFindsHinge(t *testing.T) {
	hinge := func(w, slope []float64) float64 {
		if w[0] >= 1 {
			slope[0] = 0
			return 0
		}
		slope[0] = -1
		return 1 - w[0]
	}
	for _, lambda := range []float64{0.01, 0.5, 1, 2, 50} {
		at := min(1, 1/lambda)
		want := 0.5*lambda*at*at + 1 - at
		for _, start := range []float64{-30, 0, 1, 7} {
			var b bundle
			b.reset([]float64{lambda}, 200)
			w := []float64{start}
			upper, _ := b.minimise(w, bounds(t, &b, hinge), bundleLimits{gap: 1e-10, looks: 200})
			if !(math.Abs(upper-want) <= 1e-9) || !(math.Abs(w[0]-at) <= 1e-4) {
				t.Errorf("lambda %g from %g: %g at %g, by hand %g at %g", lambda, start, upper, w[0], want, at)
			}
		}
	}
}

// A start that cannot be improved in the looks allowed is kept; planes that are
// known beforehand close the gap at once.
func TestBundleKeepsWhatItHas(t *testing.T) {
	loss := func(w, slope []float64) float64 {
		var total float64
		for d, x := range w {
			total += math.Abs(x - float64(d))
			slope[d] = math.Copysign(1, x-float64(d))
		}
		return total
	}
	curvature := []float64{0.1, 0.1, 0.1}
	var b bundle
	b.reset(curvature, 100)
	w := make([]float64, 3)
	upper, _ := b.minimise(w, loss, bundleLimits{gap: 1e-9, looks: 100})
	again := append([]float64(nil), w...)
	var once bundle
	once.reset(curvature, 2)
	if least, _ := once.minimise(again, loss, bundleLimits{gap: 1e-9, looks: 2}); !(least <= upper) {
		t.Errorf("%g after two looks from the minimum of %g", least, upper)
	}
	var warm bundle
	warm.reset(curvature, b.dual.size+5)
	for t := 1; t < b.dual.size; t++ {
		for d := range warm.slope {
			warm.slope[d] = b.planes[t][d] * math.Sqrt(curvature[d])
		}
		warm.cut(b.dual.offset[t])
	}
	looks := 0
	counted := func(w, slope []float64) float64 { looks++; return loss(w, slope) }
	if _, lower := warm.minimise(again, counted, bundleLimits{gap: 1e-6, looks: 5}); looks > 2 || !(lower >= upper*(1-1e-6)) {
		t.Errorf("with all planes known, %d looks and a bound of %g below %g", looks, lower, upper)
	}
}

// At the maximum over a simplex, no plane in use is flatter than the steepest.
func TestSimplexQP(t *testing.T) {
	r := rng.Stream(1, "qp")
	for trial := range 200 {
		n, size := 1+r.IntN(30), 1+r.IntN(8)
		planes := make([][]float64, n)
		var q simplexQP
		q.reset(n)
		before := math.Inf(-1)
		for s := range planes {
			planes[s] = make([]float64, size)
			for d := range planes[s] {
				planes[s][d] = r.NormFloat64()
			}
			q.add(r.NormFloat64())
			for p := range s + 1 {
				q.put(s, p, fitting.Dot(planes[s], planes[p]))
			}
			value := q.solve(1e-10)
			if !(value >= before-1e-12) {
				t.Fatalf("trial %d: the value fell from %g to %g with another plane", trial, before, value)
			}
			before = value
		}
		var sum float64
		steepest := math.Inf(-1)
		slope := make([]float64, n)
		for s := range n {
			sum += q.alpha[s]
			slope[s] = q.offset[s] - fitting.Dot(q.row(s), q.alpha[:n])
			steepest = max(steepest, slope[s])
		}
		if !(math.Abs(sum-1) <= 1e-9) {
			t.Fatalf("trial %d: weights sum to %g", trial, sum)
		}
		for s, a := range q.alpha[:n] {
			if !(a >= 0) || !(a*(steepest-slope[s]) <= 1e-9) {
				t.Errorf("trial %d: plane %d has weight %g, and slope %g below the steepest", trial, s, a, steepest-slope[s])
			}
		}
	}
}

// solvePlainly is solve without thought for speed: every step looks at all numbers
// again.
func (q *simplexQP) solvePlainly(tolerance float64) float64 {
	slope, alpha := q.slope[:q.size], q.alpha[:q.size]
	for s := range slope {
		slope[s] = q.offset[s] - fitting.Dot(q.row(s), alpha)
	}
	for range 1000 + 100*q.size {
		steepest, mean := 0, 0.0
		for s, v := range slope {
			mean += alpha[s] * v
			if v > slope[steepest] {
				steepest = s
			}
		}
		if slope[steepest]-mean <= tolerance { // bounds what is still to be gained
			break
		}
		row := q.row(steepest)
		from, most := -1, 0.0
		for s, v := range slope {
			if climb := slope[steepest] - v; alpha[s] > 0 && climb > 0 {
				bend := math.Max(row[steepest]+q.matrix[s*q.room+s]-2*row[s], 1e-300)
				step := math.Min(alpha[s], climb/bend)
				if gain := step * (climb - 0.5*step*bend); gain > most {
					from, most = s, gain
				}
			}
		}
		if from < 0 {
			break
		}
		other := q.row(from)
		bend := math.Max(row[steepest]+other[from]-2*row[from], 1e-300)
		step := (slope[steepest] - slope[from]) / bend
		if step >= alpha[from] {
			step = alpha[from]
			alpha[from] = 0
		} else {
			alpha[from] -= step
		}
		alpha[steepest] += step
		for s := range slope {
			slope[s] -= step * (row[s] - other[s])
		}
	}
	var value float64
	for s, a := range alpha {
		value += a * (q.offset[s] - 0.5*fitting.Dot(q.row(s), alpha))
	}
	return value
}

// With another plane a time, as in a bundle, the weights are those of the plain way to
// the bit; with another tolerance they are not.
func TestSimplexQPTakesThePlainSteps(t *testing.T) {
	r := rng.Stream(2, "qp")
	differ := 0
	for trial := range 100 {
		n, size := 1+r.IntN(40), 1+r.IntN(8)
		planes := make([][]float64, n)
		var q, plain, rough simplexQP
		for _, each := range []*simplexQP{&q, &plain, &rough} {
			each.reset(n)
		}
		for s := range planes {
			for range size {
				planes[s] = append(planes[s], r.NormFloat64())
			}
			offset := r.NormFloat64()
			for _, each := range []*simplexQP{&q, &plain, &rough} {
				each.add(offset)
				for p := range s + 1 {
					each.put(s, p, fitting.Dot(planes[s], planes[p]))
				}
			}
			got, want := q.solve(1e-6), plain.solvePlainly(1e-6)
			if got != want || !slices.Equal(q.alpha[:q.size], plain.alpha[:plain.size]) {
				t.Fatalf("trial %d, plane %d: value %v and weights %v, plainly %v and %v", trial, s, got, q.alpha[:q.size], want, plain.alpha[:plain.size])
			}
			if rough.solve(1e-2); !slices.Equal(q.alpha[:q.size], rough.alpha[:q.size]) {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("any steps give the same weights: the test sees nothing")
	}
}

package plackettluce

import (
	"math"
	"math/rand/v2"
	"testing"
)

// byOrders sums over all orders of a tie, by the set taken so far: all terms are
// positive, so it is good to rounding. Worths are over that of the rest.
func byOrders(worth []float64) float64 {
	taken := make([]float64, 1<<len(worth))
	taken[0] = 1
	for set, p := range taken {
		left := 1.0
		for i, w := range worth {
			if set>>i&1 == 0 {
				left += w
			}
		}
		for i, w := range worth {
			if set>>i&1 == 0 {
				taken[set|1<<i] += p * w / left
			}
		}
	}
	return taken[len(taken)-1]
}

func TestTieOrdersAgainstSumOverOrders(t *testing.T) {
	skipIfShort(t)
	r := rand.New(rand.NewPCG(1, 2))
	var q tieOrders
	worst := 0.0
	for trial := range 3000 {
		n := 1 + trial%12
		spread := []float64{0, 0.3, 1, 3, 10}[r.IntN(5)]
		logRest := []float64{-30, -3, 0, 2, 8, 40}[r.IntN(6)]
		scores, worth, tie := make([]float64, n), make([]float64, n), make([]int, n)
		for i := range n {
			scores[i] = spread * r.NormFloat64()
			worth[i] = math.Exp(scores[i] - logRest)
			tie[i] = i
		}
		got, _ := q.logProb(scores, tie, logRest, make([]float64, n))
		want := math.Log(byOrders(worth))
		worst = math.Max(worst, math.Abs(got-want))
		if !(math.Abs(got-want) <= 1e-11*math.Max(1, math.Abs(want))) {
			t.Fatalf("%d items, spread %g, rest %g: log probability %.15g, over all orders %.15g", n, spread, logRest, got, want)
		}
	}
	t.Logf("largest error %.2g", worst)
}

// Equal worths have a closed form: b items come before r others in one of
// C(b+r, b) ways.
func TestTieOrdersOfEqualWorths(t *testing.T) {
	var q tieOrders
	for _, b := range []int{3, 10, 40, 300, 3000} {
		for _, rest := range []int{1, 5, 50, 2000} {
			scores, tie := make([]float64, b), make([]int, b)
			for i := range tie {
				tie[i] = i
			}
			got, _ := q.logProb(scores, tie, math.Log(float64(rest)), make([]float64, b))
			want := lfact(b) + lfact(rest) - lfact(b+rest)
			if !(math.Abs(got-want) <= 1e-10*math.Max(1, math.Abs(want)/10)) {
				t.Errorf("%d before %d: %.15g, want %.15g", b, rest, got, want)
			}
		}
	}
}

func lfact(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}

func TestTieOrdersSlope(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var q tieOrders
	for trial := range 200 {
		n := 1 + trial%20
		scores, tie, slope := make([]float64, n), make([]int, n), make([]float64, n)
		for i := range n {
			scores[i], tie[i] = 2*r.NormFloat64(), i
		}
		logRest := 3 * r.NormFloat64()
		_, restSlope := q.logProb(scores, tie, logRest, slope)
		throwaway := make([]float64, n)
		const h = 1e-5
		at := func(i int, by float64) float64 {
			rest := logRest
			if i < n {
				scores[i] += by
				defer func(i int) { scores[i] -= by }(i)
			} else {
				rest += by
			}
			v, _ := q.logProb(scores, tie, rest, throwaway)
			return v
		}
		for i := range n + 1 {
			got := restSlope
			if i < n {
				got = slope[i]
			}
			// Central differences err by h^2 and by rounding/h: 1e-10 and 1e-9.
			if want := (at(i, h) - at(i, -h)) / (2 * h); !(math.Abs(got-want) <= 1e-8) {
				t.Fatalf("%d items: slope by %d is %.12g, by differences %.12g", n, i, got, want)
			}
		}
	}
}

// Worths beyond float64 are no accident: the far ends have limits.
func TestTieOrdersAtTheEnds(t *testing.T) {
	var q tieOrders
	for n := 1; n <= 5; n++ {
		scores, tie := make([]float64, n), make([]int, n)
		for i := range tie {
			tie[i] = i
		}
		slope := make([]float64, n)
		if p, rest := q.logProb(scores, tie, math.Inf(-1), slope); p != 0 || rest != 0 || slope[0] != 0 {
			t.Errorf("nothing below: %g", p)
		}
		if p, rest := q.logProb(scores, tie, -2000, slope); !(math.Abs(p) <= 1e-12 && math.Abs(rest) <= 1e-12) {
			t.Errorf("hardly anything below: %g, slope %g", p, rest)
		}
		// n items of worth e^-2000 before one of worth 1: n! e^-2000n.
		if p, rest := q.logProb(scores, tie, 2000, slope); !(math.Abs(p-lfact(n)+2000*float64(n)) <= 1e-9 && math.Abs(rest+float64(n)) <= 1e-9) {
			t.Errorf("everything below: %g, slope %g", p, rest)
		}
	}
}

func BenchmarkTieOrders(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	scores, tie, slope := make([]float64, 15), make([]int, 15), make([]float64, 15)
	for i := range tie {
		scores[i], tie[i] = r.NormFloat64(), i
	}
	var q tieOrders
	b.ReportAllocs()
	for b.Loop() {
		q.logProb(scores, tie, 3, slope)
	}
}

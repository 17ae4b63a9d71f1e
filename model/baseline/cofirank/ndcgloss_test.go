package cofirank

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
)

func exp2Gain(rating float64) float64 { return math.Exp2(rating) - 1 }

// drawnList draws ratings, best first, and scores, some of them tied.
func drawnList(r *rng.Rand, n int) (ratings, scores []float64) {
	for range n {
		ratings = append(ratings, float64(1+r.IntN(5)))
		f := r.NormFloat64()
		if r.IntN(2) == 0 {
			f = math.Round(2*f) / 2
		}
		scores = append(scores, f)
	}
	slices.Sort(ratings)
	slices.Reverse(ratings)
	return ratings, scores
}

// ndcgOf is the NDCG of an order of items, which have the best rating first.
func ndcgOf(ratings []float64, order []int, top int) float64 {
	var got, ideal float64
	for i, j := range order {
		if i < top {
			got += exp2Gain(ratings[j]) / math.Log2(float64(i+2))
			ideal += exp2Gain(ratings[i]) / math.Log2(float64(i+2))
		}
	}
	return got / ideal
}

// ndcgLossByDefinition looks at all orders. The paper's loss under one way to break
// ties is max over π of 1 - NDCG(π) + Σ_i c_i (f_π(i) - f_i), with items in that
// order; this is the mean over all ways.
func ndcgLossByDefinition(ratings, scores []float64, top int) float64 {
	n := len(ratings)
	worst := math.Inf(-1)
	permutations(n, func(order []int) {
		v := 1 - ndcgOf(ratings, order, top)
		for i, j := range order {
			v += math.Pow(float64(i+1), -0.25) * scores[j]
		}
		worst = max(worst, v)
	})
	var mean, ways float64 // over orders that sort the ratings
	permutations(n, func(order []int) {
		var right float64
		for i, j := range order {
			if ratings[j] != ratings[i] {
				return
			}
			right += math.Pow(float64(i+1), -0.25) * scores[j]
		}
		mean += worst - right
		ways++
	})
	return mean / ways
}

func TestNDCGLossByDefinition(t *testing.T) {
	r := rng.Stream(1, "ndcg loss")
	sorted := 0 // lists for which the order by score is not the worst
	for trial := range 60 {
		n, top := 2+trial%5, 1+r.IntN(5)
		ratings, scores := drawnList(r, n)
		l := newNDCGLoss(top, 0.25, exp2Gain)
		one := prepared(l, ratings)
		if !one.ordered {
			if ratings[0] != ratings[n-1] {
				t.Fatalf("%v has an order", ratings)
			}
			continue
		}
		want := ndcgLossByDefinition(ratings, scores, top)
		if got := l.measure(one, scores); !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("ratings %v, scores %v: loss %g, by definition %g", ratings, scores, got, want)
		}
		order := numbersUpTo(n)
		byScore(order, scores)
		lazy := 1 - ndcgOf(ratings, order, top)
		for i, j := range order {
			lazy += (math.Pow(float64(i+1), -0.25) - one.targets[j]) * scores[j]
		}
		if !(lazy <= want+1e-9) {
			t.Errorf("ratings %v, scores %v: the order by score has %g, more than the worst order, %g", ratings, scores, lazy, want)
		}
		if lazy < want-1e-3 {
			sorted++
		}
	}
	if sorted < 20 {
		t.Errorf("the order by score would have done in all but %d lists: the test cannot see a wrong worst order", sorted)
	}
}

// Whichever way tied scores fall, the loss is no less than what is lost in NDCG.
func TestNDCGLossBoundsTheRegret(t *testing.T) {
	r := rng.Stream(2, "ndcg loss")
	tight := 0
	for range 2000 {
		n := 2 + r.IntN(30)
		ratings, scores := drawnList(r, n)
		for j := range scores { // mostly right
			scores[j] += ratings[j] * r.ExpFloat64()
		}
		l := newNDCGLoss(10, 0.25, exp2Gain)
		one := prepared(l, ratings)
		if !one.ordered {
			continue
		}
		order := make([]int, n)
		for j := range order {
			order[j] = n - 1 - j // tied scores: the worst first
		}
		byScore(order, scores)
		regret, loss := 1-ndcgOf(ratings, order, 10), l.measure(one, scores)
		if !(loss >= regret-1e-9) {
			t.Fatalf("loss %g is less than 1 - NDCG, %g", loss, regret)
		}
		if loss < regret+0.5 {
			tight++
		}
	}
	if tight == 0 {
		t.Error("the bound is never near")
	}
}

func TestNDCGLossOfTheRightOrder(t *testing.T) {
	l := newNDCGLoss(10, 0.25, exp2Gain)
	one := prepared(l, []float64{5, 4, 2, 1})
	if got := l.measure(one, []float64{60, 40, 20, 0}); got != 0 {
		t.Errorf("far apart and right, but the loss is %g", got)
	}
	if got := l.measure(one, []float64{0, 20, 40, 60}); !(got > 1) {
		t.Errorf("all wrong, but the loss is %g", got)
	}
	if got := l.measure(one, []float64{0, math.NaN(), 1, 2}); !math.IsNaN(got) {
		t.Errorf("a score is not a number, but the loss is %g", got)
	}
}

// Both losses are convex, with slopes that are subgradients.
func TestListLossesAreConvex(t *testing.T) {
	for name, l := range map[string]listLoss{
		"ndcg": newNDCGLoss(10, 0.25, exp2Gain), "ordinal": &ordinalLoss{usual: 2}, "even": &ordinalLoss{even: true, usual: 30},
	} {
		t.Run(name, func(t *testing.T) {
			r := rng.Stream(3, "convex")
			for range 1000 {
				n := 2 + r.IntN(25)
				ratings, a := drawnList(r, n)
				_, b := drawnList(r, n)
				one := prepared(l, ratings)
				if !one.ordered {
					continue
				}
				between, share := make([]float64, n), r.Float64()
				tangent := l.measure(one, a)
				straight := (1 - share) * tangent
				for j := range between {
					between[j] = (1-share)*a[j] + share*b[j]
					tangent += one.slope[j] * (b[j] - a[j])
				}
				atB := l.measure(one, b)
				straight += share * atB
				if got := l.measure(one, between); !(got <= straight+1e-9) {
					t.Fatalf("loss %g between two points, on the straight line %g", got, straight)
				}
				if !(atB >= tangent-1e-9) {
					t.Fatalf("loss %g, by the slope at another point at least %g", atB, tangent)
				}
			}
		})
	}
}

func BenchmarkListLoss(b *testing.B) {
	for _, n := range []int{20, 50, 200} {
		for _, each := range []struct {
			name string
			loss listLoss
		}{{"ndcg", newNDCGLoss(10, 0.25, exp2Gain)}, {"ordinal", &ordinalLoss{usual: 1}}} {
			r := rng.Stream(1, "bench")
			var one *list
			var looks [16][]float64
			for k := range looks {
				var ratings []float64
				if ratings, looks[k] = drawnList(r, n); k == 0 {
					one = prepared(each.loss, ratings)
				}
			}
			b.Run(fmt.Sprintf("%s/%d", each.name, n), func(b *testing.B) {
				for k := range b.N {
					each.loss.measure(one, looks[k%len(looks)])
				}
			})
		}
	}
}

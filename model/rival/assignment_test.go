package rival

import (
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
)

// cofiPlaces draws a problem: falling scores, a few levels of gains.
func cofiPlaces(r *rng.Rand, n, top int) (p *placing, scores, gains []float64) {
	p = new(placing)
	for i := range n {
		p.weight = append(p.weight, math.Pow(float64(i+1), -0.25))
	}
	for i := range top {
		p.discount = append(p.discount, 1/math.Log2(float64(i+2)))
	}
	scale := math.Exp(2 * r.NormFloat64())
	for range n {
		scores = append(scores, scale*r.NormFloat64())
		gains = append(gains, []float64{0.01, 0.03, 0.07, 0.15, 0.31}[r.IntN(5)])
	}
	slices.Sort(scores)
	slices.Reverse(scores)
	return p, scores, gains
}

// worth is what a placing is worth, and whether it is one.
func (p *placing) worth(placeOf []int, scores, gains []float64) (total float64, ok bool) {
	taken := make([]bool, len(placeOf))
	for j, place := range placeOf {
		if place < 0 || taken[place] {
			return 0, false
		}
		taken[place] = true
		total -= p.cost(place, j, scores, gains)
	}
	return total, true
}

func (p *placing) cost(place, item int, scores, gains []float64) float64 {
	cost := -p.weight[place] * scores[item]
	if place < len(p.discount) {
		cost += p.discount[place] * gains[item]
	}
	return cost
}

// permutations calls visit with every order of n things.
func permutations(n int, visit func(order []int)) {
	order := make([]int, n)
	var from func(k int, left []int)
	from = func(k int, left []int) {
		if k == n {
			visit(order)
			return
		}
		for i, each := range left {
			order[k] = each
			from(k+1, slices.Delete(slices.Clone(left), i, i+1))
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	from(0, all)
}

func TestPlacingIsTheBestOfAll(t *testing.T) {
	r := rng.Stream(1, "placing")
	better := 0
	for n := 1; n <= 7; n++ {
		for range 30 {
			p, scores, gains := cofiPlaces(r, n, 1+r.IntN(8))
			best, byScores := math.Inf(-1), 0.0
			permutations(n, func(order []int) {
				if v, _ := p.worth(order, scores, gains); v > best {
					best = v
				}
			})
			p.solve(scores, gains)
			got, ok := p.worth(p.placeOf, scores, gains)
			if !ok || !(math.Abs(got-best) <= 1e-12*(1+math.Abs(best))) {
				t.Fatalf("%d items, top %d: %v is worth %v, the best %v", n, len(p.discount), p.placeOf, got, best)
			}
			for j := range n {
				byScores -= p.cost(j, j, scores, gains)
			}
			if byScores < best-1e-9 {
				better++
			}
		}
	}
	if better < 50 { // or the search was for nothing
		t.Errorf("the order by score was beaten %d times only", better)
	}
}

// Prices prove an assignment optimal: their sum is the cost, and no pair of a
// place and an item costs less than its prices.
func TestPlacingHasAProof(t *testing.T) {
	r := rng.Stream(2, "placing")
	for trial := range 2000 {
		n := 1 + r.IntN(60)
		p, scores, gains := cofiPlaces(r, n, 1+r.IntN(12))
		if trial%2 == 0 { // nearly all the same
			for j := range scores {
				scores[j] = math.Floor(scores[j]) - 1e-10*float64(j)
			}
		}
		p.solve(scores, gains)
		got, ok := p.worth(p.placeOf, scores, gains)
		if !ok {
			t.Fatalf("%v is no placing", p.placeOf)
		}
		tolerance := 1e-9 * (1 + scores[0] - scores[n-1])
		for j := range n {
			got += p.itemPrice[j] + p.placePrice[j]
			for place := range n {
				if slack := p.cost(place, j, scores, gains) - p.itemPrice[j] - p.placePrice[place]; !(slack >= -tolerance) {
					t.Fatalf("place %d of %d and item %d cost %g less than their prices", place, n, j, -slack)
				}
			}
		}
		if !(math.Abs(got) <= tolerance*float64(n)) {
			t.Fatalf("%d items: the prices are off by %g", n, got)
		}
	}
}

package cofirank

import (
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
)

// drawnAssignment draws a problem: falling scores, a few levels of gains.
func drawnAssignment(r *rng.Rand, n, top int) (a *assignment, scores, gains []float64) {
	a = new(assignment)
	for i := range n {
		a.weight = append(a.weight, math.Pow(float64(i+1), -0.25))
	}
	for i := range top {
		a.discount = append(a.discount, 1/math.Log2(float64(i+2)))
	}
	scale := math.Exp(2 * r.NormFloat64())
	for range n {
		scores = append(scores, scale*r.NormFloat64())
		gains = append(gains, []float64{0.01, 0.03, 0.07, 0.15, 0.31}[r.IntN(5)])
	}
	slices.Sort(scores)
	slices.Reverse(scores)
	return a, scores, gains
}

// worth is the value of an assignment, and whether it is one.
func (a *assignment) worth(placeOf []int, scores, gains []float64) (total float64, ok bool) {
	taken := make([]bool, len(placeOf))
	for j, place := range placeOf {
		if place < 0 || taken[place] {
			return 0, false
		}
		taken[place] = true
		total -= a.cost(place, j, scores, gains)
	}
	return total, true
}

// cost is what an item costs at a place.
func (a *assignment) cost(place, item int, scores, gains []float64) float64 {
	cost := -a.weight[place] * scores[item]
	if place < len(a.discount) {
		cost += a.discount[place] * gains[item]
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
	from(0, numbersUpTo(n))
}

func numbersUpTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestAssignmentIsTheBestOfAll(t *testing.T) {
	r := rng.Stream(1, "placing")
	better := 0
	for n := 1; n <= 7; n++ {
		for range 30 {
			a, scores, gains := drawnAssignment(r, n, 1+r.IntN(8))
			best, byScores := math.Inf(-1), 0.0
			permutations(n, func(order []int) {
				if v, _ := a.worth(order, scores, gains); v > best {
					best = v
				}
			})
			a.solve(scores, gains)
			got, ok := a.worth(a.placeOf, scores, gains)
			if !ok || !(math.Abs(got-best) <= 1e-12*(1+math.Abs(best))) {
				t.Fatalf("%d items, top %d: %v is worth %v, the best %v", n, len(a.discount), a.placeOf, got, best)
			}
			for j := range n {
				byScores -= a.cost(j, j, scores, gains)
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

// An answer is optimal if no cycle of exchanges gains: a place takes the item of another, that one of a third, and so
// on back to the first. Shortest paths over all places (Bellman and Ford) come to an end only then. In every other
// problem scores are nearly all the same.
func TestAssignmentLeavesNoCycle(t *testing.T) {
	r := rng.Stream(2, "placing")
	moved, noticed := 0, 0
	for trial := range 500 {
		a, scores, gains := drawnAssignment(r, 1+r.IntN(60), 1+r.IntN(12))
		if trial%2 == 0 {
			for j := range scores {
				scores[j] = math.Floor(scores[j]) - 1e-10*float64(j)
			}
		}
		a.solve(scores, gains)
		if _, ok := a.worth(a.placeOf, scores, gains); !ok {
			t.Fatalf("%v is no assignment", a.placeOf)
		}
		tolerance := 1e-9 * (1 + scores[0] - scores[len(scores)-1])
		if !a.settled(a.placeOf, scores, gains, tolerance) {
			t.Fatalf("%d items, top %d: %v can be improved", len(scores), len(a.discount), a.placeOf)
		}
		if !slices.IsSorted(a.placeOf) {
			moved++
			if !a.settled(numbersUpTo(len(scores)), scores, gains, tolerance) {
				noticed++
			}
		}
	}
	if moved < 150 || noticed < 100 {
		t.Errorf("the order by score was not the answer in %d problems, and seen to be wrong in %d", moved, noticed)
	}
}

// settled is true if no cycle of exchanges gains more than the tolerance.
func (a *assignment) settled(placeOf []int, scores, gains []float64, tolerance float64) bool {
	n := len(scores)
	distance := make([]float64, n)
	for range n + 1 {
		shorter := false
		for j, place := range placeOf {
			for k := range n {
				through := distance[j] - a.cost(place, j, scores, gains) + a.cost(place, k, scores, gains)
				if through < distance[k]-tolerance {
					distance[k], shorter = through, true
				}
			}
		}
		if !shorter {
			return true
		}
	}
	return false
}

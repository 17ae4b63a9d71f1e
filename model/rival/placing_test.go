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
		total -= p.costOf(place, j, scores, gains)
	}
	return total, true
}

func (p *placing) costOf(place, item int, scores, gains []float64) float64 {
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
			p.solveFrom(scores, gains, nil)
			got, ok := p.worth(p.placeOf, scores, gains)
			if !ok || !(math.Abs(got-best) <= 1e-12*(1+math.Abs(best))) {
				t.Fatalf("%d items, top %d: %v is worth %v, the best %v", n, len(p.discount), p.placeOf, got, best)
			}
			for j := range n {
				byScores -= p.costOf(j, j, scores, gains)
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

// solveFrom solves from the levels of any order of items; by score if it is nil.
// It returns its notes.
func (p *placing) solveFrom(scores, gains []float64, order []int) []placeNote {
	levels := make([]int32, len(gains))
	var different []float64
	for j, g := range gains {
		level := slices.Index(different, g)
		if level < 0 {
			level = len(different)
			different = append(different, g)
		}
		levels[j] = int32(level)
	}
	notes := make([]placeNote, len(gains))
	for place, j := range order {
		notes[place] = placeNote{level: 1 + levels[j], price: float32(j)}
	}
	p.solve(scores, gains, levels, len(different), notes)
	return notes
}

// drawnProblem is one of up to 60 items; in every other one scores are nearly all the
// same.
func drawnProblem(r *rng.Rand, trial int) (p *placing, scores, gains []float64) {
	p, scores, gains = cofiPlaces(r, 1+r.IntN(60), 1+r.IntN(12))
	if trial%2 == 0 {
		for j := range scores {
			scores[j] = math.Floor(scores[j]) - 1e-10*float64(j)
		}
	}
	return p, scores, gains
}

// Along cycles, from wherever it starts, and along paths: the places are the same.
func TestPlacingByCyclesAndByPaths(t *testing.T) {
	r := rng.Stream(3, "placing")
	moved := 0
	for trial := range 2000 {
		p, scores, gains := drawnProblem(r, trial)
		n := len(scores)
		reference := pathPlacing{placing: p}
		reference.solve(scores, gains)
		best, _ := p.worth(reference.placeOf, scores, gains)
		order := make([]int, n)
		rng.Permutation(r, order)
		for _, start := range [][]int{nil, order} {
			p.solveFrom(scores, gains, start)
			got, ok := p.worth(p.placeOf, scores, gains)
			if !ok || !(math.Abs(got-best) <= 1e-11*(1+math.Abs(best))) {
				t.Fatalf("%d items, top %d: %v is worth %v, by paths %v", n, len(p.discount), p.placeOf, got, best)
			}
			if trial%2 == 1 && !slices.Equal(p.placeOf, reference.placeOf) { // nothing is nearly tied
				t.Fatalf("%d items, top %d: places %v, by paths %v", n, len(p.discount), p.placeOf, reference.placeOf)
			}
		}
		if !slices.IsSorted(p.placeOf) {
			moved++
		}
	}
	if moved < 500 {
		t.Errorf("the order by score was the answer in all but %d problems", moved)
	}
}

// From its own answer it has no more cycles to find; from the answer to other scores
// it must not be content.
func TestPlacingStartsFromTheLastAnswer(t *testing.T) {
	r := rng.Stream(4, "placing")
	stale := 0
	for range 500 {
		p, scores, gains := cofiPlaces(r, 2+r.IntN(60), 1+r.IntN(12))
		old := p.solveFrom(scores, gains, nil)
		p.arrange(old)
		if j := p.cycle(); j >= 0 {
			t.Fatalf("there is a cycle through item %d in the answer", j)
		}
		for j := range scores {
			scores[j] *= 0.3
		}
		p.arrange(old)
		if p.cycle() >= 0 {
			stale++
		}
	}
	if stale < 100 {
		t.Errorf("the old answer was still right in all but %d problems", stale)
	}
}

// One answer starts from the last for as long as one likes: prices do not grow, and
// the answers stay right.
func TestPlacingNotesLast(t *testing.T) {
	r := rng.Stream(5, "placing")
	const n = 20
	p, _, gains := cofiPlaces(r, n, 10)
	levels := make([]int32, n)
	for j, g := range gains {
		levels[j] = int32(slices.Index([]float64{0.01, 0.03, 0.07, 0.15, 0.31}, g))
	}
	notes := make([]placeNote, n)
	reference := pathPlacing{placing: p}
	for look := range 20000 {
		_, scores, _ := cofiPlaces(r, n, 10)
		p.solve(scores, gains, levels, 5, notes)
		for place, note := range notes {
			if limit := 10 * (1 + scores[0] - scores[n-1]); !(math.Abs(float64(note.price)) <= limit) {
				t.Fatalf("look %d: place %d has price %g, scores go from %g to %g", look, place, note.price, scores[0], scores[n-1])
			}
		}
		if look%100 == 0 {
			reference.solve(scores, gains)
			if !slices.Equal(p.placeOf, reference.placeOf) {
				t.Fatalf("look %d: places %v, by paths %v", look, p.placeOf, reference.placeOf)
			}
		}
	}
}

// Prices prove the reference optimal: their sum is the cost, and no pair of a place
// and an item costs less than its prices.
func TestPathPlacingHasAProof(t *testing.T) {
	r := rng.Stream(2, "placing")
	for trial := range 2000 {
		problem, scores, gains := drawnProblem(r, trial)
		n, p := len(scores), pathPlacing{placing: problem}
		p.solve(scores, gains)
		got, ok := p.worth(p.placeOf, scores, gains)
		if !ok {
			t.Fatalf("%v is no placing", p.placeOf)
		}
		tolerance := 1e-9 * (1 + scores[0] - scores[n-1])
		for j := range n {
			got += p.itemPrice[j] + p.placePrice[j]
			for place := range n {
				if slack := p.costOf(place, j, scores, gains) - p.itemPrice[j] - p.placePrice[place]; !(slack >= -tolerance) {
					t.Fatalf("place %d of %d and item %d cost %g less than their prices", place, n, j, -slack)
				}
			}
		}
		if !(math.Abs(got) <= tolerance*float64(n)) {
			t.Fatalf("%d items: the prices are off by %g", n, got)
		}
	}
}

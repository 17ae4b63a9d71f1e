package cofirank

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
)

// levelGains are the gains of levels.
var levelGains = []float64{0.01, 0.03, 0.07, 0.15, 0.31}

// drawnAssignment draws a problem: falling scores, a few levels of gains.
func drawnAssignment(r *rng.Rand, n, top int) (a *assignment, scores, gains []float64, levels []int) {
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
		levels = append(levels, r.IntN(len(levelGains)))
		gains = append(gains, levelGains[levels[len(levels)-1]])
	}
	slices.Sort(scores)
	slices.Reverse(scores)
	return a, scores, gains, levels
}

// worth is the value of an assignment, and whether it is one.
func (a *assignment) worth(placeOf []int, scores, gains []float64) (total float64, ok bool) {
	taken := make([]bool, len(placeOf))
	for j, place := range placeOf {
		if place < 0 || taken[place] {
			return 0, false
		}
		taken[place] = true
		total -= a.cost(place, scores[j], gains[j])
	}
	return total, true
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
			a, scores, gains, levels := drawnAssignment(r, n, 1+r.IntN(8))
			best, byScores := math.Inf(-1), 0.0
			permutations(n, func(order []int) {
				if v, _ := a.worth(order, scores, gains); v > best {
					best = v
				}
			})
			a.solve(scores, gains, levels, new(answer))
			got, ok := a.worth(a.placeOf, scores, gains)
			if !ok || !(math.Abs(got-best) <= 1e-12*(1+math.Abs(best))) {
				t.Fatalf("%d items, top %d: %v is worth %v, the best %v", n, len(a.discount), a.placeOf, got, best)
			}
			for j := range n {
				byScores -= a.cost(j, scores[j], gains[j])
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
		a, scores, gains, levels := drawnAssignment(r, 1+r.IntN(60), 1+r.IntN(12))
		if trial%2 == 0 {
			for j := range scores {
				scores[j] = math.Floor(scores[j]) - 1e-10*float64(j)
			}
		}
		var last answer
		for range trial % 3 { // begin with the answer for other scores
			a.solve(scores, gains, levels, &last)
			r.Shuffle(len(levels), func(i, j int) {
				levels[i], levels[j], gains[i], gains[j] = levels[j], levels[i], gains[j], gains[i]
			})
		}
		a.solve(scores, gains, levels, &last)
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
				through := distance[j] - a.cost(place, scores[j], gains[j]) + a.cost(place, scores[k], gains[k])
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

// The scores of a list change little from one look to the next. The plain solver starts anew each time.
func BenchmarkAssignment(b *testing.B) {
	for _, n := range []int{10, 20, 50, 200} {
		a, scores, gains, levels := drawnAssignment(rng.Stream(3, "placing"), n, 10)
		looks := changingLooks(rng.Stream(4, "placing"), scores, gains, levels)
		b.Run(fmt.Sprintf("%d items/from the last answer", n), func(b *testing.B) {
			var last answer
			for k := range b.N {
				l := &looks[k%len(looks)]
				a.solve(l.scores, l.gains, l.levels, &last)
			}
		})
		plain := plainAssignment{weight: a.weight, discount: a.discount}
		b.Run(fmt.Sprintf("%d items/plain", n), func(b *testing.B) {
			for k := range b.N {
				plain.solve(looks[k%len(looks)].scores, looks[k%len(looks)].gains)
			}
		})
	}
}

// look is a problem with its items by score.
type look struct {
	scores, gains []float64
	levels        []int
}

// changingLooks are looks at a list whose scores wander by a few hundredths of their spread.
func changingLooks(r *rng.Rand, scores, gains []float64, levels []int) (looks []look) {
	spread := scores[0] - scores[len(scores)-1]
	for range 64 {
		order := numbersUpTo(len(scores))
		for j := range scores {
			scores[j] += 0.03 * spread / math.Sqrt(float64(len(scores))) * r.NormFloat64()
		}
		byScore(order, scores)
		var l look
		for _, j := range order {
			l.scores, l.gains, l.levels = append(l.scores, scores[j]), append(l.gains, gains[j]), append(l.levels, levels[j])
		}
		looks = append(looks, l)
	}
	return looks
}

// plainAssignment gives each of n items one of n places so that the sum over items of
//
//	weight[place] score[item] - discount[place] gain[item]
//
// is largest. Weights fall from place to place and scores from item to item; places beyond the discounts have none.
//
// Without discounts the order by score is optimal, and its dual prices are known. Discounts raise the costs of the
// first places only, so that these prices stay feasible: the first places are freed and assigned again one by one, each
// along a shortest augmenting path (Jonker and Volgenant 1987).
type plainAssignment struct {
	weight   []float64 // of places
	discount []float64 // of the first places

	placeOf               []int     // of an item; negative while it has none
	placePrice, itemPrice []float64 // together at most the cost of a place and an item, and just that where they meet

	distance []float64 // of a path from the freed place to an item
	before   []int     // the item whose place takes this one; negative at the start of a path
	open     []int     // items without a shortest path yet
	top      []int     // items without a place, or with one of the first
	itemAt   []int     // the item at each place beyond the first
}

// solve finds placeOf.
func (a *plainAssignment) solve(scores, gains []float64) {
	n := len(scores)
	if cap(a.placeOf) < n {
		a.placeOf, a.before, a.itemAt = make([]int, n), make([]int, n), make([]int, n)
		a.placePrice, a.itemPrice, a.distance = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	a.placeOf, a.before, a.itemAt = a.placeOf[:n], a.before[:n], a.itemAt[:n]
	a.placePrice, a.itemPrice, a.distance = a.placePrice[:n], a.itemPrice[:n], a.distance[:n]
	first := min(len(a.discount), n)
	price := 0.0
	for j, score := range scores {
		if j > 0 {
			price += a.weight[j] * (scores[j-1] - score)
		}
		a.itemPrice[j], a.placePrice[j] = price, -a.weight[j]*score-price
		if a.placeOf[j] = j; j < first {
			a.placeOf[j] = -1
		}
	}
	for place := range first {
		a.assign(place, first, scores, gains)
	}
}

// assign gives a freed place an item along a shortest augmenting path (Dijkstra). Items beyond the first places are in
// the order of their scores, so that a path there is no shorter if it jumps: it goes to a neighbour, or to the top.
func (a *plainAssignment) assign(free, first int, scores, gains []float64) {
	a.open, a.top = a.open[:0], a.top[:0]
	for j, place := range a.placeOf {
		a.open = append(a.open, j)
		a.distance[j], a.before[j] = math.Inf(1), -1
		if place < first {
			a.top = append(a.top, j)
		} else {
			a.itemAt[place] = j
		}
	}
	place, from, length := free, -1, 0.0
	for {
		if place < first {
			a.reach(a.open, place, from, length, a.discount[place], scores, gains)
		} else {
			a.reach(a.top, place, from, length, 0, scores, gains)
			a.reach(a.itemAt[max(first, place-1):min(place+2, len(scores))], place, from, length, 0, scores, gains)
		}
		nearest := 0
		for k, j := range a.open {
			if a.distance[j] < a.distance[a.open[nearest]] {
				nearest = k
			}
		}
		from = a.open[nearest]
		length = a.distance[from]
		last := len(a.open) - 1
		a.open[nearest], a.open = a.open[last], a.open[:last]
		if place = a.placeOf[from]; place < 0 {
			break
		}
	}
	// Prices change where the path is shorter than the one to the item found.
	a.placePrice[free] += length
	for j, d := range a.distance {
		if place := a.placeOf[j]; place >= 0 && d < length {
			a.itemPrice[j] += d - length
			a.placePrice[place] -= d - length
		}
	}
	for j := from; ; j = a.before[j] {
		if a.before[j] < 0 {
			a.placeOf[j] = free
			return
		}
		a.placeOf[j] = a.placeOf[a.before[j]]
	}
}

// reach shortens the paths to some items by those through a place, which gives up the item it came from.
func (a *plainAssignment) reach(items []int, place, from int, length, discount float64, scores, gains []float64) {
	base, weight := length-a.placePrice[place], a.weight[place]
	for _, j := range items {
		through := base - weight*scores[j] + discount*gains[j] - a.itemPrice[j]
		if d := a.distance[j]; through < d && d > length { // nearer ones are done, whatever rounding adds
			a.distance[j], a.before[j] = through, from
		}
	}
}

package cofirank

import "math"

// assignment gives each of n items one of n places so that the sum over items of
//
//	weight[place] score[item] - discount[place] gain[item]
//
// is largest. Weights fall from place to place and scores from item to item; places beyond the discounts have none.
//
// Without discounts the order by score is optimal, and its dual prices are known. Discounts raise the costs of the
// first places only, so that these prices stay feasible: the first places are freed and assigned again one by one, each
// along a shortest augmenting path (Jonker and Volgenant 1987).
type assignment struct {
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
func (a *assignment) solve(scores, gains []float64) {
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
func (a *assignment) assign(free, first int, scores, gains []float64) {
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
func (a *assignment) reach(items []int, place, from int, length, discount float64, scores, gains []float64) {
	base, weight := length-a.placePrice[place], a.weight[place]
	for _, j := range items {
		through := base - weight*scores[j] + discount*gains[j] - a.itemPrice[j]
		if d := a.distance[j]; through < d && d > length { // nearer ones are done, whatever rounding adds
			a.distance[j], a.before[j] = through, from
		}
	}
}

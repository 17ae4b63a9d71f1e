package cofirank

import "slices"

// assignment gives each of n items one of n places so that the sum over items of
//
//	weight[place] score[item] - discount[place] gain[item]
//
// is largest. Weights fall from place to place and scores from item to item; places beyond the discounts have none.
//
// Of two items of equal gain the one with the higher score has the better place, and below the discounted places the
// order is by score. So an answer is known by the gains in the discounted places, the top. It is improved along cycles,
// in which a place takes the item of another, that one of a third, and so on back to the first (Klein 1967), until
// shortest paths (Bellman and Ford) show that there are none. Between two looks at a list little changes: solve begins
// with the last answer, and with its prices, from which few paths become shorter.
type assignment struct {
	weight   []float64 // of places
	discount []float64 // of the top

	placeOf []int // of an item

	next     []int     // item of the same gain with the next lower score; negative without one
	head     []int     // of each level of gain: the best item below the top; negative without one
	offers   []int     // items that a place of the top may take: those there, in order, then the heads
	distance []float64 // of a path to an item, from anywhere
	before   []int     // the item whose place takes this one; negative at the start of a path
	seen     []int     // the last walk back along paths that came by
}

// answer is what solve keeps of an assignment: the levels of gain in the top, and for each place a price, so that no item
// costs less than a price of its own and that of a place together.
type answer struct {
	top   []int
	price []float64
}

// solve finds placeOf. Levels number the gains of items from 0. The answer is one for the same gains in any order, or
// empty, and is brought up to date.
func (a *assignment) solve(scores, gains []float64, levels []int, last *answer) {
	n := len(scores)
	for _, s := range []*[]int{&a.placeOf, &a.next, &a.before, &a.seen} {
		*s = append((*s)[:0], levels...)
	}
	count := 1 + slices.Max(levels)
	a.head, a.distance = slices.Grow(a.head[:0], count)[:count], slices.Grow(a.distance[:0], n)[:n]
	if last.top == nil {
		last.top, last.price = slices.Clone(levels[:min(n, len(a.discount))]), make([]float64, n)
	}
	a.arrange(levels, last.top)
	for j, place := range a.placeOf {
		a.distance[j] = a.cost(place, scores[j], gains[j]) - last.price[place]
	}
	// There are far fewer cycles than this; those that gain by rounding alone would not end.
	for left, from := n*n, a.cycle(scores, gains); left > 0 && from >= 0; left, from = left-1, a.cycle(scores, gains) {
		var gain float64
		for j := from; ; {
			before := a.before[j]
			gain += a.cost(a.placeOf[j], scores[j], gains[j]) - a.cost(a.placeOf[before], scores[j], gains[j])
			if place := a.placeOf[before]; place < len(last.top) {
				last.top[place] = levels[j]
			}
			if j = before; j == from {
				break
			}
		}
		if !(gain > 0) {
			break
		}
		a.arrange(levels, last.top)
	}
	for j, place := range a.placeOf {
		last.price[place] = a.cost(place, scores[j], gains[j]) - a.distance[j]
	}
	for place := n - 1; place >= 0; place-- { // lengths only ever fall: without this, prices would drift
		last.price[place] -= last.price[0]
	}
}

func (a *assignment) cost(place int, score, gain float64) float64 {
	cost := -a.weight[place] * score
	if place < len(a.discount) {
		cost += a.discount[place] * gain
	}
	return cost
}

// arrange gives places to all items, by the levels in the top.
func (a *assignment) arrange(levels, top []int) {
	for level := range a.head {
		a.head[level] = -1
	}
	for j := len(levels) - 1; j >= 0; j-- {
		a.next[j], a.placeOf[j] = a.head[levels[j]], -1
		a.head[levels[j]] = j
	}
	a.offers = a.offers[:0]
	for place, level := range top {
		j := a.head[level]
		a.head[level], a.placeOf[j] = a.next[j], place
		a.offers = append(a.offers, j)
	}
	place := len(top)
	for j, at := range a.placeOf {
		if at < 0 {
			a.placeOf[j] = place
			place++
		}
	}
	for _, j := range a.head {
		if j >= 0 {
			a.offers = append(a.offers, j)
		}
	}
}

// cycle returns an item on a cycle that gains something, along before; or -1.
func (a *assignment) cycle(scores, gains []float64) int {
	for j := range a.before {
		a.before[j], a.seen[j] = -1, -1
	}
	n, top := len(scores), min(len(scores), len(a.discount))
	noise := 1e-13 * (1 + a.weight[0]*(scores[0]-scores[n-1]))
	below := top < n                               // a path to an item below the top has become shorter
	for first := 0; first <= n*top; first += top { // the first walk of a round; a path has at most n steps
		if below {
			a.pass(scores, top, noise)
		}
		var shorter bool
		if shorter, below = a.take(scores, gains, top, noise); !shorter {
			return -1
		}
		for place, j := range a.offers[:top] {
			for ; j >= 0 && a.seen[j] < first; j = a.before[j] {
				a.seen[j] = first + place
			}
			if j >= 0 && a.seen[j] == first+place {
				return j
			}
		}
	}
	return -1
}

// pass shortens paths by what places below the top take: an item of the top, or their neighbour there. A longer way is
// no shorter than its steps from neighbour to neighbour, down and up.
func (a *assignment) pass(scores []float64, top int, noise float64) {
	for _, step := range [...]int{-1, 1} {
		from, here, weight := -1, 0.0, 0.0
		for k := range scores {
			j := k
			if step < 0 {
				j = len(scores) - 1 - k
			}
			if through := here - weight*scores[j]; from >= 0 && through < a.distance[j]-noise {
				a.distance[j], a.before[j] = through, from
			}
			if place := a.placeOf[j]; place >= top {
				from, weight = j, a.weight[place]
				here = a.distance[j] + weight*scores[j]
			}
		}
	}
}

// take shortens paths by what places of the top take: an item there, or the best of a level below. To take a worse one
// is no better than to have the places between move up.
func (a *assignment) take(scores, gains []float64, top int, noise float64) (shorter, below bool) {
	for place, from := range a.offers[:top] {
		weight, discount := a.weight[place], a.discount[place]
		here := a.distance[from] + weight*scores[from] - discount*gains[from]
		for k, j := range a.offers {
			if through := here - weight*scores[j] + discount*gains[j]; through < a.distance[j]-noise {
				a.distance[j], a.before[j] = through, from
				shorter, below = true, below || k >= top
			}
		}
	}
	return shorter, below
}

package rival

import (
	"cmp"
	"math"
	"slices"
)

// listLoss measures how far scores are from the order of one person's ratings.
// Lists have their ratings from best to worst. A loss has workspace of its own:
// each goroutine needs one.
type listLoss interface {
	// prepare writes two numbers for each rating of a list, as measure wants
	// them. It is false for a list that says nothing about order.
	prepare(values, first, second []float64) bool
	// measure returns the loss of scores, which is convex in them and never
	// negative, and writes a subgradient. Notes are what it wrote down for itself
	// when it last looked at this list, one for each place, and zero before: they
	// make it quicker.
	measure(scores, first, second, slope []float64, notes []placeNote) float64
}

// ndcgLoss is the convex upper bound of 1 - NDCG@top of CoFiRank,
//
//	max over orders π of 1 - NDCG(π) + Σ_i c_i f_π(i) - Σ_j c̄_j f_j
//
// with c_i = (i+1)^-decay for places i = 0, 1, ... and c̄_j that of the place of
// item j in the order of ratings. Tied ratings share the mean of their places:
// the mean of the paper's loss over all ways to break ties.
type ndcgLoss struct {
	top   int
	decay float64
	gain  func(rating float64) float64

	placing       placing // with c_i as weights, and 1/log2(i+2) up to top as discounts
	order         []int   // items by score
	scores, gains []float64
	levels        []int32 // of gains
	level         []int32 // the same by item
}

func newNDCGLoss(top int, decay float64, gain func(float64) float64) *ndcgLoss {
	return &ndcgLoss{top: top, decay: decay, gain: gain}
}

// room is for a list of n.
func (l *ndcgLoss) room(n int) {
	for i := len(l.placing.discount); i < min(n, l.top); i++ { // no further than a list is long
		l.placing.discount = append(l.placing.discount, 1/math.Log2(float64(i+2)))
	}
	for i := len(l.placing.weight); i < n; i++ {
		l.placing.weight = append(l.placing.weight, math.Pow(float64(i+1), -l.decay))
	}
	if cap(l.order) < n {
		l.order, l.scores, l.gains = make([]int, n), make([]float64, n), make([]float64, n)
		l.levels, l.level = make([]int32, n), make([]int32, n)
	}
	l.order, l.scores, l.gains = l.order[:n], l.scores[:n], l.gains[:n]
	l.levels, l.level = l.levels[:n], l.level[:n]
}

// prepare writes gains as shares of the ideal DCG, and c̄.
func (l *ndcgLoss) prepare(values, gains, targets []float64) bool {
	l.room(len(values))
	var ideal float64
	for j, v := range values {
		gains[j] = l.gain(v)
		if j < l.top {
			ideal += l.placing.discount[j] * gains[j]
		}
	}
	if !(ideal > 0) || values[0] == values[len(values)-1] {
		return false
	}
	for from := 0; from < len(values); {
		to := from
		var total float64
		for ; to < len(values) && values[to] == values[from]; to++ {
			total += l.placing.weight[to]
		}
		for j := from; j < to; j++ {
			gains[j] /= ideal
			targets[j] = total / float64(to-from)
		}
		from = to
	}
	return true
}

// measure places the items where that is worst. Equal scores are told apart by far
// less than matters. From one look to the next places change little, so it takes
// note of them.
func (l *ndcgLoss) measure(scores, gains, targets, slope []float64, notes []placeNote) float64 {
	n := len(scores)
	l.room(n)
	var sum float64
	var level int32
	for j, f := range scores {
		if j > 0 && gains[j] != gains[j-1] {
			level++
		}
		l.order[j], l.level[j] = j, level
		sum += f
	}
	if sum-sum != 0 {
		clear(slope)
		return math.NaN()
	}
	byScore(l.order, scores)
	apart := 1e-11 * (1 + scores[l.order[0]] - scores[l.order[n-1]])
	for t, j := range l.order {
		l.scores[t], l.gains[t], l.levels[t] = scores[j]-apart*float64(t), gains[j], l.level[j]
	}
	l.placing.solve(l.scores, l.gains, l.levels, int(level)+1, notes)
	loss := 1.0
	for t, place := range l.placing.placeOf {
		j := l.order[t]
		slope[j] = l.placing.weight[place] - targets[j]
		loss += slope[j] * scores[j]
		if place < l.top {
			loss -= l.placing.discount[place] * gains[j]
		}
	}
	return max(0, loss) // it is zero at least, but for rounding
}

// byScore sorts items by falling score, equal ones as they were.
func byScore(order []int, scores []float64) {
	if len(order) > 64 {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		return
	}
	for k := 1; k < len(order); k++ {
		j := order[k]
		at := k
		for ; at > 0 && scores[order[at-1]] < scores[j]; at-- {
			order[at] = order[at-1]
		}
		order[at] = j
	}
}

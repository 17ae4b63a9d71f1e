package cofirank

import (
	"cmp"
	"math"
	"slices"

	"fubini/model/baseline/fitting"
)

// listLoss is a loss of the scores of one person's list, with workspace: each goroutine needs its own.
type listLoss interface {
	// prepare writes what measure reads of a list with different ratings. It is false for a list without weight.
	prepare(l *list) bool
	// measure returns the loss of scores, which is convex and not negative, and writes a subgradient to the slope.
	measure(l *list, scores []float64) float64
}

// ndcgLoss is the convex upper bound of 1 - NDCG@top of CoFiRank,
//
//	max over orders π of 1 - NDCG(π) + Σ_i c_i f_π(i) - Σ_j c̄_j f_j
//
// with c_i = (i+1)^-decay for places i = 0, 1, ... and c̄_j that of the place of item j in the order of ratings. Tied
// ratings share the mean of their places: the mean of the paper's loss over all ways to break ties.
type ndcgLoss struct {
	top   int
	decay float64
	gain  func(rating float64) float64

	worst         assignment // with c_i as weights, and 1/log2(i+2) up to top as discounts
	order         []int      // items by score
	scores, gains []float64
	levels        []int // numbers of the gains
}

func newNDCGLoss(top int, decay float64, gain func(float64) float64) *ndcgLoss {
	return &ndcgLoss{top: top, decay: decay, gain: gain}
}

// extend makes the weights and discounts of n places.
func (l *ndcgLoss) extend(n int) {
	for i := len(l.worst.discount); i < min(n, l.top); i++ {
		l.worst.discount = append(l.worst.discount, 1/math.Log2(float64(i+2)))
	}
	for i := len(l.worst.weight); i < n; i++ {
		l.worst.weight = append(l.worst.weight, math.Pow(float64(i+1), -l.decay))
	}
}

// prepare writes gains as shares of the ideal DCG, and c̄.
func (l *ndcgLoss) prepare(one *list) bool {
	values := one.values
	gains, targets := make([]float64, len(values)), make([]float64, len(values))
	one.gains, one.targets = gains, targets
	l.extend(len(values))
	var ideal float64
	for j, v := range values {
		gains[j] = l.gain(v)
		if j < l.top {
			ideal += l.worst.discount[j] * gains[j]
		}
	}
	if !(ideal > 0) {
		return false
	}
	for from := 0; from < len(values); {
		to := from
		var total float64
		for ; to < len(values) && values[to] == values[from]; to++ {
			total += l.worst.weight[to]
		}
		for j := from; j < to; j++ {
			gains[j] /= ideal
			targets[j] = total / float64(to-from)
		}
		from = to
	}
	return true
}

// measure finds the worst order. Equal scores are separated by far less than matters.
func (l *ndcgLoss) measure(one *list, scores []float64) float64 {
	n, gains, slope := len(scores), one.gains, one.slope
	l.extend(n)
	l.order, l.scores, l.gains, l.levels = l.order[:0], l.scores[:0], l.gains[:0], l.levels[:0]
	var sum float64
	for j, f := range scores {
		l.order = append(l.order, j)
		sum += f
	}
	if sum-sum != 0 {
		clear(slope)
		return math.NaN()
	}
	byScore(l.order, scores)
	apart := 1e-11 * (1 + scores[l.order[0]] - scores[l.order[n-1]])
	for t, j := range l.order {
		l.scores, l.gains = append(l.scores, scores[j]-apart*float64(t)), append(l.gains, gains[j])
		l.levels = append(l.levels, one.levels[j])
	}
	l.worst.solve(l.scores, l.gains, l.levels, &one.worst)
	loss := 1.0
	for t, place := range l.worst.placeOf {
		j := l.order[t]
		slope[j] = l.worst.weight[place] - one.targets[j]
		loss += slope[j] * scores[j]
		if place < l.top {
			loss -= l.worst.discount[place] * gains[j]
		}
	}
	return max(0, loss) // negative by rounding only
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

// ordinalLoss is the hinge loss over pairs of ratings,
//
//	Σ over y_a > y_b of C(y_a, y_b) max(0, 1 - f_a + f_b) / usual
//
// with C = y_a - y_b, or 1 with even; usual is the mean over lists of the Σ of C, so that a list has the weight of its
// pairs. It takes one sort and two sweeps over the scores, which keep count of the ratings within the margin, level by
// level: O(n log n) for n ratings of a few levels.
type ordinalLoss struct {
	even  bool
	usual float64

	order []int
	count []float64 // of items within the margin, by level
	total []float64 // of their scores
}

func (l *ordinalLoss) cost(upper, lower float64) float64 {
	if l.even {
		return 1
	}
	return upper - lower
}

// prepare sums the costs.
func (l *ordinalLoss) prepare(one *list) bool {
	for a, upper := range one.values {
		for _, lower := range one.values[a+1:] {
			if upper > lower {
				one.costs += l.cost(upper, lower)
			}
		}
	}
	return true
}

func (l *ordinalLoss) measure(one *list, scores []float64) float64 {
	l.order = l.order[:0]
	for j := range scores {
		l.order = append(l.order, j)
	}
	byScore(l.order, scores)
	ratings, level, slope, share := one.ratings, one.levels, one.slope, 1/l.usual
	l.count, l.total = fitting.Resize(l.count, len(ratings)), fitting.Resize(l.total, len(ratings))
	count, total := l.count, l.total
	clear(count)
	clear(total)
	var loss float64
	next := 0
	for _, a := range l.order { // from the highest score: worse ratings above f_a - 1
		for ; next < len(l.order) && scores[l.order[next]] > scores[a]-1; next++ {
			b := l.order[next]
			count[level[b]]++
			total[level[b]] += scores[b]
		}
		var pull float64
		for worse, rating := range ratings[:level[a]] {
			cost := l.cost(one.values[a], rating)
			pull += cost * count[worse]
			loss += cost * (count[worse]*(1-scores[a]) + total[worse])
		}
		slope[a] = -share * pull
	}
	clear(count)
	next = len(l.order) - 1
	for _, b := range slices.Backward(l.order) { // from the lowest score: better ratings below f_b + 1
		for ; next >= 0 && scores[l.order[next]]-1 < scores[b]; next-- {
			count[level[l.order[next]]]++
		}
		for better := level[b] + 1; better < len(count); better++ {
			slope[b] += share * l.cost(ratings[better], one.values[b]) * count[better]
		}
	}
	return max(0, share*loss)
}

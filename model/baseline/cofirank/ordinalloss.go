package cofirank

import (
	"slices"

	"fubini/model/baseline/fitting"
)

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

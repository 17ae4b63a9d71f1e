package cofirank

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

	order  []int
	level  []int     // of each item, 0 for the worst
	rating []float64 // of a level
	count  []float64 // of items within the margin, by level
	total  []float64 // of their scores
}

func (l *ordinalLoss) cost(upper, lower float64) float64 {
	if l.even {
		return 1
	}
	return upper - lower
}

// prepare writes the ratings, and the sum of costs.
func (l *ordinalLoss) prepare(values, ratings, costs []float64) bool {
	var sum float64
	for a, upper := range values {
		ratings[a] = upper
		for _, lower := range values[a+1:] {
			if upper > lower {
				sum += l.cost(upper, lower)
			}
		}
	}
	for a := range costs {
		costs[a] = sum
	}
	return sum > 0
}

// levels numbers the different ratings of a list, which has the best first.
func (l *ordinalLoss) levels(ratings []float64) {
	n := len(ratings)
	if cap(l.order) < n {
		l.order, l.level, l.rating = make([]int, n), make([]int, n), make([]float64, n)
		l.count, l.total = make([]float64, n), make([]float64, n)
	}
	l.order, l.level, l.rating = l.order[:n], l.level[:n], l.rating[:0]
	for j := n - 1; j >= 0; j-- {
		if j == n-1 || ratings[j] != ratings[j+1] {
			l.rating = append(l.rating, ratings[j])
		}
		l.level[j] = len(l.rating) - 1
	}
	for j := range l.order {
		l.order[j] = j
	}
}

func (l *ordinalLoss) measure(scores, ratings, _, slope []float64) float64 {
	l.levels(ratings)
	byScore(l.order, scores)
	share := 1 / l.usual
	count, total := l.count[:len(l.rating)], l.total[:len(l.rating)]
	clear(count)
	clear(total)
	var loss float64
	next := 0
	for _, a := range l.order { // from the highest score: worse ratings above f_a - 1
		for ; next < len(l.order) && scores[l.order[next]] > scores[a]-1; next++ {
			b := l.order[next]
			count[l.level[b]]++
			total[l.level[b]] += scores[b]
		}
		var pull float64
		for level := range l.level[a] {
			cost := l.cost(ratings[a], l.rating[level])
			pull += cost * count[level]
			loss += cost * (count[level]*(1-scores[a]) + total[level])
		}
		slope[a] = -share * pull
	}
	clear(count)
	next = len(l.order) - 1
	for k := next; k >= 0; k-- { // from the lowest score: better ratings below f_b + 1
		b := l.order[k]
		for ; next >= 0 && scores[l.order[next]]-1 < scores[b]; next-- {
			count[l.level[l.order[next]]]++
		}
		for level := l.level[b] + 1; level < len(count); level++ {
			slope[b] += share * l.cost(l.rating[level], ratings[b]) * count[level]
		}
	}
	return max(0, share*loss)
}

package metric

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// Ranking is a list of items in the order of their predicted scores, best first,
// each with its judged level. The zero value is an empty list; [Ranking.Load]
// fills it, again and again without allocating once it has held a list as long.
//
// The methods share scratch space: every goroutine needs a Ranking of its own.
type Ranking struct {
	items []item    // best score first, tied scores by level
	ends  []int     // where each tie of equal scores ends in items
	ideal []float64 // the levels, highest first
	pairs pairs

	scratch   []float64 // as long as ideal
	discounts []float64 // 1/log₂(1+i) for places i = 1, 2, …
	pass      []float64 // see tiedERR
	seen      []float64 // see tiedERR
}

type item struct{ score, level float64 }

// Rank sorts items by predicted score, higher first. The levels are the judged
// relevance of the same items, higher is better: stars, grades, or 1 and 0.
//
// Equal scores tie; scores may be infinite. A score that is NaN, and
// a level that is NaN or infinite, is an error. It panics if the numbers of scores and levels differ.
func Rank(scores, levels []float64) (*Ranking, error) {
	r := new(Ranking)
	return r, r.Load(scores, levels)
}

// Load replaces the list of a ranking, as [Rank] makes one. It
// does not keep the slices. After an error the ranking is empty.
func (r *Ranking) Load(scores, levels []float64) error {
	if len(scores) != len(levels) {
		panic(fmt.Sprintf("metric: %d scores for %d levels", len(scores), len(levels)))
	}
	r.items, r.ends, r.ideal, r.pairs = r.items[:0], r.ends[:0], r.ideal[:0], pairs{}
	for i, score := range scores {
		if math.IsNaN(score) {
			return fmt.Errorf("metric: the score of item %d is not a number", i)
		}
		if level := levels[i]; math.IsNaN(level) || math.IsInf(level, 0) {
			return fmt.Errorf("metric: the level of item %d is %v, not a finite number", i, level)
		}
	}
	for i, score := range scores {
		r.items = append(r.items, item{score, levels[i]})
	}
	slices.SortFunc(r.items, func(a, b item) int { // half the time of cmp.Compare, which handles NaN
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		case a.level > b.level: // so that sums do not depend on the order of the input
			return -1
		case a.level < b.level:
			return 1
		}
		return 0
	})
	for i, it := range r.items {
		r.ideal = append(r.ideal, it.level)
		if i+1 == len(r.items) || r.items[i+1].score != it.score {
			r.ends = append(r.ends, i+1)
		}
	}
	r.countPairs()
	return nil
}

// ties are the runs of equal scores that begin above place last: where each starts and ends in items.
func (r *Ranking) ties(last int) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		start := 0
		for _, end := range r.ends {
			if start >= last || !yield(start, end) {
				return
			}
			start = end
		}
	}
}

// cut is the number of places that a metric with this top looks at.
func (r *Ranking) cut(top int) int {
	if top < 0 {
		panic(fmt.Sprintf("metric: top is %d", top))
	}
	if top == 0 {
		return len(r.items)
	}
	return min(top, len(r.items))
}

package metric

import "math"

// Pairs counts the pairs of items of a list by how their scores and their levels
// order them. The five numbers add up to N(N−1)/2.
type Pairs struct {
	Concordant int // in the same order by score and by level
	Discordant int // in opposite orders
	TiedScores int // with equal scores, but not levels
	TiedLevels int // with equal levels, but not scores
	TiedBoth   int // with equal scores and equal levels
}

// Pairs returns the counts behind [Ranking.PairAccuracy], [Ranking.Agreement] and
// [Ranking.KendallTauB].
func (r *Ranking) Pairs() Pairs { return r.pairs }

// PairAccuracy is the share of pairs with different levels that the scores put in
// the right order,
//
//	(concordant + tied scores/2) / (concordant + discordant + tied scores)
//
// Ties: a pair with equal scores counts one half, which is also the expectation
// over all orders; pairs with equal levels do not count. No pair with different
// levels: 1/2. With two levels it is [Ranking.AUC].
func (r *Ranking) PairAccuracy() float64 {
	p := r.pairs
	pairs := p.Concordant + p.Discordant + p.TiedScores
	if pairs == 0 {
		return 0.5
	}
	return float64(2*p.Concordant+p.TiedScores) / 2 / float64(pairs)
}

// Agreement is the share of pairs that stand in the same relation by score as by
// level, above, tied or below: one minus the paper's Dist between the two weak
// orders.
//
//	(concordant + tied both) / all
//
// Ties: a statement like the other two, right if the levels are equal, wrong if
// not. Fewer than two items: 1.
func (r *Ranking) Agreement() float64 {
	p := r.pairs
	right := p.Concordant + p.TiedBoth
	pairs := right + p.Discordant + p.TiedScores + p.TiedLevels
	if pairs == 0 {
		return 1
	}
	return float64(right) / float64(pairs)
}

// KendallTauB is the rank correlation of scores and levels with ties on both
// sides, from −1 to 1,
//
//	τ_b = (concordant − discordant) / √(different scores · different levels)
//
// where the root is over the numbers of pairs with different scores and with
// different levels.
//
// Ties: those in the scores take pairs out of both parts of the fraction; it is
// not an expectation over orders. All scores equal, or all levels: 0. With levels
// that tie, 1 is reached only by scores that tie the same items.
func (r *Ranking) KendallTauB() float64 {
	p := r.pairs
	strict := p.Concordant + p.Discordant
	byScore, byLevel := float64(strict+p.TiedLevels), float64(strict+p.TiedScores)
	if byScore == 0 || byLevel == 0 {
		return 0
	}
	return float64(p.Concordant-p.Discordant) / math.Sqrt(byScore*byLevel)
}

// countPairs counts by Knight's algorithm (1966) in O(N log N): in the order of
// scores, with tied scores by level, a pair is discordant if its levels stand in
// ascending order, and sorting counts those. It leaves the sorted levels in ideal.
func (r *Ranking) countPairs() {
	r.scratch = append(r.scratch[:0], r.ideal...)
	var discordant int
	r.ideal, r.scratch, discordant = sortDescending(r.ideal, r.scratch)

	var scores, levels, both int // tied pairs, with those tied in both
	items := r.items
	for i, s, l, b := 1, 0, 0, 0; i < len(items); i++ { // s, l, b: how far the runs of equal values go back from i
		s, l, b = s+1, l+1, b+1
		if items[i].score != items[i-1].score {
			s, b = 0, 0
		}
		if items[i].level != items[i-1].level {
			b = 0
		}
		if r.ideal[i] != r.ideal[i-1] {
			l = 0
		}
		scores, levels, both = scores+s, levels+l, both+b
	}
	n := len(items)
	r.pairs = Pairs{
		Concordant: n*(n-1)/2 - discordant - scores - levels + both,
		Discordant: discordant,
		TiedScores: scores - both,
		TiedLevels: levels - both,
		TiedBoth:   both,
	}
}

// sortDescending sorts values by merging, with a scratch slice of the same length,
// and counts the pairs that stood in ascending order. Both slices are overwritten;
// the first one returned is sorted.
func sortDescending(values, scratch []float64) (sorted, rest []float64, ascending int) {
	n := len(values)
	for width := 1; width < n; width *= 2 {
		for low := 0; low < n; low += 2 * width {
			middle, high := min(low+width, n), min(low+2*width, n)
			i, j := low, middle
			for k := low; k < high; k++ {
				if j == high || i < middle && values[i] >= values[j] {
					scratch[k] = values[i]
					i++
				} else {
					scratch[k] = values[j]
					j++
					ascending += middle - i
				}
			}
		}
		values, scratch = scratch, values
	}
	return values, scratch, ascending
}

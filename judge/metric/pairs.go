package metric

import "math"

// pairs counts the pairs of items of a list by how their scores and their levels order them.
type pairs struct {
	concordant int // in the same order by score and by level
	discordant int // in opposite orders
	tiedScores int // with equal scores, but not levels
	tiedLevels int // with equal levels, but not scores
}

// PairAccuracy is the share of pairs with different levels that the scores put in
// the right order,
//
//	(concordant + tied scores/2) / (concordant + discordant + tied scores)
//
// Pairs with equal levels do not count. With two levels it is [Ranking.AUC].
func (r *Ranking) PairAccuracy() float64 {
	p := r.pairs
	all := p.concordant + p.discordant + p.tiedScores
	if all == 0 {
		return 0.5
	}
	return float64(2*p.concordant+p.tiedScores) / 2 / float64(all)
}

// KendallTauB is the rank correlation of scores and levels with ties on both
// sides, from −1 to 1,
//
//	τ_b = (concordant − discordant) / √(different scores · different levels)
//
// where the root is over the numbers of pairs with different scores and with
// different levels. It is not an expectation over orders: tied scores take pairs out of both parts of the fraction.
// With levels that tie, 1 is reached only by scores that tie the same items.
func (r *Ranking) KendallTauB() float64 {
	p := r.pairs
	strict := p.concordant + p.discordant
	byScore, byLevel := float64(strict+p.tiedLevels), float64(strict+p.tiedScores)
	if byScore == 0 || byLevel == 0 {
		return 0
	}
	return float64(p.concordant-p.discordant) / math.Sqrt(byScore*byLevel)
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
	r.pairs = pairs{
		concordant: n*(n-1)/2 - discordant - scores - levels + both,
		discordant: discordant,
		tiedScores: scores - both,
		tiedLevels: levels - both,
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

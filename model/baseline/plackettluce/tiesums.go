package plackettluce

import (
	"math"

	"fubini/core/logprob"
)

// tieSums computes the probability of one list under tieWorths, and its slope.
type tieSums struct {
	*tieWorths
	means symmetricMeans
	// Of the list, from its last item to its first.
	score, bySlope, weight []float64
	roots                  []float64 // for each size
	share                  []float64 // log weight of sets of size d in the sum at tie t; then their share of it
	sizes                  int       // up to the largest, or to all items
}

// newSums makes room for lists of up to n items.
func (l *tieWorths) newSums(n int) tieSums {
	largest := min(l.Largest, n)
	return tieSums{
		tieWorths: l,
		means:     newSymmetricMeans(n, largest),
		score:     make([]float64, n), bySlope: make([]float64, n), weight: make([]float64, n+1),
		roots: make([]float64, n*largest), share: make([]float64, n*largest),
	}
}

// logProb is the log probability of a list.
func (s *tieSums) logProb(scores []float64, list *tiers) float64 {
	n, best := len(list.order), math.Inf(-1)
	s.sizes = min(s.Largest, n)
	for _, i := range list.order {
		best = math.Max(best, scores[i])
	}
	for k, i := range list.order {
		s.score[n-1-k] = scores[i] - best // up to 0, so that no root is above 1
	}
	for d := 1; d <= s.sizes; d++ {
		root := s.root(n, d)
		for k, v := range s.score[:n] {
			root[k] = math.Exp(v / float64(d))
		}
		s.means.fill(root, d)
		for t := range list.len() {
			left := n - list.start[t]
			share := s.at(t, d)
			*share = logprob.Zero
			if left >= d {
				*share = s.logTie[d-1] + logChoose(left, d) + math.Log(s.means.at(left))
			}
		}
	}
	var total float64
	for t := range list.len() {
		size := len(list.tier(t))
		if size > s.Largest {
			return logprob.Zero
		}
		total += s.logTie[size-1]
		for k := list.start[t]; k < list.start[t+1]; k++ {
			total += s.score[n-1-k] / float64(size)
		}
		shares := s.share[t*s.sizes : (t+1)*s.sizes]
		all := logprob.SumExp(shares)
		for d := range shares {
			shares[d] = math.Exp(shares[d] - all)
		}
		total -= all
	}
	return total
}

// at is the share of sets of d items at tie t.
func (s *tieSums) at(t, d int) *float64 { return &s.share[t*s.sizes+d-1] }

// root is the room for the d-th roots of the worths.
func (s *tieSums) root(n, d int) []float64 { return s.roots[(d-1)*n : d*n] }

// tooSmall is a share of all sets that a slope does not show.
const tooSmall = 1e-14

// addSlope adds the slope of minus logProb, which was called before, by scores, and by the tie parameters unless shared
// is nil.
func (s *tieSums) addSlope(list *tiers, slope, shared []float64) {
	n := len(list.order)
	for t := range list.len() {
		size := len(list.tier(t))
		for _, i := range list.tier(t) {
			slope[i] -= 1 / float64(size)
		}
		if shared == nil {
			continue
		}
		if size > 1 {
			shared[size-2]--
		}
		for d := 2; d <= s.sizes; d++ {
			shared[d-2] += *s.at(t, d)
		}
	}
	for d := 1; d <= s.sizes; d++ {
		var most float64
		for t := range list.len() {
			most = max(most, *s.at(t, d))
		}
		if most < tooSmall {
			continue
		}
		root := s.root(n, d)
		s.means.fill(root, d)
		weight, by := s.weight[:n+1], s.bySlope[:n]
		clear(weight)
		clear(by)
		for t := range list.len() {
			if left := n - list.start[t]; left >= d {
				weight[left] = *s.at(t, d) / s.means.at(left)
			}
		}
		s.means.back(root, weight, by)
		for k, i := range list.order {
			slope[i] += by[n-1-k] * root[n-1-k] / float64(d)
		}
	}
}

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

// addSlope adds the slope of the last -logProb by the scores, and by the tie parameters unless shared is nil.
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

// symmetricMeans computes elementary symmetric polynomials of a growing list of numbers, each over the number of its
// terms: with e_j(x_1..x_m) the sum over all sets of j of the m numbers of their product,
//
//	M[m][j] = e_j(x_1..x_m) / C(m, j) = (1 - j/m) M[m-1][j] + j/m x_m M[m-1][j-1].
//
// Means of products of numbers up to 1 neither overflow nor cancel, whatever m.
type symmetricMeans struct {
	degree int
	table  []float64 // row m has degree+1 numbers
	down   []float64 // derivative of what is asked for by a row of the table
}

// newSymmetricMeans makes room for this number of numbers, and degrees.
func newSymmetricMeans(numbers, degree int) symmetricMeans {
	return symmetricMeans{table: make([]float64, (numbers+1)*(degree+1)), down: make([]float64, degree+2)}
}

// band is what matters of row m out of n: no set is larger than m, or too small to grow to the degree.
func (s *symmetricMeans) band(m, n int) (low, high int) {
	return max(1, s.degree-(n-m)), min(m, s.degree)
}

// fill computes M of a degree, and of lower ones as far as it takes, for all beginnings of x.
func (s *symmetricMeans) fill(x []float64, degree int) {
	s.degree = degree
	width := degree + 1
	s.table[0] = 1
	for m := 1; m <= len(x); m++ {
		low, high := s.band(m, len(x))
		now := s.table[m*width:][:width]
		now[0] = 1
		if m <= degree {
			s.table[(m-1)*width+m] = 0 // no set of m among m-1
		}
		if low > high {
			continue
		}
		v, share := x[m-1], 1/float64(m)
		// Shifted by one place, so that here[k] and last[k] make now[k].
		here, last := s.table[(m-1)*width+low:][:high-low+1], s.table[(m-1)*width+low-1:][:high-low+1]
		now = now[low:][:len(here)]
		part := float64(low) * share
		for k, h := range here {
			now[k] = h + part*(v*last[k]-h)
			part += share
		}
	}
}

// at is the mean over the sets of as many as the degree of the first m numbers.
func (s *symmetricMeans) at(m int) float64 {
	if m < s.degree {
		return 0
	}
	return s.table[m*(s.degree+1)+s.degree]
}

// back adds to slope the derivative of sum over m of weight[m] at(m) by x.
func (s *symmetricMeans) back(x, weight, slope []float64) {
	width := s.degree + 1
	down := s.down[:width+1] // one more, always zero
	clear(down)
	for m := len(x); m > 0; m-- {
		down[s.degree] += weight[m]
		low, high := s.band(m, len(x))
		if low > high {
			continue
		}
		v, share := x[m-1], 1/float64(m)
		// down of row m becomes that of row m-1 in place: j hands (1 - j/m) to j, and j/m x_m to j-1.
		before := s.table[(m-1)*width+low-1:][:high-low+1]
		at, next := down[low:][:len(before)], down[low-1:][:len(before)]
		part := float64(low) * share
		var by float64
		for k, b := range before {
			g := part * at[k]
			next[k] += v * g
			by += b * g
			at[k] -= g
			part += share
		}
		slope[m-1] += by
	}
}

package metric

import (
	"fmt"
	"math"
)

// DCG is the discounted cumulative gain of the first top places,
//
//	DCG = Σ_i gain(r_i) / log₂(1 + i),  i = 1 … top
//
// with r_i the level of the item at place i. Each place in a tie earns the tie's mean gain.
func (r *Ranking) DCG(top int, gain Gain) (total float64) {
	last := r.cut(top)
	discounts := r.discountsTo(last)
	for start, end := range r.ties(last) {
		var gains float64
		for _, it := range r.items[start:end] {
			gains += gain.of(it.level)
		}
		mean := gains / float64(end-start)
		for _, discount := range discounts[start:min(end, last)] {
			total += mean * discount
		}
	}
	return total
}

// IdealDCG is the [Ranking.DCG] of the best possible order, by level: the paper's
// κ(top). It is 0 if and only if there is nothing to find.
func (r *Ranking) IdealDCG(top int, gain Gain) (total float64) {
	last := r.cut(top)
	var g float64
	for i, discount := range r.discountsTo(last) {
		if level := r.ideal[i]; i == 0 || level != r.ideal[i-1] {
			above := g
			g = gain.of(level)
			if i > 0 && g > above {
				panic(fmt.Sprintf("metric: a gain of %g for level %g, and less for a higher level", g, level))
			}
		}
		total += g * discount
	}
	return total
}

// NDCG is the normalised discounted cumulative gain, DCG / IdealDCG, from 0 to 1: the paper's NDCG@T with gain
// [Exp2] and T = top. Both sums end with a list shorter than top, so a perfect order of it still gets 1.
func (r *Ranking) NDCG(top int, gain Gain) float64 {
	ideal := r.IdealDCG(top, gain)
	if ideal == 0 {
		return 0
	}
	return min(r.DCG(top, gain)/ideal, 1) // rounding may carry a perfect order with ties past 1
}

// discountsTo returns 1/log₂(1+i) for the places i = 1 … last.
func (r *Ranking) discountsTo(last int) []float64 {
	for i := len(r.discounts) + 1; i <= last; i++ {
		r.discounts = append(r.discounts, 1/math.Log2(float64(1+i)))
	}
	return r.discounts[:last]
}

// ERR is the expected reciprocal rank of the place where a reader stops who goes
// from item to item and stops at each with probability V(level) (Chapelle,
// Metzler, Zhang and Grinspan 2009),
//
//	ERR = Σ_i 1/i · V(r_i) · Π_{j<i} (1 − V(r_j)),  i = 1 … top
//
// with r_i the level of the item at place i. The paper's is ERR(0, Graded(1, 5)).
// It does not divide by the value of an ideal order, so that a perfect order gets
// less than 1. A tie of m items, of which p may stop the reader, costs O(p² + m·min(p, m−p)).
func (r *Ranking) ERR(top int, stop Stop) (total float64) {
	last := r.cut(top)
	reach := 1.0 // the probability of not stopping before this tie
	for start, end := range r.ties(last) {
		if total+reach == total { // no later place can change the sum
			break
		}
		if end == start+1 {
			v := stop.of(r.items[start].level)
			total += reach * v / float64(end)
			reach *= 1 - v
		} else {
			reciprocal, pass := r.tiedERR(start, end, last, stop)
			total += reach * reciprocal
			reach *= pass
		}
	}
	return total
}

// tiedERR returns the part of ERR that a reader who has come to the tie
// items[start:end] finds in it at places up to last, and the probability to pass
// through all of it.
//
// Let p of the m tied items have V > 0. In a random order of these p, the first j
// are a random set of that size, and they let the reader through with
// probability
//
//	A_j = mean over all sets S of j of them of Π_{i∈S} (1 − V_i)
//
// so that the reader stops at the next, the (j+1)-th, with probability
// A_j − A_{j+1}. Of p items the p-th is in a random set of j with probability
// j/p, which builds A item by item from A of fewer:
//
//	A_j ← j/p · (1 − V_p)·A_{j−1} + (1 − j/p)·A_j
//
// The other m − p items only take up places, and where they stand is independent
// of the order of the p. The number j of the p among the first k places walks
// from 0 to p: the next place holds one of them with probability (p−j)/(m−k).
// Every step is a mean of numbers from 0 to 1, so rounding does not grow.
//
// A falls with j, and a mean of errors is no larger than the largest: A_j may be
// taken for 0 as long as A_{j−1} is negligible. This keeps A short, and away from
// numbers too small for fast arithmetic.
func (r *Ranking) tiedERR(start, end, last int, stop Stop) (reciprocal, product float64) {
	places := min(end, last) - start
	const negligible = 1e-30
	pass := append(r.pass[:0], 1, 0) // A, as far as these places need it, and up to its first negligible number
	product = 1
	p := 0
	for _, it := range r.items[start:end] {
		v := stop.of(it.level)
		if v == 0 {
			continue
		}
		p++
		product *= 1 - v
		for j := len(pass) - 1; j > 0; j-- {
			pass[j] = (float64(j)*(1-v)*pass[j-1] + float64(p-j)*pass[j]) / float64(p)
		}
		if len(pass) <= places && pass[len(pass)-1] > negligible {
			pass = append(pass, 0)
		}
	}
	r.pass = pass

	m := end - start
	seen := append(r.seen[:0], 1) // seen[j]: the probability that j of the p stand at the k places so far
	for k := range places {
		left := float64(m - k)
		if len(seen) < len(pass) {
			seen = append(seen, 0)
		}
		var here float64 // the probability to stop at this place
		for j := min(k, len(pass)-2); j >= max(0, k-(m-p)); j-- {
			next := seen[j] * float64(p-j) / left
			here += next * (pass[j] - pass[j+1])
			seen[j+1] += next
			seen[j] *= (left - float64(p-j)) / left
		}
		reciprocal += here / float64(start+k+1)
	}
	r.seen = seen
	return reciprocal, product
}

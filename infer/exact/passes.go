package exact

import (
	"math"
	"math/bits"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
)

// Subsets of the items that are not in S are numbered as they come in
// increasing order; next steps from one to the following. The k-th has the
// weight t.weight[k] of standing, as one block, directly above S.
func next(sub, others int) int { return (sub - others) & others }

// weigh fills t.weight for S and returns the set of the other items. Items of
// the block bring a factor each, their order potentials against all of S, so the
// products over subsets double up item by item.
func (t *Table) weigh(s int) (others int) {
	others = (1<<t.n - 1) &^ s
	w := t.weight[:1]
	w[0] = 1
	if t.logs {
		w[0] = 0
	}
	for m := others; m > 0; m &= m - 1 {
		i := bits.TrailingZeros(uint(m))
		row := t.gain[i*t.n : (i+1)*t.n]
		var above float64
		for b := s; b > 0; b &= b - 1 {
			above += row[bits.TrailingZeros(uint(b))]
		}
		half := len(w)
		w = t.weight[:2*half]
		if t.logs {
			for k, v := range w[:half] {
				w[half+k] = v + above
			}
			continue
		}
		factor := math.Exp(above)
		for k, v := range w[:half] {
			w[half+k] = v * factor
		}
	}
	sub := 0
	for k := 1; k < len(w); k++ {
		sub = next(sub, others)
		if t.logs {
			w[k] += t.block[sub]
		} else {
			w[k] *= t.block[sub]
		}
	}
	if s == 0 && t.last != nil {
		t.weighLast(w, others)
	}
	return others
}

// weighLast gives blocks that stand on nothing what the last has beyond others.
func (t *Table) weighLast(w []float64, others int) {
	sub := 0
	for k := 1; k < len(w); k++ {
		sub = next(sub, others)
		if extra := t.last[bits.OnesCount(uint(sub))]; t.logs {
			w[k] += extra
		} else {
			w[k] *= math.Exp(extra)
		}
	}
}

// terms fills t.term[1:] with weight times outside weight of every block above
// S, divided by e^scale, and returns them. Call weigh first.
func (t *Table) terms(s, others int, outside []float64) (terms []float64, scale float64) {
	count := 1 << bits.OnesCount(uint(others))
	terms = t.term[:count]
	terms[0] = 0
	sub := 0
	if !t.logs {
		for k := 1; k < count; k++ {
			sub = next(sub, others)
			terms[k] = t.weight[k] * outside[s|sub]
		}
		return terms, 0
	}
	terms[0], scale = logprob.Zero, logprob.Zero
	for k := 1; k < count; k++ {
		sub = next(sub, others)
		terms[k] = t.weight[k] + outside[s|sub]
		scale = math.Max(scale, terms[k])
	}
	if math.IsInf(scale, -1) {
		clear(terms)
		return terms, scale
	}
	for k := range terms {
		terms[k] = math.Exp(terms[k] - scale)
	}
	return terms, scale
}

// fillOutside computes the outside weights, the largest sets first.
func (t *Table) fillOutside() {
	everything := 1<<t.n - 1
	t.outside = make([][]float64, t.layers())
	for d := range t.outside {
		t.outside[d] = make([]float64, everything+1)
		if t.logs {
			for s := range t.outside[d] {
				t.outside[d][s] = logprob.Zero
			}
		}
	}
	t.outside[0][everything] = 1
	if t.logs {
		t.outside[0][everything] = 0
	}
	for s := everything - 1; s >= 0; s-- {
		others := t.weigh(s)
		if !t.layered {
			t.outside[0][s] = t.total(s, others, t.outside[0])
			continue
		}
		for d := 1; d <= min(t.high, bits.OnesCount(uint(others))); d++ {
			t.outside[d][s] = t.total(s, others, t.outside[d-1])
		}
	}
}

// total is the sum of terms, the innermost loop of all.
func (t *Table) total(s, others int, outside []float64) float64 {
	if t.logs {
		terms, scale := t.terms(s, others, outside)
		var total float64
		for _, term := range terms {
			total += term
		}
		return scale + math.Log(total)
	}
	var total float64
	sub := 0
	for _, w := range t.weight[1 : 1<<bits.OnesCount(uint(others))] {
		sub = next(sub, others)
		total += w * outside[s|sub]
	}
	return total
}

// fillInside returns, per number of blocks, the total weight of all partitions
// of each subset by itself, the smallest sets first.
func (t *Table) fillInside() [][]float64 {
	inside := make([][]float64, t.layers())
	for d := range inside {
		inside[d] = make([]float64, 1<<t.n)
		if t.logs {
			for s := range inside[d] {
				inside[d][s] = logprob.Zero
			}
		}
	}
	inside[0][0] = 1
	if t.logs {
		inside[0][0] = 0
	}
	for s := 0; s < 1<<t.n-1; s++ {
		others := t.weigh(s)
		weights := t.weight[1 : 1<<bits.OnesCount(uint(others))]
		for d := range inside {
			from, to := inside[d][s], inside[d]
			if t.layered {
				if d+1 == len(inside) {
					continue
				}
				to = inside[d+1]
			}
			if from == 0 && !t.logs || math.IsInf(from, -1) {
				continue
			}
			sub := 0
			for _, w := range weights {
				sub = next(sub, others)
				if t.logs {
					to[s|sub] = logprob.Add(to[s|sub], w+from)
				} else {
					to[s|sub] += w * from
				}
			}
		}
	}
	return inside
}

// share is the probability factor that sets below contribute when d blocks
// stand above the next one: the inside weight of S over all allowed numbers of
// blocks, as a share of Z.
func (t *Table) share(inside [][]float64, s, d int) float64 {
	if !t.layered {
		if t.logs {
			return inside[0][s] - t.z()
		}
		return inside[0][s] / t.z()
	}
	total := 0.0
	if t.logs {
		total = logprob.Zero
	}
	for below := max(0, t.low-d-1); d+1+below <= t.high; below++ {
		if t.logs {
			total = logprob.Add(total, inside[below][s])
		} else {
			total += inside[below][s]
		}
	}
	if t.logs {
		return total - t.z()
	}
	return total / t.z()
}

// Moments returns the pair probabilities, in O(3^N).
func (t *Table) Moments() *Moments {
	n := t.n
	m := newMoments(n)
	m.LogZ = t.LogZ()
	inside := t.fillInside()
	asBlock := make([]float64, 1<<n) // probability that a subset is a block
	for s := range 1<<n - 1 {
		others := t.weigh(s)
		for d, outside := range t.outside {
			if t.layered && d+1 > t.high {
				continue
			}
			below := t.share(inside, s, d)
			terms, scale := t.terms(s, others, outside)
			if t.logs {
				below = math.Exp(below + scale)
			}
			if below == 0 {
				continue
			}
			sub := 0
			for k := 1; k < len(terms); k++ {
				sub = next(sub, others)
				terms[k] *= below
				asBlock[sub] += terms[k]
				if s == 0 {
					m.last[bits.OnesCount(uint(sub))] += terms[k]
				}
			}
			m.addAbove(terms, others, s)
		}
	}
	for b, p := range asBlock {
		m.sizes[bits.OnesCount(uint(b))] += p
		for rest := b; rest > 0; rest &= rest - 1 {
			i := bits.TrailingZeros(uint(rest))
			for later := rest & (rest - 1); later > 0; later &= later - 1 {
				j := bits.TrailingZeros(uint(later))
				m.tied[i*n+j] += p
				m.tied[j*n+i] += p
			}
		}
	}
	return m
}

// addAbove adds, for every item i of others and every item j of s, the total
// of the terms whose block contains i. The last item splits the terms into
// halves without and with it; adding the halves removes it from question.
func (m *Moments) addAbove(terms []float64, others, s int) {
	for others > 0 {
		i := bits.Len(uint(others)) - 1
		others &^= 1 << i
		half := len(terms) / 2
		var p float64
		for k, term := range terms[half:] {
			p += term
			terms[k] += term
		}
		terms = terms[:half]
		for rest := s; rest > 0; rest &= rest - 1 {
			m.above[i*m.n+bits.TrailingZeros(uint(rest))] += p
		}
	}
}

// Draw overwrites x with an independent draw, built from the bottom block up.
func (t *Table) Draw(d rng.Dice, x *partition.Partition) {
	depth, height := 0, 0
	if t.layered {
		depth = t.low + d.Pick(t.depths())
	}
	for s := 0; s != 1<<t.n-1; {
		layer := 0
		if t.layered {
			depth--
			layer = depth
		}
		others := t.weigh(s)
		terms, _ := t.terms(s, others, t.outside[layer])
		block := expand(d.Pick(terms), others)
		for m := block; m > 0; m &= m - 1 {
			t.rank[bits.TrailingZeros(uint(m))] = -height
		}
		height++
		s |= block
	}
	for i := range t.rank {
		t.rank[i] += height - 1
	}
	x.SetRanks(t.rank)
}

// depths is the law of the number of blocks, from t.low to t.high, unnormalised.
func (t *Table) depths() []float64 {
	law := make([]float64, 0, t.high-t.low+1)
	for d := t.low; d <= t.high; d++ {
		if t.logs {
			law = append(law, math.Exp(t.outside[d][0]-t.z()))
		} else {
			law = append(law, t.outside[d][0])
		}
	}
	return law
}

// expand returns the k-th subset of others.
func expand(k, others int) (sub int) {
	for m := others; m > 0; m &= m - 1 {
		if k&1 == 1 {
			sub |= m & -m
		}
		k >>= 1
	}
	return sub
}

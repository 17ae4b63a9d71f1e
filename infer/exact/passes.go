package exact

import (
	"math/bits"

	"fubini/core/partition"
	"fubini/core/rng"
)

// Subsets of the items that are not in S are numbered as they come in
// increasing order; next steps from one to the following. The k-th has the
// weight t.weight[k] of standing, as one block, directly above S.
func next(sub, others int) int { return (sub - others) & others }

// arithmetic is how weights are held: as numbers ([scaled]), or as their logarithms ([logs]).
type arithmetic interface {
	zero() float64
	one() float64
	add(a, b float64) float64
	divide(a, b float64) float64
	// log is the logarithm of a weight; number is a weight times e^scale, as a number.
	log(a float64) float64
	number(a, scale float64) float64

	// timesExp writes weights times e^x.
	timesExp(out, weights []float64, x float64)
	// timesBlocks multiplies the weight of each subset of others by its potential as a block.
	timesBlocks(weights, block []float64, others int)
	// terms writes, as numbers divided by e^scale, the weight of every block above S times the outside weight of
	// both; total is their sum, as a weight.
	terms(out, weights []float64, s, others int, outside []float64) (scale float64)
	total(t *Table, s, others int, outside []float64) float64
	// spread adds from times the weight of every block to the set that it makes with S.
	spread(to, weights []float64, from float64, s, others int)
}

// weigh fills t.weight for S and returns the set of the other items. Items of
// the block bring a factor each, their order potentials against all of S, so the
// products over subsets double up item by item.
func (t *Table) weigh(s int) (others int) {
	others = (1<<t.n - 1) &^ s
	w := t.weight[:1]
	w[0] = t.one()
	for m := others; m > 0; m &= m - 1 {
		i := bits.TrailingZeros(uint(m))
		row := t.gain[i*t.n : (i+1)*t.n]
		var above float64
		for b := s; b > 0; b &= b - 1 {
			above += row[bits.TrailingZeros(uint(b))]
		}
		half := len(w)
		w = t.weight[:2*half]
		t.timesExp(w[half:], w[:half], above)
	}
	t.timesBlocks(w, t.block, others)
	if s == 0 && t.last != nil { // what the last block has beyond others
		sub := 0
		for k := 1; k < len(w); k++ {
			sub = next(sub, others)
			t.timesExp(w[k:k+1], w[k:k+1], t.last[bits.OnesCount(uint(sub))])
		}
	}
	return others
}

// newLayers returns a layer for each number of blocks, all weights zero.
func (t *Table) newLayers() [][]float64 {
	layers := make([][]float64, t.layers())
	for d := range layers {
		layers[d] = make([]float64, 1<<t.n)
		for s := range layers[d] {
			layers[d][s] = t.zero()
		}
	}
	return layers
}

// fillOutside computes the outside weights, the largest sets first.
func (t *Table) fillOutside() {
	everything := 1<<t.n - 1
	t.outside = t.newLayers()
	t.outside[0][everything] = t.one()
	for s := everything - 1; s >= 0; s-- {
		others := t.weigh(s)
		if !t.layered {
			t.outside[0][s] = t.total(t, s, others, t.outside[0])
			continue
		}
		for d := 1; d <= min(t.high, bits.OnesCount(uint(others))); d++ {
			t.outside[d][s] = t.total(t, s, others, t.outside[d-1])
		}
	}
}

// fillInside returns, per number of blocks, the total weight of all partitions
// of each subset by itself, the smallest sets first.
func (t *Table) fillInside() [][]float64 {
	inside := t.newLayers()
	inside[0][0] = t.one()
	for s := range 1<<t.n - 1 {
		others := t.weigh(s)
		weights := t.weight[1 : 1<<bits.OnesCount(uint(others))]
		for d := range inside {
			to := d
			if t.layered {
				if to++; to == len(inside) {
					continue
				}
			}
			if from := inside[d][s]; from != t.zero() {
				t.spread(inside[to], weights, from, s, others)
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
		return t.divide(inside[0][s], t.z())
	}
	total := t.zero()
	for below := max(0, t.low-d-1); d+1+below <= t.high; below++ {
		total = t.add(total, inside[below][s])
	}
	return t.divide(total, t.z())
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
			terms := t.term[:1<<bits.OnesCount(uint(others))]
			scale := t.terms(terms, t.weight, s, others, outside)
			below := t.number(t.share(inside, s, d), scale)
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
		terms := t.term[:1<<bits.OnesCount(uint(others))]
		t.terms(terms, t.weight, s, others, t.outside[layer])
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
		law = append(law, t.number(t.outside[d][0], -t.z()))
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

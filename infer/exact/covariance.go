package exact

import (
	"math/bits"
	"slices"

	"fubini/core/vec"
)

// Statistics are sums over the pairs and the blocks of a partition of n items, Count of them. Rows have Count numbers: row i*n+j of Tied
// is what items i and j bring in one block (the same as row j*n+i), row i*n+j of Above what they bring where i stands above j. Row s of
// Blocks is what each block of s items brings, row s of Last what the last block brings beside; nil means none.
type Statistics struct {
	Count        int
	Tied, Above  []float64
	Blocks, Last []float64
}

// mostSums bounds Count·2^N in Covariance, which holds four arrays of that size.
const mostSums = 1 << 21

// Covariance returns the means of statistics and their covariance, in O(Count·3^N). It is not ok where the table has layers or is
// kept in logarithms, and where there are too many statistics. See docs/maths.md#subset-table.
//
// A statistic is a sum of parts f(B, S), one for each block B and the set S of all items below it. With A(S) the sum, over all
// arrangements of the items above S, of the weight times the statistic so far, the second moment of two of them is the sum over
// B and S of weight(B, S)·inside(S)·(f·A' + f'·A + f·f'·outside) at B and S together, divided by Z. A part f is that of the ties in B and of
// every item of B above S, and the sums over B for the one and over the items for the other are taken last.
func (t *Table) Covariance(f Statistics) (mean, covariance []float64, ok bool) {
	if _, plain := t.arithmetic.(scaled); t.layered || !plain || f.Count<<t.n > mostSums {
		return nil, nil, false
	}
	n, c, sets := t.n, f.Count, 1<<t.n
	outside, inside, z := t.outside[0], t.fillInside()[0], t.z()
	blocks := f.ofBlocks(n)
	above := make([]float64, sets*c)   // A(S)
	byBlock := make([]float64, sets*c) // sums over S
	parts, share := make([]float64, sets*c), make([]float64, sets*c)
	orders, sum := make([]float64, n*c), make([]float64, c)
	second := make([]float64, c*c)
	for s := sets - 2; s >= 0; s-- {
		others := t.weigh(s)
		size := 1
		clear(parts[:c])
		for m := others; m > 0; m &= m - 1 { // parts of sets of items double up item by item
			i := bits.TrailingZeros(uint(m))
			order := orders[i*c : (i+1)*c]
			clear(order)
			for b := s; b > 0; b &= b - 1 {
				at := (i*n + bits.TrailingZeros(uint(b))) * c
				for a, v := range f.Above[at : at+c] {
					order[a] += v
				}
			}
			for k := range size {
				from, to := parts[k*c:(k+1)*c], parts[(size+k)*c:(size+k+1)*c]
				for a, v := range from {
					to[a] = v + order[a]
				}
			}
			size *= 2
		}
		clear(share[:c])
		here, below := above[s*c:(s+1)*c], inside[s]/z
		for k, sub := 1, 0; k < size; k++ {
			sub = next(sub, others)
			w, both := t.weight[k], s|sub
			all := w * outside[both]
			part, from := parts[k*c:(k+1)*c], above[both*c:(both+1)*c]
			block, total, g := blocks[sub*c:(sub+1)*c], byBlock[sub*c:(sub+1)*c], share[k*c:(k+1)*c]
			var last []float64
			if s == 0 && f.Last != nil {
				last = f.Last[bits.OnesCount(uint(sub))*c:][:c]
			}
			for a := range part {
				v := part[a] + block[a]
				if last != nil {
					v += last[a]
				}
				x := w * from[a]
				here[a] += x + all*v
				g[a] = below * (x + all*v/2)
				total[a] += g[a]
			}
			if last != nil {
				addProduct(second, last, g)
			}
		}
		for rest := others; rest > 0; { // as addAbove does
			i := bits.Len(uint(rest)) - 1
			rest &^= 1 << i
			size /= 2
			clear(sum)
			for k := range size {
				from, to := share[(size+k)*c:(size+k+1)*c], share[k*c:(k+1)*c]
				for a, v := range from {
					sum[a] += v
					to[a] += v
				}
			}
			addProduct(second, orders[i*c:(i+1)*c], sum)
		}
	}
	for b := 1; b < sets; b++ {
		addProduct(second, blocks[b*c:(b+1)*c], byBlock[b*c:(b+1)*c])
	}
	mean, covariance = slices.Clone(above[:c]), make([]float64, c*c)
	for a := range mean {
		mean[a] /= z
	}
	for a := range c {
		for b := range c {
			covariance[a*c+b] = second[a*c+b] + second[b*c+a] - mean[a]*mean[b]
		}
	}
	return mean, covariance, true
}

// ofBlocks are the statistics of each set of items as a block.
func (f *Statistics) ofBlocks(n int) []float64 {
	c := f.Count
	blocks := make([]float64, c<<n)
	for b := 1; b < 1<<n; b++ {
		first, rest := bits.TrailingZeros(uint(b)), b&(b-1)
		to := blocks[b*c : (b+1)*c]
		copy(to, blocks[rest*c:(rest+1)*c])
		for m := rest; m > 0; m &= m - 1 {
			at := (first*n + bits.TrailingZeros(uint(m))) * c
			for a, v := range f.Tied[at : at+c] {
				to[a] += v
			}
		}
	}
	if f.Blocks != nil {
		for b := 1; b < 1<<n; b++ {
			for a, v := range f.Blocks[bits.OnesCount(uint(b))*c:][:c] {
				blocks[b*c+a] += v
			}
		}
	}
	return blocks
}

// addProduct adds the outer product of two vectors.
func addProduct(to, x, y []float64) {
	for a, v := range x {
		if v == 0 {
			continue
		}
		vec.AddTimes(to[a*len(y):(a+1)*len(y)], y, v)
	}
}

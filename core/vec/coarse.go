package vec

import (
	"fmt"
	"math"
)

// Coarse is a matrix whose rows are rounded to 16 bits, packed for inner products of all rows with a vector, or with
// several at once, that is rounded too: half the memory of float32 and fewer instructions, for bounds. Every row and every
// vector is scaled to the same length, so that sums of products are below 2^31 by the inequality of Cauchy and Schwarz;
// they are integers and the same on every processor.
type Coarse struct {
	rows, k, pairs int
	base           []float32 // of every row, filled up to whole panels
	scale          []float32 // length of every row, over that of the rounded one
	data           []int16   // panel by panel, pair of elements by pair, sixteen rows
	longest        float64   // row
}

// coarseLength is the length of rounded rows and vectors.
const coarseLength = math.MaxInt16

// NewCoarse packs rows of k elements each, one after another, and the numbers beside them.
func NewCoarse(rows, base []float64, k int) *Coarse {
	n := len(base)
	if len(rows) != n*k {
		panic(fmt.Sprintf("vec: %d rows of %d elements asked for, there are %d elements", n, k, len(rows)))
	}
	panels, pairs := (n+panelRows-1)/panelRows, (k+1)/2
	c := &Coarse{rows: n, k: k, pairs: pairs, base: make([]float32, panels*panelRows), scale: make([]float32, panels*panelRows), data: make([]int16, panels*panelRows*2*pairs)}
	for i := range n {
		c.base[i] = float32(base[i])
		row := rows[i*k : (i+1)*k]
		length := math.Sqrt(Dot(row, row))
		c.longest, c.scale[i] = max(c.longest, length), float32(length/coarseLength)
		at := i/panelRows*panelRows*2*pairs + i%panelRows*2
		for j, v := range row {
			c.data[at+j/2*2*panelRows+j%2] = round(v, length)
		}
	}
	return c
}

// round is an element of a vector of some length, scaled and rounded.
func round(v, length float64) int16 {
	if !(length > 0) {
		return 0
	}
	return int16(math.Round(v / length * coarseLength))
}

// Stride is the number of places that the scores of one vector take.
func (c *Coarse) Stride() int { return len(c.base) }

// Vector appends a rounded vector, and returns its length over that of the rounded one too.
func (c *Coarse) Vector(to []int16, vector []float64) ([]int16, float32) {
	length := math.Sqrt(Dot(vector, vector))
	for _, v := range vector {
		to = append(to, round(v, length))
	}
	if c.k%2 == 1 {
		to = append(to, 0)
	}
	return to, float32(length / coarseLength)
}

// Error bounds the error of the scores for a vector of length 1 without their base. Rounding moves a row and a vector
// of length S by at most √k / 2 each, and so their product by √k S + k / 4; the rest is for float32.
func (c *Coarse) Error() float64 {
	k := float64(c.k)
	return c.longest * ((math.Sqrt(k)+k/4/coarseLength)/coarseLength + 0x1p-20)
}

// Scores writes base plus inner product for every row and each of some rounded vectors, which have the given scales.
// Those of vector v stand at out[v*apart:], with apart at least Stride(); the places behind the last row hold nothing of
// use.
func (c *Coarse) Scores(out []float32, vectors []int16, scales []float32, apart int) {
	if len(scales) == 0 || c.Stride() == 0 {
		return
	}
	if apart < c.Stride() || len(out) < (len(scales)-1)*apart+c.Stride() || len(vectors) != len(scales)*2*c.pairs {
		panic(fmt.Sprintf("vec: %d places, %d apart, for the scores of %d vectors of %d elements in all with %d rows", len(out), apart, len(scales), len(vectors), c.rows))
	}
	c.scores(out, vectors, scales, apart)
}

func (c *Coarse) scoresPlain(out []float32, vectors []int16, scales []float32, apart int) {
	for v, scale := range scales {
		vector := vectors[v*2*c.pairs : (v+1)*2*c.pairs]
		for at := range c.Stride() {
			row := c.data[at/panelRows*panelRows*2*c.pairs+at%panelRows*2:]
			var sum int32
			for j, x := range vector {
				sum += int32(x) * int32(row[j/2*2*panelRows+j%2])
			}
			out[v*apart+at] = c.base[at] + scale*c.scale[at]*float32(sum)
		}
	}
}

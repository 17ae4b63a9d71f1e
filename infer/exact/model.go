package exact

import (
	"fmt"
	"math"

	"fubini/core/partition"
)

// A Weigher is any model of ordered partitions: it gives the log weight of one,
// up to the constant log Z.
type Weigher interface {
	N() int
	LogWeight(x *partition.Partition) float64
}

// Pairwise is a model whose log weight is a sum over pairs of items: LogTie for
// a pair in one block, LogAbove(i, j) for i in a better block than j. Minus
// infinity forbids a relation.
type Pairwise interface {
	N() int
	LogTie(i, j int) float64 // called with i < j
	LogAbove(i, j int) float64
}

// A SizeWeigher has weights of blocks by their number of items, beside the ties of
// its pairs: every[s] for each block of s items, and for the last of them last[s] too.
// Larger blocks than a table has weigh nothing, as do all where it is empty.
type SizeWeigher interface {
	LogSizes() (every, last []float64)
}

// Moments are the exact pair probabilities of a model, and log Z.
type Moments struct {
	LogZ  float64
	n     int
	above []float64 // above[i*n+j] = P(i above j)
	tied  []float64 // tied[i*n+j] = P(i ~ j)
	sizes []float64 // sizes[s] = E(blocks of s items)
	last  []float64 // last[s] = P(the last block has s items)
}

func newMoments(n int) *Moments {
	return &Moments{n: n, above: make([]float64, n*n), tied: make([]float64, n*n), sizes: make([]float64, n+1), last: make([]float64, n+1)}
}

// N is the number of items.
func (m *Moments) N() int { return m.n }

// Above is the probability that item i stands above item j.
func (m *Moments) Above(i, j int) float64 { return m.above[i*m.n+j] }

// Tied is the probability that items i and j share a block; 0 for i = j.
func (m *Moments) Tied(i, j int) float64 { return m.tied[i*m.n+j] }

// Score is the expected mid-rank score of item i: items below plus half the tied.
func (m *Moments) Score(i int) float64 {
	var s float64
	for j := range m.n {
		s += m.Above(i, j) + m.Tied(i, j)/2
	}
	return s
}

// TiedPairs is the expected number of pairs that share a block.
func (m *Moments) TiedPairs() float64 {
	var c float64
	for i := range m.n {
		for j := range i {
			c += m.Tied(i, j)
		}
	}
	return c
}

// Blocks is the expected number of blocks of s items.
func (m *Moments) Blocks(s int) float64 { return m.sizes[s] }

// Last is the probability that the last block has s items.
func (m *Moments) Last(s int) float64 { return m.last[s] }

// checkPotential refuses what cannot be the logarithm of a potential.
func checkPotential(name string, value float64, items ...int) error {
	if math.IsNaN(value) || math.IsInf(value, 1) {
		return fmt.Errorf("exact: the %s potential of items %v is %g; it must be finite, or -Inf to forbid it", name, items, value)
	}
	return nil
}

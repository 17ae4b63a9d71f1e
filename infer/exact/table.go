package exact

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"fubini/core/partition"
)

// MaxItems is the largest number of items that a Table takes. Each item more
// triples the time; twenty take about half a minute.
const MaxItems = 20

// Table is the subset table of a model. For every set S of items, the table holds the total weight
// of all arrangements of the other items above S, their relations to S included. That of the empty
// set is Z. A Table serves one goroutine at a time.
//
// Potentials of a pair are divided by the largest of its three (and weights
// by block size by a constant per item), so that every weight is at most the
// number of partitions and can only underflow; when even Z comes near that, the whole table is kept in logarithms instead, at a
// tenth of the speed. See docs/maths.md#subset-table.
type Table struct {
	arithmetic
	n         int
	low, high int       // allowed numbers of blocks
	layered   bool      // outside has a layer for each number of blocks above
	shift     float64   // what the division took out of log Z
	gain      []float64 // gain[i*n+j]: log potential of i above j, divided
	block     []float64 // potential of each subset as a block, divided
	last      []float64 // log weight of the last block by its size, divided; nil for none

	outside [][]float64 // [layer][subset]
	weight  []float64   // scratch: weight of each block B directly above S
	term    []float64   // scratch: the same times what stands above B
	rank    []int       // scratch: the block of each item of a draw
}

// NewTable computes the table of a model over a space.
func NewTable(model Pairwise, space partition.Space) (*Table, error) {
	n := model.N()
	low, high, err := space.Bounds(n)
	if err != nil {
		return nil, fmt.Errorf("exact: %w", err)
	}
	t := &Table{arithmetic: scaled{}, n: n, low: low, high: high, layered: low > 1 || high < n}
	if n > MaxItems {
		memory, steps := size(math.Ldexp(8*float64(t.layers()+3), min(n, 60))), fmt.Sprintf("%.1e", math.Pow(3, float64(min(n, 60))))
		if n > 60 {
			memory, steps = fmt.Sprintf("2^%d numbers", n), fmt.Sprintf("3^%d", n)
		}
		return nil, fmt.Errorf("exact: %d items need %s of memory and %s steps; the limit is %d items, beyond it sample or anneal",
			n, memory, steps, MaxItems)
	}
	logBlock, err := t.load(model)
	if err != nil {
		return nil, err
	}
	t.weight = make([]float64, 1<<n)
	t.term = make([]float64, 1<<n)
	t.rank = make([]int, n)
	t.block = make([]float64, 1<<n)
	for b, phi := range logBlock {
		t.block[b] = math.Exp(phi)
	}
	t.fillOutside()
	if z := t.z(); !(z > 1e-250 && z < 1e250) {
		t.arithmetic, t.block = logs{}, logBlock
		t.fillOutside()
		if math.IsInf(t.z(), -1) {
			return nil, errNothingPossible
		}
	}
	return t, nil
}

func size(bytes float64) string {
	for _, unit := range []string{"B", "KiB", "MiB", "GiB"} {
		if bytes < 1024 {
			return fmt.Sprintf("%.0f %s", bytes, unit)
		}
		bytes /= 1024
	}
	return fmt.Sprintf("%.4g TiB", bytes)
}

func (t *Table) layers() int {
	if t.layered {
		return t.high + 1
	}
	return 1
}

// LogZ is the logarithm of the sum of all weights in the space.
func (t *Table) LogZ() float64 { return t.shift + t.log(t.z()) }

// z is the weight of everything, divided, in the table's own arithmetic.
func (t *Table) z() float64 {
	if !t.layered {
		return t.outside[0][0]
	}
	total := t.zero()
	for d := t.low; d <= t.high; d++ {
		total = t.add(total, t.outside[d][0])
	}
	return total
}

// load reads the potentials, divides each pair's by the largest of them, and
// returns the log potential of every subset as a block.
func (t *Table) load(model Pairwise) (logBlock []float64, err error) {
	n := t.n
	t.gain = make([]float64, n*n)
	logBlock = make([]float64, 1<<n)
	tie := make([]float64, n*n)
	for i := range n {
		for j := i + 1; j < n; j++ {
			up, down, level := model.LogAbove(i, j), model.LogAbove(j, i), model.LogTie(i, j)
			if err := cmp.Or(checkPotential("order", up, i, j), checkPotential("order", down, j, i), checkPotential("tie", level, i, j)); err != nil {
				return nil, err
			}
			most := math.Max(math.Max(up, down), level)
			if math.IsInf(most, -1) {
				return nil, errNothingPossible
			}
			t.gain[i*n+j], t.gain[j*n+i] = up-most, down-most
			tie[i*n+j] = level - most
			t.shift += most
		}
	}
	for b := 1; b < 1<<n; b++ { // the log weight of a block grows item by item
		first := bits.TrailingZeros(uint(b))
		rest := b & (b - 1)
		logBlock[b] = logBlock[rest]
		for m := rest; m > 0; m &= m - 1 {
			logBlock[b] += tie[first*n+bits.TrailingZeros(uint(m))]
		}
	}
	return logBlock, t.addSizes(model, logBlock)
}

// addSizes reads the weights of blocks by their sizes, of a model that has any. What the
// last block has beyond others is kept apart, and divided by the largest of them.
func (t *Table) addSizes(model Pairwise, logBlock []float64) error {
	sizer, can := model.(SizeWeigher)
	if !can {
		return nil
	}
	every, last := sizer.LogSizes()
	if len(every) == 0 && len(last) == 0 {
		return nil
	}
	for s, g := range slices.Concat(every, last) {
		if math.IsNaN(g) || math.IsInf(g, 0) {
			return fmt.Errorf("exact: number %d of the weights of blocks by size is %g; they must be finite", s, g)
		}
	}
	for b := 1; b < len(logBlock); b++ {
		if s := bits.OnesCount(uint(b)); s < len(every) {
			logBlock[b] += every[s]
		}
	}
	t.level(logBlock)
	t.last = make([]float64, t.n+1)
	copy(t.last, last)
	most := slices.Max(t.last[1:])
	for s := range t.last {
		t.last[s] -= most
	}
	t.shift += most
	return nil
}

// level takes a constant per item out of block potentials, which with weights by size
// have no bound of their own, so that none exceeds 1: as many items as there
// are go into the blocks of any partition.
func (t *Table) level(logBlock []float64) {
	most := math.Inf(-1)
	for b := 1; b < len(logBlock); b++ {
		most = math.Max(most, logBlock[b]/float64(bits.OnesCount(uint(b))))
	}
	if math.IsInf(most, -1) {
		return
	}
	for b := 1; b < len(logBlock); b++ {
		logBlock[b] -= most * float64(bits.OnesCount(uint(b)))
	}
	t.shift += most * float64(t.n)
}

package vec

import "fmt"

// AddRowsSingle is [AddRows] for numbers of four bytes.
func AddRowsSingle(to, rows, factors []float32) {
	if len(rows) != len(factors)*len(to) {
		panic(fmt.Sprintf("vec: %d rows of %d elements asked for, there are %d elements", len(factors), len(to), len(rows)))
	}
	addRowsSingle(to, rows, factors)
}

// addRowsSinglePlain adds the columns from a place on.
func addRowsSinglePlain(to, rows, factors []float32, from int) {
	n := len(to)
	if from == n {
		return
	}
	for r, f := range factors {
		row := rows[r*n : (r+1)*n]
		for i := from; i < n; i++ {
			to[i] += float32(f * row[i])
		}
	}
}

// AddRowsAtSingle is [AddRowsAt] for numbers of four bytes and rows that begin a stride apart, so that to may be some of their columns. It is
// fastest where to has a multiple of 40 elements.
func AddRowsAtSingle(to, rows []float32, stride int, at []uint32, factors []float32) {
	if len(factors) != len(at) {
		panic(fmt.Sprintf("vec: %d factors for %d rows", len(factors), len(at)))
	}
	for _, i := range at {
		_ = rows[int(i)*stride : int(i)*stride+len(to)]
	}
	addRowsAtSingle(to, rows, stride, at, factors)
}

// addRowsAtSinglePlain adds the columns from a place on.
func addRowsAtSinglePlain(to, rows []float32, stride int, at []uint32, factors []float32, from int) {
	if from == len(to) {
		return
	}
	for k, i := range at {
		row := rows[int(i)*stride : int(i)*stride+len(to)]
		for c := from; c < len(to); c++ {
			to[c] += float32(factors[k] * row[c])
		}
	}
}

// AddTimesSingle adds factor times from to to. Products and sums have eight bytes.
func AddTimesSingle(to []float64, from []float32, factor float64) {
	if len(from) != len(to) {
		panic(fmt.Sprintf("vec: %d elements added to %d", len(from), len(to)))
	}
	addTimesSingle(to, from, factor)
}

func addTimesSinglePlain(to []float64, from []float32, factor float64) {
	to = to[:len(from)]
	for i, v := range from {
		to[i] += float64(factor * float64(v))
	}
}

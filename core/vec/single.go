package vec

import (
	"fmt"
	"math"
)

// Tile is the number of columns of [AddTile].
const Tile = 64

// AddTile adds the product of two matrices of four-byte numbers to a third: to row r of to, of Tile columns and a stride apart, it adds the rows of
// the second matrix, each times a factor of row r of the first, in order. There are as many factors for each row as the second matrix has rows. Each
// product is added without being rounded before.
func AddTile(to []float32, stride int, factors, rows []float32) {
	count := len(rows) / Tile
	if count == 0 || len(factors) == 0 {
		return
	}
	high := len(factors) / count
	if len(rows) != count*Tile || len(factors) != high*count || stride < Tile || len(to) < (high-1)*stride+Tile {
		panic(fmt.Sprintf("vec: %d factors and %d elements in rows of %d, added to %d elements in rows %d apart", len(factors), len(rows), Tile, len(to), stride))
	}
	addTile(to, stride, factors, rows, count)
}

func addTilePlain(to []float32, stride int, factors, rows []float32, count int) {
	for r := range len(factors) / count {
		sums := to[r*stride : r*stride+Tile]
		for k, f := range factors[r*count : (r+1)*count] {
			for c, v := range rows[k*Tile : (k+1)*Tile] {
				sums[c] = fusedSingle(f, v, sums[c])
			}
		}
	}
}

// fusedSingle is x y + z, rounded once. The product has 48 bits, and is exact in eight bytes; a sum that is not is rounded to the neighbour whose last bit
// is one, so that rounding it to four bytes is that of the exact sum.
func fusedSingle(x, y, z float32) float32 {
	product, other := float64(x)*float64(y), float64(z)
	sum := product + other
	added := sum - product
	lost := (product - (sum - added)) + (other - added) // no number where the sum is infinite or none
	bits := math.Float64bits(sum)
	if bits&1 == 0 {
		switch {
		case lost > 0 == (sum > 0) && lost != 0 && lost == lost:
			bits++
		case lost < 0 || lost > 0:
			bits--
		}
	}
	return float32(math.Float64frombits(bits))
}

// AddRowsAtSingle is [AddRowsAt] for numbers of four bytes and rows that begin a stride apart, so that to may be some of their columns. It is
// fastest where to has a multiple of 80 elements.
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

package cholesky

import (
	"context"

	"fubini/core/parallel"
	"fubini/core/vec"
)

const (
	// pivots is the number of rows swept at a time, tile the number of columns updated at a time: 32 kB of
	// float64, which the first cache of a core holds.
	pivots, tile = 64, vec.Tile
	// rowsPerPiece is the number of rows that one goroutine updates before it takes more.
	rowsPerPiece = 32
)

// Invert replaces a symmetric positive definite n x n matrix A by its inverse. Only the lower triangle of A is read;
// the inverse is written to both. It is false, and A is spoiled, if A is not positive definite.
//
// Blocks of rows are swept one after another: sweeping block k with S the inverse of A_kk turns A_ij into
// A_ij - A_ik S A_kj, A_ik into A_ik S, and A_kk into -S; after all of them the matrix is minus the inverse. Every
// element is a sum in a fixed order, so that the result is the same for any number of jobs.
func Invert(a []float64, n, jobs int) bool {
	return invert(context.Background(), a, n, jobs, func(to []float64, stride int, factors, rows []float64) {
		count := len(rows) / tile
		for r := range len(factors) / count {
			vec.AddRows(to[r*stride:r*stride+tile], rows, factors[r*count:(r+1)*count])
		}
	})
}

// InvertSingle is [Invert] for numbers of four bytes, in a third of the time. Errors are about the condition number times 6e-8 of the largest
// elements. It is false also if the context has ended before one of the blocks.
func InvertSingle(ctx context.Context, a []float32, n, jobs int) bool {
	return invert(ctx, a, n, jobs, vec.AddTile)
}

type number interface{ float32 | float64 }

func invert[T number](ctx context.Context, a []T, n, jobs int, addTile func(to []T, stride int, factors, rows []T)) bool {
	s := sweep[T]{a: a, n: n, jobs: jobs, addTile: addTile}
	tiles := (n + tile - 1) / tile
	s.panel, s.product = make([]T, tiles*tile*pivots), make([]T, tiles*tile*pivots)
	for from := 0; from < n; from += pivots {
		if ctx.Err() != nil || !s.block(from, min(from+pivots, n)) {
			return false
		}
	}
	for k := range a {
		a[k] = -a[k]
	}
	for first := 0; first < n; first += tile { // tile by tile, because the other triangle is written across the rows
		for left := 0; left <= first; left += tile {
			for r := first; r < min(first+tile, n); r++ {
				for c, v := range a[r*n+left : r*n+min(left+tile, r)] {
					a[(left+c)*n+r] = v
				}
			}
		}
	}
	return true
}

// sweep is the state of invert.
type sweep[T number] struct {
	a       []T
	n, jobs int
	addTile func(to []T, stride int, factors, rows []T)
	// The rows of the block and S times them, tile by tile of columns, each tile row by row; the last is filled up with zeros.
	panel, product []T
}

// block sweeps the rows from and below to.
func (s *sweep[T]) block(from, to int) bool {
	rows, n, a := to-from, s.n, s.a
	inverse := s.inverse(from, to)
	if inverse == nil {
		return false
	}
	parallel.Do((n+tile-1)/tile, s.jobs, func(_, t int) {
		first, end := t*tile, min((t+1)*tile, n)
		panel, product := s.at(s.panel, t, rows), s.at(s.product, t, rows)
		for c := first; c < end; c++ {
			for r := range min(rows, max(0, c-from)) { // in the order of memory
				panel[r*tile+c-first] = a[c*n+from+r]
			}
		}
		for r := max(0, first-from); r < rows; r++ { // columns up to the diagonal
			copy(panel[r*tile:(r+1)*tile], a[(from+r)*n+first:(from+r)*n+min(end, from+r+1)])
		}
		clear(product)
		s.addTile(product, tile, inverse, panel)
	})
	parallel.Do((n+rowsPerPiece-1)/rowsPerPiece, s.jobs, func(_, piece int) {
		s.update(from, to, piece*rowsPerPiece, min((piece+1)*rowsPerPiece, n))
	})
	for r := range rows {
		for t := 0; t*tile < from; t++ {
			copy(a[(from+r)*n+t*tile:(from+r)*n+from], s.at(s.product, t, rows)[r*tile:(r+1)*tile])
		}
		for c := range r + 1 {
			a[(from+r)*n+from+c] = -inverse[r*rows+c]
		}
	}
	return true
}

// update sweeps the block out of some rows, but for those of the block, which are all of these rows or none.
func (s *sweep[T]) update(from, to, first, end int) {
	if first >= from && first < to {
		return
	}
	rows, n := to-from, s.n
	factors := make([]T, (end-first)*rows)
	for i := first; i < end; i++ {
		column := s.at(s.panel, i/tile, rows)[i%tile:]
		for r := range rows {
			factors[(i-first)*rows+r] = -column[r*tile]
		}
	}
	for t := 0; t*tile < end; t++ { // what this writes above the diagonal is not read
		s.add(first, end, t, factors, rows)
	}
	for i := max(first, to); i < end; i++ {
		column := s.at(s.product, i/tile, rows)[i%tile:]
		for r := range rows {
			s.a[i*n+from+r] = column[r*tile]
		}
	}
}

// add adds the products of factors with a tile to the rows of the matrix from first on.
func (s *sweep[T]) add(first, end, t int, factors []T, rows int) {
	n, left := s.n, t*tile
	product := s.at(s.product, t, rows)
	if left+tile <= n {
		s.addTile(s.a[first*n+left:], n, factors, product)
		return
	}
	room := make([]T, (end-first)*tile) // the last tile is narrower
	for r := range end - first {
		copy(room[r*tile:(r+1)*tile], s.a[(first+r)*n+left:(first+r+1)*n])
	}
	s.addTile(room, tile, factors, product)
	for r := range end - first {
		copy(s.a[(first+r)*n+left:(first+r+1)*n], room[r*tile:])
	}
}

// at is tile t of the panel or of the product.
func (s *sweep[T]) at(of []T, t, rows int) []T {
	return of[t*tile*pivots : t*tile*pivots+rows*tile]
}

// inverse returns the inverse of a block on the diagonal, computed with eight bytes a number, nil if that is not positive definite.
func (s *sweep[T]) inverse(from, to int) []T {
	rows := to - from
	factor, row, inverse := make([]float64, rows*rows), make([]float64, rows), make([]T, rows*rows)
	for r := range rows {
		for c := range r + 1 {
			factor[r*rows+c] = float64(s.a[(from+r)*s.n+from+c])
		}
	}
	if !Factorise(factor, rows) {
		return nil
	}
	for r := range rows {
		clear(row)
		row[r] = 1
		SolveLower(factor, row)
		SolveUpper(factor, row)
		for c, v := range row {
			inverse[r*rows+c] = T(v)
		}
	}
	return inverse
}

package cholesky

import (
	"context"

	"fubini/core/parallel"
	"fubini/core/vec"
)

const (
	// pivots is the number of rows swept at a time, tile the number of columns updated at a time: 32 kB of
	// float64, which the first cache of a core holds.
	pivots, tile = 64, 64
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
	return invert(context.Background(), a, n, jobs, vec.AddRows)
}

// InvertSingle is [Invert] for numbers of four bytes, in half the time. Errors are about the condition number times 6e-8 of the largest
// elements. It is false also if the context has ended before one of the blocks.
func InvertSingle(ctx context.Context, a []float32, n, jobs int) bool {
	return invert(ctx, a, n, jobs, vec.AddRowsSingle)
}

type number interface{ float32 | float64 }

func invert[T number](ctx context.Context, a []T, n, jobs int, addRows func(to, rows, factors []T)) bool {
	s := sweep[T]{a: a, n: n, jobs: jobs, addRows: addRows}
	tiles := (n + tile - 1) / tile
	s.panel, s.product = make([]T, tiles*tile*pivots), make([]T, tiles*tile*pivots)
	for from := 0; from < n; from += pivots {
		if ctx.Err() != nil || !s.block(from, min(from+pivots, n)) {
			return false
		}
	}
	for r := range n {
		for c := range r {
			a[r*n+c] = -a[r*n+c]
			a[c*n+r] = a[r*n+c]
		}
		a[r*n+r] = -a[r*n+r]
	}
	return true
}

// sweep is the state of invert.
type sweep[T number] struct {
	a       []T
	n, jobs int
	addRows func(to, rows, factors []T)
	// The rows of the block and S times them, tile by tile of columns, each tile row by row.
	panel, product []T
}

// columns returns the first column of a tile and the one behind its last.
func (s *sweep[T]) columns(t int) (first, end int) { return t * tile, min((t+1)*tile, s.n) }

// block sweeps the rows from and below to.
func (s *sweep[T]) block(from, to int) bool {
	rows, n, a := to-from, s.n, s.a
	inverse := s.inverse(from, to)
	if inverse == nil {
		return false
	}
	parallel.Do((n+tile-1)/tile, s.jobs, func(_, t int) {
		first, end := s.columns(t)
		wide := end - first
		panel, product := s.at(s.panel, t, rows), s.at(s.product, t, rows)
		for c := first; c < end; c++ {
			for r := range min(rows, max(0, c-from)) { // in the order of memory
				panel[r*wide+c-first] = a[c*n+from+r]
			}
		}
		for r := max(0, first-from); r < rows; r++ { // columns up to the diagonal
			copy(panel[r*wide:(r+1)*wide], a[(from+r)*n+first:(from+r)*n+min(end, from+r+1)])
		}
		clear(product)
		for r := range rows {
			s.addRows(product[r*wide:(r+1)*wide], panel, inverse[r*rows:(r+1)*rows])
		}
	})
	parallel.Do((n+rowsPerPiece-1)/rowsPerPiece, s.jobs, func(_, piece int) {
		s.update(from, to, piece*rowsPerPiece, min((piece+1)*rowsPerPiece, n))
	})
	for r := range rows {
		for c := range from {
			a[(from+r)*n+c] = s.element(s.product, rows, r, c)
		}
		for c := range r + 1 {
			a[(from+r)*n+from+c] = -inverse[r*rows+c]
		}
	}
	return true
}

// update sweeps the block out of some rows, but for those of the block.
func (s *sweep[T]) update(from, to, first, end int) {
	rows, n := to-from, s.n
	factors := make([]T, (end-first)*rows)
	for i := first; i < end; i++ {
		for r := range rows {
			factors[(i-first)*rows+r] = -s.element(s.panel, rows, r, i)
		}
	}
	for t := 0; t*tile < end; t++ {
		left, right := s.columns(t)
		product := s.at(s.product, t, rows)
		for i := max(first, left); i < end; i++ { // what this writes above the diagonal is not read
			if i < from || i >= to {
				s.addRows(s.a[i*n+left:i*n+right], product, factors[(i-first)*rows:(i-first+1)*rows])
			}
		}
	}
	for i := max(first, to); i < end; i++ {
		for r := range rows {
			s.a[i*n+from+r] = s.element(s.product, rows, r, i)
		}
	}
}

// at is tile t of the panel or of the product.
func (s *sweep[T]) at(of []T, t, rows int) []T {
	first, end := s.columns(t)
	return of[t*tile*pivots : t*tile*pivots+rows*(end-first)]
}

// element is the element of a row and column of the panel or of the product.
func (s *sweep[T]) element(of []T, rows, row, column int) T {
	t := column / tile
	first, end := s.columns(t)
	return s.at(of, t, rows)[row*(end-first)+column-first]
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

package interest

import (
	"context"
	"slices"

	"fubini/core/cholesky"
	"fubini/core/parallel"
	"fubini/core/vec"
)

// sparse is a list, or a part of one: inputs by place, and their weights.
type sparse struct {
	places  []uint32
	weights []float32
}

// list has the inputs of a person's list.
func (l *lists) list(u int) sparse {
	from, to := l.start[u], l.start[u+1]
	return sparse{l.places[from:to], l.values[from:to]}
}

// times returns P times each of some lists, one after the other in memory. A piece of the columns of P is copied, so that it stays in a core's second cache, and used for all
// of the lists before the next. If the context ends, products are incomplete.
func (l *lists) times(ctx context.Context, p []float32, of []sparse, jobs int) [][]float32 {
	var all []float32
	return l.timesInto(ctx, p, of, &all, jobs)
}

// timesInto is times in memory that is used again by the next call with it.
func (l *lists) timesInto(ctx context.Context, p []float32, of []sparse, all *[]float32, jobs int) [][]float32 {
	n := len(l.inputs)
	pieces, products := (n+tile-1)/tile, make([][]float32, len(of))
	if cap(*all) < n*len(of) {
		*all = make([]float32, n*len(of))
	}
	for k := range of {
		products[k] = (*all)[:cap(*all)][k*n : (k+1)*n]
	}
	copies := make([][]float32, parallel.Size(pieces, jobs))
	parallel.Until(ctx, pieces, jobs, func(worker, piece int) {
		if copies[worker] == nil {
			copies[worker] = make([]float32, n*tile)
		}
		columns, from, to := copies[worker], piece*tile, min((piece+1)*tile, n)
		for k := range n {
			copy(columns[k*tile:], p[k*n+from:k*n+to])
		}
		for k, list := range of {
			clear(products[k][from:to])
			vec.AddRowsAtSingle(products[k][from:to], columns, tile, list.places, list.weights)
		}
	})
	return products
}

// joined are some products that stand one after the other in memory, as one slice.
func joined(products [][]float32) []float32 {
	return products[0][:len(products)*len(products[0])]
}

// absent is the regressions without one person. Let the columns of X be the periods of their list x, w its weight, and C what two placements count
// for by their periods: the list adds w X C Xᵀ to the counts. With w C = L Lᵀ, V = P X and I - Lᵀ Xᵀ V L = R Rᵀ, leaving it
// out turns P into P + U Uᵀ for U = V L R⁻ᵀ (Woodbury), which is exact but for κ diag(G), which is kept as it was. With one
// period, as where there are no times, U is V times a number (Sherman and Morrison).
type absent struct {
	l        *lists
	whole    []float32 // P x
	u        []float32 // the columns of U, one after the other
	all      []uint32  // their numbers
	diagonal []float32 // of P + U Uᵀ
	along    []float32 // room
	sum      []float32 // room for whole
}

// absent leaves out person u, of the periods of whose list the products with P are given, one after the other. It is in a room until the next one.
func (l *lists) absent(u int, pieces []sparse, v []float32, space *room) *absent {
	n, k, a := len(l.inputs), len(pieces), &space.absent
	a.l, a.whole, a.all = l, v, a.all[:0]
	a.u, a.diagonal, a.along = sized(a.u, k*n), sized(a.diagonal, n), sized(a.along, k)
	for c := range k {
		a.all, a.along[c] = append(a.all, uint32(c)), 1
	}
	if k > 1 {
		a.sum = sized(a.sum, n)
		a.whole = a.sum
		clear(a.whole)
		vec.AddRowsAtSingle(a.whole, v, n, a.all, a.along)
	}
	factor, own := l.factor(u, pieces, v), make([]float32, k*k)
	for j, d := range l.diagonal {
		a.diagonal[j] = float32(d)
	}
	for c := range k {
		for r := range k {
			own[c*k+r] = float32(factor[r*k+c])
		}
	}
	const tile = 2 * tile // elements of the columns of V, which stay in a core's first cache
	for from := 0; from < n; from += tile {
		to := min(from+tile, n)
		for c := range k {
			column := a.u[c*n+from : c*n+to]
			clear(column)
			vec.AddRowsAtSingle(column, v[from:], n, a.all, own[c*k:(c+1)*k])
			diagonal := a.diagonal[from:to]
			for j, x := range column {
				diagonal[j] += float32(x * x)
			}
		}
	}
	return a
}

// sized returns a slice of n elements, of no meaning, in the memory of an old one if that is large enough.
func sized[E any](old []E, n int) []E { return slices.Grow(old[:0], n)[:n] }

// factor is L R⁻ᵀ, row by row.
func (l *lists) factor(u int, pieces []sparse, v []float32) []float64 {
	n, k := len(l.inputs), len(pieces)
	low, inner, factor := make([]float64, k*k), make([]float64, k*k), make([]float64, k*k)
	for r := range k {
		for c := range k {
			low[r*k+c] = l.weight[u] * l.counts(r-c)
			inner[r*k+c] = along(v[c*n:(c+1)*n], pieces[r]) // Xᵀ V
		}
	}
	low = lower(low, k, l.weight[u]*l.counts(0))
	for r := range k {
		clear(low[r*k+r+1 : (r+1)*k])
	}
	inner = product(transposed(low, k), product(inner, low, k), k)
	for r := range k {
		for c := range k {
			inner[r*k+c] = -inner[r*k+c]
		}
		inner[r*k+r]++
	}
	remainder := lower(inner, k, 1) // P has four bytes a number
	for r := range k {              // row r of L R⁻ᵀ is R⁻¹ times row r of L
		copy(factor[r*k:(r+1)*k], low[r*k:(r+1)*k])
		cholesky.SolveLower(remainder, factor[r*k:(r+1)*k])
	}
	return factor
}

// lower is the Cholesky factor of a k x k matrix that is positive definite but for rounding, in its lower triangle. Where rounding is too much, the diagonal is raised: by a
// millionth of a size that is about that of its numbers, and by more until it is enough.
func lower(a []float64, k int, size float64) []float64 {
	low := slices.Clone(a)
	for more := 1e-6; !cholesky.Factorise(low, k); more *= 4 {
		cholesky.Must(more < 1)
		copy(low, a)
		for r := range k {
			low[r*k+r] += float64(more * size)
		}
	}
	return low
}

// product is that of two k x k matrices.
func product(a, b []float64, k int) []float64 {
	out := make([]float64, k*k)
	for r := range k {
		for i, x := range a[r*k : (r+1)*k] {
			for c, y := range b[i*k : (i+1)*k] {
				out[r*k+c] += float64(x * y)
			}
		}
	}
	return out
}

func transposed(a []float64, k int) []float64 {
	out := make([]float64, k*k)
	for r := range k {
		for c := range k {
			out[c*k+r] = a[r*k+c]
		}
	}
	return out
}

// along is the product of v with a list.
func along(v []float32, list sparse) (sum float64) {
	for k, place := range list.places {
		sum += float64(float64(list.weights[k]) * float64(v[place]))
	}
	return sum
}

// part is near for a part of the list. Its product with P, or that of the rest if it hides less than it gives, is given, and changed.
func (a *absent) part(p part, product []float32, scores []float64) {
	if p.hides {
		for k, v := range product {
			product[k] = a.whole[k] - v
		}
	}
	a.near(p.inputs, product, scores)
}

// near writes the scores of the inputs for a part of the person's list, in which no item predicts itself: with z = P' x
// for the changed P', x_j - z_j / P'_jj. The product z of P with the part is given, and changed. Scores are by number of item; those of other items
// are left as they are.
func (a *absent) near(part sparse, z []float32, scores []float64) {
	n := len(z)
	for c := range a.along {
		a.along[c] = float32(along(a.u[c*n:(c+1)*n], part))
	}
	vec.AddRowsAtSingle(z, a.u, n, a.all, a.along)
	for k, j := range a.l.inputs {
		scores[j] = -float64(z[k]) / float64(a.diagonal[k])
	}
	for k, place := range part.places {
		scores[a.l.inputs[place]] += float64(part.weights[k])
	}
}

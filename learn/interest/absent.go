package interest

import (
	"context"

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

// times returns P times each of some lists. A piece of the columns of P is copied, so that it stays in a core's second cache, and used for all
// of the lists before the next. If the context ends, products are incomplete.
func (l *lists) times(ctx context.Context, p []float32, of []sparse, jobs int) [][]float32 {
	const tile = 80 // columns
	n := len(l.inputs)
	pieces, products := (n+tile-1)/tile, make([][]float32, len(of))
	for k := range of {
		products[k] = make([]float32, n)
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
			vec.AddRowsAtSingle(products[k][from:to], columns, tile, list.places, list.weights)
		}
	})
	return products
}

// absent is the regressions without one person. With v = P x for their list x of weight w, and h = w x·v, leaving out
// the list turns P into P + w v vᵀ / (1 - h) (Sherman and Morrison), which is exact but for κ diag(G), which is kept as
// it was.
type absent struct {
	l      *lists
	v      []float32
	change float64 // w / (1 - h)
}

// absent leaves out person u, of whose list the product with P is given.
func (l *lists) absent(u int, v []float32) *absent {
	a := &absent{l: l, v: v}
	a.change = l.weight[u] / (1 - l.weight[u]*a.along(l.list(u)))
	return a
}

// along is the product of v with a list.
func (a *absent) along(list sparse) (sum float64) {
	for k, place := range list.places {
		sum += float64(float64(list.weights[k]) * float64(a.v[place]))
	}
	return sum
}

// part is near for a part of the list. Its product with P, or that of the rest if it hides less than it gives, is given, and changed.
func (a *absent) part(p part, product []float32, scores []float64) {
	if p.hides {
		for k, v := range product {
			product[k] = a.v[k] - v
		}
	}
	a.near(p.inputs, product, scores)
}

// near writes the scores of the inputs for a part of the person's list, in which no item predicts itself: with z = P' x
// for the changed P', x_j - z_j / P'_jj. The product z of P with the part is given. Scores are by number of item; those of other items
// are left as they are.
func (a *absent) near(part sparse, z []float32, scores []float64) {
	along := a.change * a.along(part)
	for k, j := range a.l.inputs {
		v := float64(a.v[k])
		scores[j] = -(float64(z[k]) + float64(along*v)) / (a.l.diagonal[k] + float64(a.change*v*v))
	}
	for k, place := range part.places {
		scores[a.l.inputs[place]] += float64(part.weights[k])
	}
}

package rival

import "math"

// cofiWorker solves one user's part of a [CoFiRank]; each goroutine has its own.
type cofiWorker struct {
	model *cofiModel
	loss  listLoss // nil for the squared loss

	bundle    bundle
	curvature []float64
	rows      []int
	values    []float64
	known     []cofiRating
	folded    []float64

	scores, slope []float64 // of a list
	first, second []float64
	factors       []float64 // of its items, one after the other
	cofiRidge     cofiRidge
}

// cofiRating is a rating of the item in a row.
type cofiRating struct {
	row   int
	value float64
}

func newCoFiWorker(m *cofiModel) *cofiWorker {
	return &cofiWorker{model: m, loss: m.listLoss(), curvature: make([]float64, m.Hidden)}
}

// cofiLimits stop the bundles of a loss, for items and for a user. What factors
// add is a few hundredths of the objective, so that bounds have to be close: at the
// 2 % of the authors' program, rounds stand still too early. The loss of the NDCG
// takes longest, and gains least from being closer.
var cofiLimits = [...]struct{ items, user bundleLimits }{
	CoFiOrdinal: {bundleLimits{3e-4, 150}, bundleLimits{3e-4, 60}},
	CoFiNDCG:    {bundleLimits{1e-3, 100}, bundleLimits{1e-3, 60}},
}

func (w *cofiWorker) room(n int) {
	if len(w.scores) < n {
		w.scores, w.slope = make([]float64, n), make([]float64, n)
		w.first, w.second = make([]float64, n), make([]float64, n)
	}
}

// fit improves the vector of a user who rated the items in these rows, best
// first, and returns the objective: loss and prior.
func (w *cofiWorker) fit(rows []int, values, first, second, user []float64) float64 {
	m := w.model
	if m.loss == CoFiSquared {
		return w.fitRidge(rows, values, user)
	}
	n, hidden := len(rows), m.Hidden
	w.room(n)
	w.factors = w.factors[:0]
	for _, row := range rows {
		w.factors = append(w.factors, m.item[row*m.stride():][:hidden]...)
	}
	for k := range w.curvature {
		w.curvature[k] = m.Lambda
	}
	loss := func(at, slope []float64) float64 {
		for j, row := range rows {
			w.scores[j] = m.item[row*m.stride()+hidden] + product(at, w.factors[j*hidden:])
		}
		value := w.loss.measure(w.scores[:n], first, second, w.slope[:n])
		clear(slope)
		for j, s := range w.slope[:n] {
			for k, x := range w.factors[j*hidden:][:hidden] {
				slope[k] += s * x
			}
		}
		return value
	}
	limits := cofiLimits[m.loss].user
	w.bundle.reset(w.curvature, limits.looks)
	objective, _ := w.bundle.minimise(user[:hidden], loss, limits)
	return objective
}

// fitRidge solves for factors and offset of a user under the squared loss.
func (w *cofiWorker) fitRidge(rows []int, values, user []float64) float64 {
	m := w.model
	hidden := m.Hidden
	prior := m.userPrior(len(rows))
	w.cofiRidge.reset(hidden + 1)
	for j, row := range rows {
		item := m.item[row*m.stride():][:m.stride()]
		w.cofiRidge.add(item[:hidden], values[j]-m.Mean-item[hidden])
	}
	w.cofiRidge.solve(prior, m.Offset, user)
	objective := 0.5*prior*product(user[:hidden], user) + 0.5*m.Offset*user[hidden]*user[hidden]
	for j, row := range rows {
		item := m.item[row*m.stride():][:m.stride()]
		miss := values[j] - m.Mean - item[hidden] - user[hidden] - product(user[:hidden], item)
		objective += 0.5 * miss * miss
	}
	return objective
}

// userPrior is that on the factors of a user with so many ratings. Lists count
// the same whatever their length, but for the squared loss.
func (m *cofiModel) userPrior(ratings int) float64 {
	if m.loss != CoFiSquared {
		return m.Lambda
	}
	return m.Lambda * math.Pow(float64(ratings)/m.Usual, m.Adapt)
}

// cofiRidge is a linear regression on some features and a constant.
type cofiRidge struct {
	size   int
	matrix []float64 // lower triangle, row by row
	right  []float64
}

func (r *cofiRidge) reset(size int) {
	if len(r.right) != size {
		r.size, r.matrix, r.right = size, make([]float64, size*size), make([]float64, size)
	}
	clear(r.matrix)
	clear(r.right)
}

// add counts an observation in; the constant comes last.
func (r *cofiRidge) add(features []float64, target float64) {
	for a, x := range features {
		row := r.matrix[a*r.size:][:a+1]
		for b := range row {
			row[b] += x * features[b]
		}
		r.right[a] += x * target
	}
	last := r.matrix[(r.size-1)*r.size:][:r.size]
	for b, x := range features {
		last[b] += x
	}
	last[r.size-1]++
	r.right[r.size-1] += target
}

// solve writes the minimum under a prior on coefficients and one on the constant.
// The matrix becomes its Cholesky factor.
func (r *cofiRidge) solve(prior, constant float64, out []float64) {
	n := r.size
	for a := range n {
		row := r.matrix[a*n:][:n]
		if a < n-1 {
			row[a] += prior
		} else {
			row[a] += constant
		}
		for b := range a + 1 {
			other := r.matrix[b*n:][:n]
			v := row[b] - product(row[:b], other)
			if b < a {
				row[b] = v / other[b]
			} else {
				row[a] = math.Sqrt(v)
			}
		}
	}
	for a := range n {
		row := r.matrix[a*n:][:n]
		out[a] = (r.right[a] - product(row[:a], out)) / row[a]
	}
	for a := n - 1; a >= 0; a-- {
		for b := a + 1; b < n; b++ {
			out[a] -= r.matrix[b*n+a] * out[b]
		}
		out[a] /= r.matrix[a*n+a]
	}
}

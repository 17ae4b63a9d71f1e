package cofirank

import (
	"math"

	"fubini/core/cholesky"
	"fubini/model/baseline/fitting"
)

// cofiWorker solves one user's part of a [Recipe]; each goroutine has its own.
type worker struct {
	model *fitted
	loss  listLoss // nil for the squared loss

	bundle    bundle
	curvature []float64
	rows      []int
	values    []float64
	known     []rating
	folded    []float64

	scores, slope []float64 // of a list
	first, second []float64
	factors       []float64 // of its items, one after the other
	regression    regression
}

// cofiRating is a rating of the item in a row.
type rating struct {
	row   int
	value float64
}

func newWorker(m *fitted) *worker {
	return &worker{model: m, loss: m.listLoss(), curvature: make([]float64, m.Hidden)}
}

// cofiLimits stop the bundles of a loss, for items and for a user. What factors add is a few hundredths of the
// objective, so that bounds have to be close: at the 2 % of the authors' program, rounds stand still too early.
var limitsOf = [...]struct{ items, user bundleLimits }{
	Ordinal: {bundleLimits{3e-4, 150}, bundleLimits{3e-4, 60}},
	NDCG:    {bundleLimits{3e-4, 100}, bundleLimits{3e-4, 60}},
}

func (w *worker) room(n int) {
	if len(w.scores) < n {
		w.scores, w.slope = make([]float64, n), make([]float64, n)
		w.first, w.second = make([]float64, n), make([]float64, n)
	}
}

// fit improves the vector of a user who rated the items in these rows, best first, and returns the objective: loss and
// prior.
func (w *worker) fit(rows []int, values, first, second, user []float64) float64 {
	m := w.model
	if m.loss == Squared {
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
			w.scores[j] = m.item[row*m.stride()+hidden] + fitting.Dot(at, w.factors[j*hidden:])
		}
		value := w.loss.measure(w.scores[:n], first, second, w.slope[:n])
		clear(slope)
		for j, s := range w.slope[:n] {
			fitting.Add(slope, s, w.factors[j*hidden:])
		}
		return value
	}
	limits := limitsOf[m.loss].user
	w.bundle.reset(w.curvature, limits.looks)
	objective, _ := w.bundle.minimise(user[:hidden], loss, limits)
	return objective
}

// fitRidge solves for factors and offset of a user under the squared loss.
func (w *worker) fitRidge(rows []int, values, user []float64) float64 {
	m := w.model
	hidden := m.Hidden
	prior := m.userPrior(len(rows))
	w.regression.reset(hidden + 1)
	for j, row := range rows {
		item := m.item[row*m.stride():][:m.stride()]
		w.regression.count(item[:hidden], values[j]-m.Mean-item[hidden])
	}
	w.regression.solve(prior, m.Offset, user)
	objective := 0.5*prior*fitting.Dot(user[:hidden], user) + 0.5*m.Offset*user[hidden]*user[hidden]
	for j, row := range rows {
		item := m.item[row*m.stride():][:m.stride()]
		miss := values[j] - m.Mean - item[hidden] - user[hidden] - fitting.Dot(user[:hidden], item)
		objective += 0.5 * miss * miss
	}
	return objective
}

// userPrior is that on the factors of a user with so many ratings. It grows with them under the squared loss only.
func (m *fitted) userPrior(ratings int) float64 {
	if m.loss != Squared {
		return m.Lambda
	}
	return m.Lambda * math.Pow(float64(ratings)/m.Usual, m.Adapt)
}

// regression is one on some features and a constant, with priors.
type regression struct {
	matrix []float64 // normal equations, lower triangle
	right  []float64
}

func (r *regression) reset(size int) {
	r.matrix, r.right = fitting.Resize(r.matrix, size*size), fitting.Resize(r.right, size)
	clear(r.matrix)
	clear(r.right)
}

// count takes in an observation; the constant comes last.
func (r *regression) count(features []float64, target float64) {
	size := len(r.right)
	for a, x := range features {
		fitting.Add(r.matrix[a*size:][:a+1], x, features)
		r.right[a] += x * target
	}
	last := r.matrix[(size-1)*size:][:size]
	fitting.Add(last[:size-1], 1, features)
	last[size-1]++
	r.right[size-1] += target
}

// solve writes the minimum under a prior on coefficients and one on the constant.
func (r *regression) solve(prior, constant float64, out []float64) {
	size := len(r.right)
	for a := range size - 1 {
		r.matrix[a*size+a] += prior
	}
	r.matrix[size*size-1] += constant
	copy(out, r.right)
	if !cholesky.Solve(r.matrix, out) { // only numbers that are not finite bring us here
		out[0] = math.NaN()
	}
}

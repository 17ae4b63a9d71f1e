package cofirank

import (
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/model/baseline/fitting"
)

// list has the ratings of one user, the best first.
type list struct {
	rows    []int     // of the items
	values  []float64 // of the ratings
	ratings []float64 // the different values, the worst first
	levels  []int     // of values among them
	ordered bool      // two ratings differ
	slope   []float64 // of the loss, by the scores
	loss    float64

	costs          float64   // ordinal loss: sum over the pairs
	gains, targets []float64 // NDCG loss: shares of the ideal DCG, and c̄
	worst          answer    // NDCG loss: of the last look
}

// prepare readies a list for a loss, which is nil for squared errors.
func (l *list) prepare(loss listLoss) {
	n := len(l.values)
	if l.slope == nil {
		l.slope = make([]float64, n)
	}
	if loss == nil {
		return
	}
	l.levels = make([]int, n)
	for j, v := range slices.Backward(l.values) {
		if j == n-1 || v != l.values[j+1] {
			l.ratings = append(l.ratings, v)
		}
		l.levels[j] = len(l.ratings) - 1
	}
	l.ordered = len(l.ratings) > 1 && loss.prepare(l)
}

// worker fits one user at a time; each goroutine has its own.
type worker struct {
	model      *fitted
	loss       listLoss // nil for the squared loss
	bundle     bundle
	curvature  []float64
	scores     []float64
	factors    []float64 // of the items of a list, one after the other
	regression regression
}

func newWorker(m *fitted) *worker {
	return &worker{model: m, loss: m.listLoss(), curvature: make([]float64, m.Hidden)}
}

// limitsOf stop the bundles of a loss, for items and for a user. Factors change a few hundredths of the objective, so
// that bounds have to be close: at the 2 % of the authors' program, rounds end too early.
var limitsOf = [...]struct{ items, user bundleLimits }{
	Ordinal: {bundleLimits{3e-4, 150}, bundleLimits{3e-4, 60}},
	NDCG:    {bundleLimits{3e-4, 100}, bundleLimits{3e-4, 60}},
}

// fit improves the vector of the user of a list and returns the objective: loss and prior.
func (w *worker) fit(l *list, user []float64) float64 {
	m := w.model
	switch {
	case m.loss == Squared:
		return w.fitRidge(l, user)
	case !l.ordered:
		return 0
	}
	hidden := m.Hidden
	w.scores = fitting.Resize(w.scores, len(l.rows))
	w.factors = w.factors[:0]
	for _, row := range l.rows {
		w.factors = append(w.factors, m.itemVector(row)[:hidden]...)
	}
	for k := range w.curvature {
		w.curvature[k] = m.Lambda
	}
	loss := func(at, slope []float64) float64 {
		for j, row := range l.rows {
			w.scores[j] = m.itemVector(row)[hidden] + fitting.Dot(at, w.factors[j*hidden:])
		}
		value := w.loss.measure(l, w.scores)
		clear(slope)
		for j, s := range l.slope {
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
func (w *worker) fitRidge(l *list, user []float64) float64 {
	m := w.model
	hidden, prior := m.Hidden, m.userPrior(len(l.rows))
	w.regression.reset(hidden + 1)
	for j, row := range l.rows {
		w.explain(l.values[j], m.itemVector(row))
	}
	w.regression.solve(prior, m.Offset, user)
	objective := 0.5*prior*fitting.Dot(user[:hidden], user) + 0.5*m.Offset*user[hidden]*user[hidden]
	for j, row := range l.rows {
		item := m.itemVector(row)
		miss := l.values[j] - m.Mean - item[hidden] - user[hidden] - fitting.Dot(user[:hidden], item)
		objective += 0.5 * miss * miss
	}
	return objective
}

// explain adds to the regression that a rating is to be explained by the factors at its other end.
func (w *worker) explain(rating float64, other []float64) {
	hidden := w.model.Hidden
	w.regression.add(other[:hidden], rating-w.model.Mean-other[hidden])
}

// userPrior is the prior on the factors of a user with n ratings. It grows with n under the squared loss only.
func (m *fitted) userPrior(n int) float64 {
	if m.loss != Squared {
		return m.Lambda
	}
	return m.Lambda * math.Pow(float64(n)/m.Usual, m.Adapt)
}

// regression is a ridge regression on some features and a constant.
type regression struct {
	matrix []float64 // normal equations, lower triangle
	right  []float64
	row    []float64 // features of an observation, then 1
}

func (r *regression) reset(size int) {
	r.matrix, r.right = fitting.Resize(r.matrix, size*size), fitting.Resize(r.right, size)
	clear(r.matrix)
	clear(r.right)
}

// add adds an observation.
func (r *regression) add(features []float64, target float64) {
	r.row = append(append(r.row[:0], features...), 1)
	cholesky.AddOuter(r.matrix, 1, r.row)
	fitting.Add(r.right, target, r.row)
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

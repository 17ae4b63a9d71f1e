package factor

import (
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// squares is half the sum of squared errors of mean + score.
type squares struct {
	Mean    float64 `json:"mean"`
	Centred bool    `json:"centred"` // the prior of users has their mean for its mean
}

func (l *squares) Kept() any { return l }

func (l *squares) Of(values []float32, scores, slope, _ []float64, _ *Row) float64 {
	var total float64
	for k, s := range scores {
		slope[k] = s + l.Mean - float64(values[k])
		total += slope[k] * slope[k] / 2
	}
	return total
}

// leastSquares folds in under squared errors: by least squares, exactly.
type leastSquares struct {
	*Scorer
	fit        *squares
	userCentre []float64
}

func newLeastSquares(s *Scorer) leastSquares {
	l := leastSquares{s, s.Loss.(*squares), make([]float64, s.width)}
	s.fold = func(known ratings.Row) []float64 {
		person := slices.Clone(s.mean)
		new(ridge).solve(person, l.userCentre, s.userPrior, s.items, known.Items, known.Values, l.fit.Mean)
		return person
	}
	return l
}

func loadLeastSquares(f *modelfile.File, items int) (model.Model, error) {
	s, err := Load(f, items, new(squares))
	if err != nil {
		return nil, err
	}
	l := newLeastSquares(s)
	if l.fit.Centred {
		copy(l.userCentre, s.mean)
	}
	return l, nil
}

// Explain writes the part of each rating in the score of an item, and returns the base to which they add up: exactly,
// see [fitting.RidgeParts]. The start is the person at the centre of the prior.
func (s leastSquares) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	start := slices.Clone(s.mean)
	var precision []float64
	for d, prior := range s.userPrior {
		if prior >= 0 {
			precision = append(precision, max(prior, leastPrior))
			if known.Len() > 0 {
				start[d] = s.userCentre[d]
			}
		}
	}
	row := func(i uint32) (free []float64) {
		for d, prior := range s.userPrior {
			if prior >= 0 {
				free = append(free, s.itemVector(int(i))[d])
			}
		}
		return free
	}
	var rows [][]float64
	for k, i := range known.Items {
		rows = append(rows, row(i))
		parts[k] = float64(known.Values[k]) - s.fit.Mean - fitting.Dot(start, s.itemVector(int(i)))
	}
	fitting.RidgeParts(precision, row(item), rows, parts)
	return fitting.Dot(start, s.itemVector(int(item))), true, true
}

// ridge is the workspace of least-squares problems.
type ridge struct {
	rows, matrix, target, solution []float64
	free                           []int
}

// leastPrior replaces a prior of zero, under which a vector with more coordinates than ratings would not be determined.
const leastPrior = 1e-6

// solve sets the free coordinates of x, those whose prior is not negative, to the minimum of
//
//	1/2 sum_k (values[k] - mean - x . vectors[which[k]])^2 + 1/2 sum_d prior[d] (x[d] - centre[d])^2
func (r *ridge) solve(x, centre, prior, vectors []float64, which []uint32, values []float32, mean float64) {
	width := len(x)
	r.free = r.free[:0]
	for d := range x {
		if prior[d] >= 0 {
			r.free = append(r.free, d)
			x[d] = centre[d]
		}
	}
	n, m := len(which), len(r.free)
	// With each column divided by the root of its prior, the prior is 1 throughout.
	r.rows, r.target = fitting.Resize(r.rows, n*m), fitting.Resize(r.target, n)
	for k, i := range which {
		vector := vectors[int(i)*width : (int(i)+1)*width]
		r.target[k] = float64(values[k]) - mean - fitting.Dot(x, vector)
		for c, d := range r.free {
			r.rows[k*m+c] = vector[d] / math.Sqrt(max(prior[d], leastPrior))
		}
	}
	r.solution = fitting.Resize(r.solution, m)
	clear(r.solution)
	if n < m {
		r.fewRows(n, m)
	} else {
		r.manyRows(n, m)
	}
	for c, d := range r.free {
		x[d] += r.solution[c] / math.Sqrt(max(prior[d], leastPrior))
	}
}

// manyRows computes the solution (A'A + 1)^-1 A'y for rows A and target y.
func (r *ridge) manyRows(n, m int) {
	r.matrix = fitting.Resize(r.matrix, m*m)
	clear(r.matrix)
	for k := range n {
		row := r.rows[k*m : (k+1)*m]
		fitting.Add(r.solution, r.target[k], row)
		cholesky.AddOuter(r.matrix, 1, row)
	}
	r.invert(r.solution)
}

// fewRows computes the same as A'(AA' + 1)^-1 y, a smaller system.
func (r *ridge) fewRows(n, m int) {
	r.matrix = fitting.Resize(r.matrix, n*n)
	for k := range n {
		for j := range k + 1 {
			r.matrix[k*n+j] = fitting.Dot(r.rows[k*m:(k+1)*m], r.rows[j*m:(j+1)*m])
		}
	}
	r.invert(r.target)
	for k := range n {
		fitting.Add(r.solution, r.target[k], r.rows[k*m:(k+1)*m])
	}
}

// invert replaces x by (matrix + 1)^-1 x.
func (r *ridge) invert(x []float64) {
	n := len(x)
	for d := range n {
		r.matrix[d*n+d]++
	}
	if !cholesky.Solve(r.matrix, x) { // only numbers that are not finite bring us here
		for d := range x {
			x[d] = math.NaN()
		}
	}
}

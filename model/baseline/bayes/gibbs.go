package bayes

import (
	"fubini/core/cholesky"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model/baseline/fitting"
)

// side is half of the state of the chain: all users, or all items. Each has a bias and factors. The mean of the rating
// of user u for item i is
//
//	bias_u + bias_i + Σ_k factor_uk factor_ik.
//
// Given the other side, bias and factors of one user are the coefficients of a linear regression on (1, factors of the
// item), whatever other users have. So they are drawn together, and all users independently of each other.
type side struct {
	width  int         // 1 + number of factors
	other  [][]uint32  // whom the ratings of each are of or by
	value  [][]float64 // shifted and scaled, or the places of their levels
	rated  []int       // those with ratings; there is nothing to draw of others
	has    []bool      // whether each has ratings
	stream []*rng.Rand

	bias   []float64
	factor []float64 // rows of width numbers, the first of them 1
	error2 []float64 // squared residuals of each, summed after the draw

	prior *normalWishart
}

// newSide makes a side of rows of ratings, which are changed by value, with factors of a small standard deviation.
func newSide(rows []ratings.Row, width int, value func(v float32) float64, stream func(name string, e int) *rng.Rand, deviation float64) *side {
	n := len(rows)
	s := &side{width: width, bias: make([]float64, n), factor: make([]float64, n*width), error2: make([]float64, n), prior: newNormalWishart(width, deviation)}
	for e, row := range rows {
		var values []float64
		for _, v := range row.Values {
			values = append(values, value(v))
		}
		if s.has = append(s.has, row.Len() > 0); s.has[e] {
			s.rated = append(s.rated, e)
		}
		r := stream(name, e)
		s.other, s.value, s.stream = append(s.other, row.Items), append(s.value, values), append(s.stream, r)
		s.row(e)[0] = 1
		for k := 1; k < width; k++ {
			s.row(e)[k] = deviation * r.NormFloat64()
		}
	}
	return s
}

func (s *side) row(e int) []float64 { return s.factor[e*s.width : (e+1)*s.width] }

// chain is the state of the sampler.
type chain struct {
	users, items *side
	noise        float64    // precision
	cuts         *cutPoints // nil where the rating itself is normal
	hyper        hyperprior
	stream       *rng.Rand // for what is not of one user or item
	run          fitting.Run
	workers      []*worker
	misfit       float64 // mean squared residual, or minus the mean log likelihood
}

// hyperprior is the prior of the priors and of the noise.
type hyperprior struct {
	Degrees, Rate, Weight float64 // see normalWishart
	Shape, Scale          float64 // the precision of the noise is gamma with shape Shape/2 and rate Scale/2
}

// worker is the workspace of a goroutine.
type worker struct {
	precision, mean, target []float64
	failed                  bool
}

// newChain is the sampler at its start, with ratings changed by value.
func newChain(set *ratings.Set, width int, value func(v float32) float64, deviation float64, hyper hyperprior, run fitting.Run) *chain {
	rows := make([]ratings.Row, set.Users().Len())
	for u := range rows {
		rows[u] = set.Row(u)
	}
	return chainOf(rows, fitting.Columns(set), width, value, deviation, hyper, run)
}

// chainOf is the sampler at its start, of the ratings of every user and the same by item.
func chainOf(rows, columns []ratings.Row, width int, value func(v float32) float64, deviation float64, hyper hyperprior, run fitting.Run) *chain {
	c := &chain{
		users: newSide(rows, width, value, run.UserStream, deviation), items: newSide(columns, width, value, run.ItemStream, deviation),
		noise: 1, hyper: hyper, stream: rng.Stream(run.Seed, name), run: run,
	}
	for range run.Workers() {
		c.workers = append(c.workers, &worker{precision: make([]float64, width*width), mean: make([]float64, width)})
	}
	return c
}

// sweep draws every part of the state once, given all others. It is false if numbers got out of hand.
func (c *chain) sweep() bool {
	c.half(c.users, c.items)
	c.half(c.items, c.users)
	ok := c.users.prior.draw(c.stream, c.users, c.hyper) && c.items.prior.draw(c.stream, c.items, c.hyper)
	if c.cuts != nil {
		c.moveCuts()
	} else {
		c.drawNoise()
	}
	for _, w := range c.workers {
		ok = ok && !w.failed
	}
	return ok
}

// half draws one side given the other.
func (c *chain) half(side, other *side) {
	c.share(len(side.rated), 16, func(w *worker, from, to int) {
		for _, e := range side.rated[from:to] {
			c.draw(w, side, other, e)
		}
	})
}

// share hands out pieces of 0..count-1, of a size that does not depend on the number of workers.
func (c *chain) share(count, piece int, work func(w *worker, from, to int)) {
	c.run.Do((count+piece-1)/piece, func(worker, k int) {
		work(c.workers[worker], k*piece, min((k+1)*piece, count))
	})
}

// drawNoise draws the precision of the noise given all residuals.
func (c *chain) drawNoise() {
	var sum, n float64
	for e, squares := range c.items.error2 {
		sum += squares
		n += float64(len(c.items.other[e]))
	}
	c.noise = gammaDraw(c.stream, (c.hyper.Shape+n)/2, (c.hyper.Scale+sum)/2)
	c.misfit = sum / n
}

// draw draws bias and factors of one user or item given all else. With x the row (1, factors) at the other end of a
// rating and t the rating less the bias there, the precision is P = Λ + noise Σ x xᵀ, the mean P⁻¹ (Λμ + noise Σ t x).
func (c *chain) draw(w *worker, side, other *side, e int) {
	which := side.other[e]
	w.target = fitting.Resize(w.target, len(which))
	c.targets(w.target, side, other, e)
	clear(w.precision)
	clear(w.mean)
	normalEquations(w.precision, w.mean, other.factor, which, w.target)
	for k, p := range side.prior.precision {
		w.precision[k] = p + float64(c.noise*w.precision[k])
	}
	for k, p := range side.prior.shift {
		w.mean[k] = p + float64(c.noise*w.mean[k])
	}
	if !cholesky.Factorise(w.precision, side.width) {
		w.failed = true
		return
	}
	cholesky.SolveLower(w.precision, w.mean)
	for k := range w.mean { // L⁻ᵀ z has the covariance (L Lᵀ)⁻¹
		w.mean[k] += side.stream[e].NormFloat64()
	}
	cholesky.SolveUpper(w.precision, w.mean)

	mine := side.row(e)[1:]
	side.bias[e] = w.mean[0]
	copy(mine, w.mean[1:])
	if c.cuts != nil {
		return
	}
	var sum float64
	for k, j := range which {
		residual := w.target[k] - side.bias[e] - fitting.Dot(mine, other.row(int(j))[1:])
		sum += float64(residual * residual)
	}
	side.error2[e] = sum
}

// targets writes what the regression of one user or item is to explain: each rating, or its latent value drawn between
// its cut points, less the bias at the other end. Latent values are drawn afresh on both sides, and kept on neither.
func (c *chain) targets(targets []float64, side, other *side, e int) {
	mine := side.row(e)[1:]
	for k, j := range side.other[e] {
		value := side.value[e][k]
		if c.cuts == nil {
			targets[k] = value - other.bias[j]
			continue
		}
		own := side.bias[e] + fitting.Dot(mine, other.row(int(j))[1:])
		low, high := interval(c.cuts.at, int(value))
		mean := own + other.bias[j]
		targets[k] = own + truncatedNormal(side.stream[e], low-mean, high-mean)
	}
}

// normalEquations adds Σ x xᵀ to the lower triangle of a matrix and Σ t x to a vector. Four ratings at a time load and
// store the sums less often: at 11 numbers a row 27 ns a rating.
func normalEquations(matrix, vector, rows []float64, which []uint32, targets []float64) {
	d := len(vector)
	row := func(k int) []float64 {
		at := int(which[k]) * d
		return rows[at : at+d : at+d]
	}
	k := 0
	for ; k+4 <= len(which); k += 4 {
		x0, x1, x2, x3 := row(k), row(k+1), row(k+2), row(k+3)
		t0, t1, t2, t3 := targets[k], targets[k+1], targets[k+2], targets[k+3]
		for r := range d {
			a0, a1, a2, a3 := x0[r], x1[r], x2[r], x3[r]
			vector[r] += float64(a0*t0) + float64(a1*t1) + float64(a2*t2) + float64(a3*t3)
			sums := matrix[r*d : r*d+r+1]
			y0, y1, y2, y3 := x0[:len(sums)], x1[:len(sums)], x2[:len(sums)], x3[:len(sums)]
			for c := range sums {
				sums[c] += float64(a0*y0[c]) + float64(a1*y1[c]) + float64(a2*y2[c]) + float64(a3*y3[c])
			}
		}
	}
	for ; k < len(which); k++ {
		fitting.Add(vector, targets[k], row(k))
		cholesky.AddOuter(matrix, 1, row(k))
	}
}

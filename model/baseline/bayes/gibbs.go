package bayes

import (
	"slices"

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
	width  int       // 1 + number of factors
	start  []int     // ratings of e are start[e] to start[e+1]
	other  []uint32  // whom a rating is of or by
	value  []float64 // shifted and scaled, or the place of its level
	rated  []int     // those with ratings; there is nothing to draw of others
	stream []*rng.Rand

	bias   []float64
	factor []float64 // rows of width numbers, the first of them 1
	error2 []float64 // squared residuals of each, summed after the draw

	prior *normalWishart
}

// newSides makes both sides of a set, with ratings changed by value.
func newSides(set *ratings.Set, width int, value func(v float32) float64) (users, items *side) {
	users, items = newSide(set.Users().Len(), set.Len(), width), newSide(set.Items().Len(), set.Len(), width)
	for u := range set.Users().Len() {
		users.start[u+1] = users.start[u] + set.Row(u).Len()
		for _, i := range set.Row(u).Items {
			items.start[i+1]++
		}
	}
	for i := range items.start[1:] {
		items.start[i+1] += items.start[i]
	}
	next := slices.Clone(items.start)
	for u := range set.Users().Len() {
		row := set.Row(u)
		for k, i := range row.Items {
			v := value(row.Values[k])
			users.other[users.start[u]+k], users.value[users.start[u]+k] = i, v
			items.other[next[i]], items.value[next[i]] = uint32(u), v
			next[i]++
		}
	}
	for _, s := range []*side{users, items} {
		for e := range s.bias {
			if s.start[e+1] > s.start[e] {
				s.rated = append(s.rated, e)
			}
		}
	}
	return users, items
}

func newSide(count, ratings, width int) *side {
	return &side{
		width: width, start: make([]int, count+1), other: make([]uint32, ratings), value: make([]float64, ratings),
		stream: make([]*rng.Rand, count),
		bias:   make([]float64, count), factor: make([]float64, count*width), error2: make([]float64, count),
		prior: newNormalWishart(width),
	}
}

// begin draws factors of a small standard deviation.
func (s *side) begin(stream func(e int) *rng.Rand, deviation float64) {
	for e := range s.stream {
		s.stream[e] = stream(e)
		row := s.row(e)
		row[0] = 1
		for k := range row[1:] {
			row[1+k] = deviation * s.stream[e].NormFloat64()
		}
	}
	s.prior.begin(deviation)
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
	precision []float64 // width x width
	mean      []float64
	target    []float64
	failed    bool
}

func newChain(users, items *side, hyper hyperprior, stream *rng.Rand, run fitting.Run) *chain {
	c := &chain{users: users, items: items, noise: 1, hyper: hyper, stream: stream, run: run}
	for range run.Workers() {
		c.workers = append(c.workers, &worker{precision: make([]float64, users.width*users.width), mean: make([]float64, users.width)})
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
	var sum float64
	for _, e := range c.items.error2 {
		sum += e
	}
	n := float64(len(c.items.other))
	c.noise = gammaDraw(c.stream, (c.hyper.Shape+n)/2, (c.hyper.Scale+sum)/2)
	c.misfit = sum / n
}

// draw draws the bias and the factors of one user or item given everything else. With x the row (1, factors) at the
// other end of a rating and t the rating less the bias there, the precision is Λ + noise Σ x xᵀ, and the mean is its
// inverse times Λμ + noise Σ t x.
func (c *chain) draw(w *worker, side, other *side, e int) {
	from, to := side.start[e], side.start[e+1]
	which := side.other[from:to]
	w.target = fitting.Resize(w.target, to-from)
	c.targets(w.target, side, other, e)

	clear(w.precision)
	clear(w.mean)
	normalEquations(w.precision, w.mean, other.factor, which, w.target)
	for k, p := range side.prior.precision {
		w.precision[k] = p + c.noise*w.precision[k]
	}
	for k, p := range side.prior.shift {
		w.mean[k] = p + c.noise*w.mean[k]
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
		sum += residual * residual
	}
	side.error2[e] = sum
}

// targets writes what the regression of one user or item is to explain: each rating, or its latent value drawn between
// its cut points, less the bias at the other end. Latent values are drawn afresh on both sides, and kept on neither.
func (c *chain) targets(targets []float64, side, other *side, e int) {
	from := side.start[e]
	which := side.other[from:side.start[e+1]]
	if c.cuts == nil {
		for k, j := range which {
			targets[k] = side.value[from+k] - other.bias[j]
		}
		return
	}
	mine := side.row(e)[1:]
	for k, j := range which {
		own := side.bias[e] + fitting.Dot(mine, other.row(int(j))[1:])
		low, high := interval(c.cuts.at, int(side.value[from+k]))
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
			vector[r] += a0*t0 + a1*t1 + a2*t2 + a3*t3
			sums := matrix[r*d : r*d+r+1]
			y0, y1, y2, y3 := x0[:len(sums)], x1[:len(sums)], x2[:len(sums)], x3[:len(sums)]
			for c := range sums {
				sums[c] += a0*y0[c] + a1*y1[c] + a2*y2[c] + a3*y3[c]
			}
		}
	}
	for ; k < len(which); k++ {
		fitting.Add(vector, targets[k], row(k))
		cholesky.AddOuter(matrix, 1, row(k))
	}
}

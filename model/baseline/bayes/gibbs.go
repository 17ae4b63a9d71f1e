package bayes

import (
	"slices"

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

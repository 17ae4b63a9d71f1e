package bayes

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// The test of Geweke (2004), «Getting it right»: draw parameters from the prior and
// ratings from them, over and over (here by code of its own), and compare with a
// chain that draws parameters given ratings by the sampler and ratings given
// parameters. If and only if the sampler leaves the posterior unchanged, whatever
// the ratings, both have the same distribution.

const gewekeSide = 3 // users, and items; each user rates each item; one factor

var gewekeHyper = hyperprior{Degrees: 3, Rate: 1.5, Weight: 0.8, Shape: 5, Scale: 4}

func gewekeChain(t *testing.T, probit bool, hyper hyperprior) *chain {
	b := ratings.NewBuilder()
	for u := range gewekeSide {
		for i := range gewekeSide {
			if err := b.Add(fmt.Append(nil, u), fmt.Append(nil, i), 1, ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	c := newChain(set, 2, func(float32) float64 { return 0 }, 1, hyper, fitting.Run{Run: model.Run{Seed: 1, Jobs: 1}})
	if probit {
		c.cuts = newCutPoints(make([]float64, 3), c.users)
	}
	return c
}

// drawPrior draws everything but the ratings, by the definitions: a Wishart matrix
// of whole degrees is a sum of squares of normal vectors.
func drawPrior(r *rng.Rand, c *chain) {
	h := gewekeHyper
	for _, s := range []*side{c.users, c.items} {
		var a, b, d float64 // Λ = (a b; b d)
		for range int(h.Degrees) + 1 {
			x, y := r.NormFloat64()/math.Sqrt(h.Rate), r.NormFloat64()/math.Sqrt(h.Rate)
			a, b, d = a+x*x, b+x*y, d+y*y
		}
		// The second given nothing has precision d - b²/a, the first given it a.
		pair := func(m0, m1, weight float64) (v0, v1 float64) {
			v1 = m1 + r.NormFloat64()/math.Sqrt(weight*(d-b*b/a))
			v0 = m0 - b/a*(v1-m1) + r.NormFloat64()/math.Sqrt(weight*a)
			return v0, v1
		}
		p := s.prior
		p.mean[0], p.mean[1] = pair(0, 0, h.Weight)
		p.precision[0], p.precision[2], p.precision[3] = a, b, d
		p.shift[0], p.shift[1] = a*p.mean[0]+b*p.mean[1], b*p.mean[0]+d*p.mean[1]
		for e := range s.bias {
			s.bias[e], s.row(e)[1] = pair(p.mean[0], p.mean[1], 1)
		}
	}
	if c.cuts == nil {
		c.noise = 0
		for range int(h.Shape) { // chi-square over Scale
			z := r.NormFloat64()
			c.noise += z * z / h.Scale
		}
		return
	}
	for k := range c.cuts.at {
		c.cuts.at[k] = cutSpread * r.NormFloat64()
	}
	slices.Sort(c.cuts.at)
}

// drawRatings draws what everybody says.
func drawRatings(r *rng.Rand, c *chain) {
	for u := range gewekeSide {
		for i := range gewekeSide {
			v := c.users.bias[u] + c.items.bias[i] + c.users.row(u)[1]*c.items.row(i)[1] + r.NormFloat64()/math.Sqrt(c.noise)
			if c.cuts != nil {
				level := 0
				for level < len(c.cuts.at) && v > c.cuts.at[level] {
					level++
				}
				v = float64(level)
			}
			c.users.value[u][i], c.items.value[i][u] = v, v
		}
	}
}

// gewekeFeatures are bounded: moments of a few degrees of freedom may not exist.
func gewekeFeatures(c *chain) []float64 {
	u, i := c.users, c.items
	var f []float64
	for _, s := range []*side{u, i} {
		p := s.prior
		f = append(f,
			math.Tanh(s.bias[0]), math.Tanh(s.row(1)[1]), math.Tanh(s.bias[0]*s.bias[1]), math.Tanh(s.row(0)[1]*s.row(0)[1]),
			math.Tanh(s.bias[0]*s.row(0)[1]), math.Tanh(p.mean[0]*p.mean[0]), math.Tanh(p.mean[0]*p.mean[1]),
			p.precision[0]/(1+p.precision[0]), p.precision[3]/(1+p.precision[3]), p.precision[2]/math.Sqrt(p.precision[0]*p.precision[3]),
		)
	}
	y, z := u.value[0][0], u.value[0][1]
	f = append(f, math.Tanh(y), math.Tanh(y*z), math.Tanh(y*u.bias[0]), math.Tanh(y*i.bias[0]), math.Tanh(u.row(0)[1]*i.row(0)[1]*y))
	if c.cuts == nil {
		f = append(f, c.noise/(1+c.noise))
	} else {
		for k, cut := range c.cuts.at {
			f = append(f, math.Tanh(cut/cutSpread), math.Tanh(cut*u.bias[0]), y*math.Tanh(cut))
			if k > 0 {
				f = append(f, math.Tanh(cut-c.cuts.at[k-1]))
			}
		}
	}
	return f
}

// geweke returns the largest difference of the two simulators, in standard errors.
func geweke(t *testing.T, draws int, probit bool, hyper hyperprior, sweep func(c *chain)) float64 {
	const batches = 50
	r := rng.Stream(1, "geweke")
	c := gewekeChain(t, probit, hyper)
	var sum, squares []float64
	for range draws {
		drawPrior(r, c)
		drawRatings(r, c)
		f := gewekeFeatures(c)
		if sum == nil {
			sum, squares = make([]float64, len(f)), make([]float64, len(f))
		}
		for k, x := range f {
			sum[k] += x
			squares[k] += x * x
		}
	}
	means := make([][]float64, batches) // the chain goes on from the last of these
	for b := range means {
		means[b] = make([]float64, len(sum))
		for range draws / batches {
			sweep(c)
			drawRatings(r, c)
			for k, x := range gewekeFeatures(c) {
				means[b][k] += x / float64(draws/batches)
			}
		}
	}
	var worst float64
	for k := range sum {
		n := float64(draws)
		direct := sum[k] / n
		variance := (squares[k]/n - direct*direct) / n
		var mean, spread float64
		for b := range means {
			mean += means[b][k] / batches
		}
		for b := range means {
			spread += (means[b][k] - mean) * (means[b][k] - mean) / (batches * (batches - 1))
		}
		z := math.Abs(mean-direct) / math.Sqrt(variance+spread)
		if !(z <= worst) {
			worst = z
		}
	}
	return worst
}

func plainSweep(c *chain) { c.sweep() }

// Bounds: about 30 features, so 4.5 standard errors come by chance once in 5,000
// seeds; the twins are at 6 and more.
func TestGettingItRight(t *testing.T) {
	skipIfShort(t)
	for _, probit := range []bool{false, true} {
		if z := geweke(t, 40000, probit, gewekeHyper, plainSweep); !(z <= 4.5) {
			t.Errorf("probit %v: the sampler is %.1f standard errors off", probit, z)
		}
	}
}

func TestGettingItRightSeesFaults(t *testing.T) {
	skipIfShort(t)
	off := func(change func(h *hyperprior)) hyperprior {
		h := gewekeHyper
		change(&h)
		return h
	}
	for _, twin := range []struct {
		name   string
		probit bool
		hyper  hyperprior
		sweep  func(c *chain)
	}{
		{"a degree of freedom too many", false, off(func(h *hyperprior) { h.Degrees++ }), plainSweep},
		{"a wrong weight of the mean", false, off(func(h *hyperprior) { h.Weight *= 3 }), plainSweep},
		{"a wrong shape of the noise", false, off(func(h *hyperprior) { h.Shape++ }), plainSweep},
		{"cut points without a rejection", true, gewekeHyper, func(c *chain) {
			before := slices.Clone(c.cuts.at)
			c.sweep()
			if slices.Equal(before, c.cuts.at) && slices.IsSorted(c.cuts.proposal) {
				copy(c.cuts.at, c.cuts.proposal)
			}
		}},
		{"latent values of other cut points", true, gewekeHyper, func(c *chain) {
			true := slices.Clone(c.cuts.at)
			c.cuts.at[1] += 0.8
			c.cuts.at[2] += 0.8
			c.half(c.users, c.items)
			copy(c.cuts.at, true)
			c.sweep()
		}},
	} {
		if z := geweke(t, 20000, twin.probit, twin.hyper, twin.sweep); !(z > 6) {
			t.Errorf("the test cannot see %s: %.1f standard errors", twin.name, z)
		} else {
			t.Logf("%s: %.1f", twin.name, z)
		}
	}
}

package train

import (
	"fmt"
	"math"

	"fubini/core/parallel"
	"fubini/core/vec"
	"fubini/model/latent"
)

// What a list counts for in the precision of the prior on coefficients. That of an
// item's parameters stays the same however much there is to learn from; here it grows
// with it, because numbers that were found on the same lists are no more to be relied on
// for there being many. docs/quality.md has the figures.
const (
	companyU = 0.4
	companyW = 0.75
	companyV = 0.25
)

// companySteps is how often in an epoch coefficients make a step: every step is one over
// all items.
const companySteps = 16

// companions learns the coefficients of company.
type companions struct {
	*Company
	u, w, v shared
	lists   int // in the gradients
}

// shared is one kind of an item's parameters, and what all items share of it.
type shared struct {
	width        int
	coefficients []float64
	prior        float64
	squares      []float64 // of each number, what a sight is multiplied by
	gradient     []float64 // by item, of the lists since the last step
	means        []float64 // of the prior, by item
}

// newCompanions prepares the company that the state has.
func newCompanions(f *latentFit) (*companions, error) {
	own, now := f.state.Company, f.state.Now
	items, lists := len(now.U), float64(len(f.lists))
	if own.Numbers != f.Company || len(own.Of) != items*own.Numbers {
		return nil, fmt.Errorf("train: company of %d numbers for %d items, where there are %d and %d", own.Numbers, len(own.Of)/max(1, own.Numbers), f.Company, items)
	}
	c := &companions{Company: own}
	single, sum, both := make([]float64, c.Numbers), make([]float64, c.Numbers), make([]float64, c.Numbers)
	for _, list := range f.lists {
		clear(sum)
		used := math.Min(1, float64(f.Longest)/float64(len(list.Items)))
		for _, i := range list.Items {
			row := c.row(c.Of, i)
			vec.AddTimes(sum, row, used)
			for d, v := range row {
				single[d] += used * v * v
			}
		}
		for d, v := range sum {
			both[d] += v * v
		}
	}
	for _, kind := range []struct {
		to      *shared
		from    *[]float64
		width   int
		prior   float64
		squares []float64
	}{
		{&c.u, &own.U, 1, companyU, single},
		{&c.w, &own.W, now.K, companyW, single},
		{&c.v, &own.V, len(now.V) / max(1, items), companyV, both}, // the presence of all items of a list adds up
	} {
		if *kind.from == nil {
			*kind.from = make([]float64, c.Numbers*kind.width)
		}
		if len(*kind.from) != c.Numbers*kind.width {
			return nil, fmt.Errorf("train: %d coefficients of company, where there are %d", len(*kind.from), c.Numbers*kind.width)
		}
		*kind.to = shared{
			width: kind.width, coefficients: *kind.from, prior: kind.prior * lists, squares: kind.squares,
			gradient: make([]float64, items*kind.width), means: make([]float64, items*kind.width),
		}
		for i := range items {
			kind.to.meanOf(c.row(c.Of, i), kind.to.row(kind.to.means, i))
		}
	}
	return c, nil
}

func (s *shared) row(of []float64, i int) []float64 { return of[i*s.width : (i+1)*s.width] }

// meanOf writes the mean of the prior of an item with such numbers.
func (s *shared) meanOf(numbers, mean []float64) {
	clear(mean)
	vec.AddRows(mean, s.coefficients, numbers)
}

// take keeps the gradient of an item of a list.
func (c *companions) take(t *task, n, i int) {
	t.addTo(n, i, c.w.width, c.u.gradient, c.w.gradient, c.v.gradient)
}

// draw moves the parameters of an item towards the mean of their prior.
func (c *companions) draw(now *latent.Catalogue, i int, pull each) {
	if c == nil {
		return
	}
	now.U[i] += pull.u * c.u.means[i]
	vec.AddTimes(c.w.row(now.W, i), c.w.row(c.w.means, i), pull.w)
	if c.v.width > 0 {
		vec.AddTimes(c.v.row(now.V, i), c.v.row(c.v.means, i), pull.v)
	}
}

// follow makes a step of the coefficients, by the gradients since the last. All
// parameters move with them: what an item has beside its company stays. Numbers, and
// then items, are divided among the workers.
func (f *latentFit) follow(s stride) {
	c, now, jobs := f.companions, f.state.Now, len(f.workers)
	whole := float64(len(f.lists)) / float64(c.lists)
	c.lists = 0
	for _, kind := range []struct {
		*shared
		of    []float64
		sight float64
	}{{&c.u, now.U, s.sight.U}, {&c.w, now.W, s.sight.W}, {&c.v, now.V, s.sight.V}} {
		parallel.Together(jobs, func(w int) {
			slope := make([]float64, kind.width)
			for d := w; d < c.Numbers; d += jobs {
				clear(slope)
				for i := range now.U {
					vec.AddTimes(slope, kind.row(kind.gradient, i), c.Of[i*c.Numbers+d])
				}
				step := s.rate / (kind.prior + kind.squares[d]*kind.sight)
				for k, v := range slope {
					a := &kind.coefficients[d*kind.width+k]
					*a += step * (whole*v - kind.prior**a)
				}
			}
		})
		parallel.Together(jobs, func(w int) {
			mean := make([]float64, kind.width)
			for first := w * stripe; first < len(now.U); first += jobs * stripe {
				for i := first; i < min(first+stripe, len(now.U)); i++ {
					kind.meanOf(c.row(c.Of, i), mean)
					old, to := kind.row(kind.means, i), kind.row(kind.of, i)
					for k, v := range mean {
						to[k] += v - old[k]
					}
					copy(old, mean)
					clear(kind.row(kind.gradient, i))
				}
			}
		})
	}
}

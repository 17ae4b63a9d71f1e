package train

import (
	"math"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model/osm"
)

// Company is what is known of an item by who placed it, wherever they did: an item is
// known by the company it keeps. The prior of all its parameters has its mean at the
// item's numbers times coefficients that all items share and that are learned; so an
// item that few have placed is thought to be as those are that the same people placed.
// See docs/maths.md#company.
type Company struct {
	Numbers int       // of each item
	Loads   []float64 // what an item says of the lists it is in
	Of      []float64 // numbers of each item: what its lists say of it

	// Coefficients of u, numbers by one, and of W and V, numbers by units; nil before
	// training.
	U, W, V []float64
}

// shy is how many lists that say nothing every item is taken to be in beside its own.
const shy = 8

// FindCompany describes items by lists alone, not by the order of any. The numbers of a
// list are the mean of what its items say of it; those of an item are the mean of what
// its lists have. Of all ways to do that these tell most, or nearly: they are the leading
// vectors of correspondence analysis, but for their basis, which is left to chance.
func FindCompany(items int, lists []osm.List, numbers int, seed uint64, jobs int) *Company {
	c := &Company{Numbers: numbers, Loads: make([]float64, items*numbers)}
	times := timesOf(items, lists)
	root, places := rootsOf(times), placesIn(times)
	r := rng.Stream(seed, "company")
	at, next := make([]float64, items*numbers), make([]float64, items*numbers)
	for k := range at {
		at[k] = r.NormFloat64()
	}
	// Power iteration with all vectors at once. A dozen rounds find directions that tell
	// nearly as much as the best; where many tell alike, which of them is left to the seed.
	const rounds = 12
	for range rounds {
		orthonormal(at, numbers)
		c.load(at, root, times, places)
		c.share(lists, next, jobs)
		for i, v := range root {
			vec.Scale(c.row(next, i), v)
		}
		at, next = next, at
	}
	orthonormal(at, numbers)
	c.even(lists, places, c.load(at, root, times, places))
	c.share(lists, next, jobs)
	c.Meet(next, times)
	return c
}

// timesOf counts in how many lists each item is.
func timesOf(items int, lists []osm.List) []float64 {
	times := make([]float64, items)
	for _, list := range lists {
		for _, i := range list.Items {
			times[i]++
		}
	}
	return times
}

// placesIn is how many places all lists have together.
func placesIn(times []float64) (places float64) {
	for _, n := range times {
		places += n
	}
	return places
}

// rootsOf is what the vector of each item is multiplied by; zero for those in no list.
func rootsOf(times []float64) []float64 {
	root := make([]float64, len(times))
	for i, n := range times {
		if n > 0 {
			root[i] = 1 / math.Sqrt(n+shy)
		}
	}
	return root
}

func (c *Company) row(of []float64, i int) []float64 { return of[i*c.Numbers : (i+1)*c.Numbers] }

// load sets what items say to vectors, each divided by the root of the item's times, and
// takes from every number its mean over places: that all lists are lists says nothing. It
// returns the mean squares before that.
func (c *Company) load(vectors, root, times []float64, places float64) (squares []float64) {
	mean := make([]float64, c.Numbers)
	squares = make([]float64, c.Numbers)
	for i, v := range root {
		to := c.row(c.Loads, i)
		copy(to, c.row(vectors, i))
		vec.Scale(to, v)
		vec.AddTimes(mean, to, times[i]/places)
		for k, v := range to {
			squares[k] += v * v * times[i] / places
		}
	}
	for i, n := range times {
		if n > 0 {
			vec.AddTimes(c.row(c.Loads, i), mean, -1)
		}
	}
	return squares
}

// Share adds up, for every item, the numbers of the lists it is in.
func (c *Company) Share(lists []osm.List, jobs int) []float64 {
	sums := make([]float64, len(c.Loads))
	c.share(lists, sums, jobs)
	return sums
}

// share is Share. Each goroutine takes some of the numbers, so that every sum has one
// order.
func (c *Company) share(lists []osm.List, sums []float64, jobs int) {
	const width = 4
	clear(sums)
	parallel.Do((c.Numbers+width-1)/width, jobs, func(_, part int) {
		from, to := part*width, min((part+1)*width, c.Numbers)
		var mean [width]float64
		for _, list := range lists {
			clear(mean[:])
			own := mean[:to-from]
			for _, i := range list.Items {
				for k, v := range c.row(c.Loads, i)[from:to] {
					own[k] += v
				}
			}
			for k := range own {
				own[k] /= float64(len(list.Items))
			}
			for _, i := range list.Items {
				sum := c.row(sums, i)[from:to]
				for k, v := range own {
					sum[k] += v
				}
			}
		}
	})
}

// even turns and stretches what items say so that the numbers of lists are uncorrelated,
// with a mean square of one over places. Directions that lists tell nothing of, measured
// by what single items say, become zero.
func (c *Company) even(lists []osm.List, places float64, said []float64) {
	n := c.Numbers
	root, own := make([]float64, n*n), make([]float64, n)
	for _, list := range lists {
		clear(own)
		for _, i := range list.Items {
			vec.AddTimes(own, c.row(c.Loads, i), 1)
		}
		for k, v := range own { // of the mean, for every place of the list
			vec.AddTimes(root[k*n:k*n+k+1], own[:k+1], v/(float64(len(list.Items))*places))
		}
	}
	// The lower triangle of products becomes its Cholesky factor, with a zero on the
	// diagonal where nothing is left.
	const least = 1e-9
	for k := range n {
		for j := range k {
			if root[k*n+j] -= vec.Dot(root[k*n:k*n+j], root[j*n:j*n+j]); root[j*n+j] > 0 {
				root[k*n+j] /= root[j*n+j]
			} else {
				root[k*n+j] = 0
			}
		}
		left := root[k*n+k] - vec.Dot(root[k*n:k*n+k], root[k*n:k*n+k])
		if root[k*n+k] = 0; left > least*said[k] {
			root[k*n+k] = math.Sqrt(left)
		}
	}
	for first := 0; first < len(c.Loads); first += n {
		row := c.Loads[first : first+n]
		for k := range row {
			if row[k] -= vec.Dot(root[k*n:k*n+k], row[:k]); root[k*n+k] > 0 {
				row[k] /= root[k*n+k]
			} else {
				row[k] = 0
			}
		}
	}
}

// Meet makes the numbers of items from the sums over their lists.
func (c *Company) Meet(sums, times []float64) {
	c.Of = make([]float64, len(sums))
	for i, n := range times {
		vec.AddTimes(c.row(c.Of, i), c.row(sums, i), 1/(n+shy))
	}
}

// orthonormal makes the columns of rows so many wide orthonormal, each against those
// before it; twice, for what rounding leaves.
func orthonormal(rows []float64, width int) {
	product := make([]float64, width)
	for k := range width {
		for range 2 {
			clear(product)
			for at := 0; at < len(rows); at += width {
				vec.AddTimes(product[:k], rows[at:at+k], rows[at+k])
			}
			for at := 0; at < len(rows); at += width {
				rows[at+k] -= vec.Dot(product[:k], rows[at:at+k])
			}
		}
		var square float64
		for at := k; at < len(rows); at += width {
			square += rows[at] * rows[at]
		}
		factor := 0.0
		if square > 0 {
			factor = 1 / math.Sqrt(square)
		}
		for at := k; at < len(rows); at += width {
			rows[at] *= factor
		}
	}
}

// clone returns a copy that shares nothing with c.
func (c *Company) clone() *Company {
	if c == nil {
		return nil
	}
	copied := *c
	for _, list := range []*[]float64{&copied.Loads, &copied.Of, &copied.U, &copied.W, &copied.V} {
		*list = append([]float64(nil), *list...)
	}
	return &copied
}

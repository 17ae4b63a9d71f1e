package slots

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"fubini/core/parallel"
	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/osm"
)

// mostLists is about the largest number of lists that moments are computed from: every second, third and so on is used of more.
const mostLists = 4000

// populationOf returns the moments of lists under parameters with Gaussian units ([latent.Population]); nil where they have no
// such units, or no list has two items. Of lists with more items than longest only so many count.
func populationOf(c *latent.Catalogue, tastes *ascent.Tastes, lists []osm.Packed, longest, jobs int) (*latent.Population, error) {
	if c.K == 0 || c.Units != latent.Gaussian {
		return nil, nil
	}
	of := *c
	of.Population = nil
	// The third term of an item is its worth for an average person, who is known when the means of the first two are.
	m, none := momentsOf(&of, lists, longest, jobs, true), make([]float64, c.K*terms*terms)
	if m.free == 0 {
		return nil, nil
	}
	var err error
	if of.Population, err = latent.NewPopulation(c.K, m.length(), m.mean, none, none); err != nil {
		return nil, err
	}
	m = momentsOf(&of, lists, longest, jobs, false)
	between, within := m.covariances(c.K)
	p, err := latent.NewPopulation(c.K, m.length(), m.mean, between, within)
	if err == nil && tastes != nil && len(tastes.Ridge) > 0 {
		p.Together, err = togetherOf(c, tastes.Ridge, m.length(), lists)
	}
	return p, err
}

// togetherOf is how the units of sampled tastes are read: each has its ridge, times the sum of the squares of its weights, beside sums over lists
// of this length.
func togetherOf(c *latent.Catalogue, ridges []float64, length float64, lists []osm.Packed) (*latent.Together, error) {
	units, used := len(ridges), 0.0
	ridge, scatter, mean := make([]float64, units), make([]float64, units*units), make([]float64, units)
	for i := range c.Items {
		for k, v := range c.W[i*c.K : i*c.K+units] {
			ridge[k] += float64(v * v)
		}
	}
	for k, v := range ridges {
		ridge[k] *= v
	}
	var unpacked osm.Unpacker
	for _, list := range lists {
		if len(list.Items) > 1 {
			c.Scatter(unpacked.List(list).Items, length/float64(len(list.Items)), mean, scatter)
			used++
		}
	}
	vec.Scale(scatter, 1/used)
	return latent.NewTogether(c.K, ridge, scatter)
}

// moments are sums over lists. A list of n items has the weight w, n or the longest if that is less.
type moments struct {
	lists        float64   // their number
	weight, each float64   // sums of w and w/n
	free         float64   // sum of n-1
	mean         []float64 // [unit][term]: of w times the mean term of the list's items
	means        []float64 // [unit][term][term]: of w times the product of two mean terms
	within       []float64 // [unit][term][term]: of the products of two terms of an item, less those of the means
}

const terms = latent.Terms

func newMoments(k int) *moments {
	return &moments{mean: make([]float64, k*terms), means: make([]float64, k*terms*terms), within: make([]float64, k*terms*terms)}
}

// momentsOf adds up the moments of lists, and divides the means by the weight of all; or the means of the first two terms alone.
func momentsOf(c *latent.Catalogue, lists []osm.Packed, longest, jobs int, twoMeans bool) *moments {
	const block = 50 // lists whose sum one goroutine makes; the order of all sums is fixed
	apart := max(1, (len(lists)+mostLists-1)/mostLists)
	used := (len(lists) + apart - 1) / apart
	type scratch struct {
		osm.Unpacker
		termSums
	}
	own := make([]scratch, parallel.Size(used, jobs))
	var of *weightRows
	if !twoMeans {
		of = rowsOf(c)
	}
	blocks := make([]*moments, (used+block-1)/block)
	parallel.Do(len(blocks), jobs, func(worker, b int) {
		s := &own[worker]
		blocks[b] = newMoments(c.K)
		for l := b * block; l < min((b+1)*block, used); l++ {
			list := s.List(lists[l*apart])
			if len(list.Items) < 2 {
				continue
			}
			s.add(c, of, list)
			blocks[b].add(float64(len(list.Items)), float64(min(len(list.Items), longest)), s.sums, s.products)
		}
	})
	sum := newMoments(c.K)
	for _, b := range blocks {
		sum.lists, sum.weight, sum.each, sum.free = sum.lists+b.lists, sum.weight+b.weight, sum.each+b.each, sum.free+b.free
		for i, v := range b.mean {
			sum.mean[i] += v
		}
		for i, v := range b.means {
			sum.means[i] += v
			sum.within[i] += b.within[i]
		}
	}
	for i := range sum.mean {
		sum.mean[i] /= max(1, sum.weight)
	}
	return sum
}

// weightRows has rows of the items' weights and of their products, which the scores and surpluses of a list's items turn into terms and products of terms.
type weightRows struct {
	w  []float64 // W, and its products with V
	v  []float64 // V and its squares
	ww []float64 // squares of W
	// worths are those of the items for an average person.
	worths []float64
}

func rowsOf(c *latent.Catalogue) *weightRows {
	r := &weightRows{ww: make([]float64, len(c.W)), worths: c.Worths()}
	for at, w := range c.W {
		r.ww[at] = w * w
	}
	for i := range c.Items {
		w, v := c.W[i*c.K:(i+1)*c.K], make([]float64, c.K)
		if c.V != nil {
			copy(v, c.V[i*c.K:])
		}
		r.w, r.v = append(r.w, w...), append(r.v, v...)
		for k := range w {
			r.w, r.v = append(r.w, w[k]*v[k]), append(r.v, v[k]*v[k])
		}
	}
	return r
}

// termSums is room for the sums over the items of a list, of all units.
type termSums struct {
	items          []uint32
	score, surplus []float64 // of the items
	factors, row   []float64
	sums           []float64 // [unit][term]
	products       []float64 // [unit][term][term], the second up to the first
}

// add sums the terms of all items of a list, and their products; without rows of weights the first two terms alone.
func (t *termSums) add(c *latent.Catalogue, of *weightRows, list osm.List) {
	x, n, k := list.Order, len(list.Items), c.K
	t.items, t.score, t.factors = t.items[:0], vec.Zeros(t.score, n), vec.Zeros(t.factors, n)
	for _, i := range list.Items {
		t.items = append(t.items, uint32(i))
	}
	for b := range x.Len() {
		score := c.ItemScore(x, b)
		for _, at := range x.Block(b) {
			t.score[at] = score
		}
	}
	t.sums, t.products = vec.Zeros(t.sums, k*terms), vec.Zeros(t.products, k*terms*terms)
	ones := func() []float64 {
		for at := range t.factors {
			t.factors[at] = 1
		}
		return t.factors
	}
	sum := func(rows, factors []float64, wide int) []float64 {
		t.row = vec.Zeros(t.row, wide*k)
		vec.AddRowsAt(t.row, rows, t.items, factors)
		return t.row
	}
	set := func(term int, row []float64) {
		for u, v := range row {
			t.sums[u*terms+term] = v
		}
	}
	if of == nil {
		set(0, sum(c.W, t.score, 1))
		if c.V != nil {
			set(1, sum(c.V, ones(), 1))
		}
		return
	}
	t.surplus = c.Surplus(list.Items, of.worths, t.surplus[:0])
	// A row is a term and a product of two, or a product alone, of all units.
	add := func(rows, factors []float64, wide, term, first, second int) {
		row := sum(rows, factors, wide)
		if wide == 2 {
			set(term, row[:k])
		}
		for u, v := range row[(wide-1)*k:] {
			t.products[(u*terms+first)*terms+second] = v
		}
	}
	times := func(a, b []float64) []float64 {
		for at, v := range a {
			t.factors[at] = v * b[at]
		}
		return t.factors
	}
	add(of.w, t.score, 2, 0, 1, 0)
	add(of.w, t.surplus, 2, 2, 2, 1)
	add(of.ww, times(t.score, t.score), 1, 0, 0, 0)
	add(of.ww, times(t.surplus, t.score), 1, 0, 2, 0)
	add(of.ww, times(t.surplus, t.surplus), 1, 0, 2, 2)
	add(of.v, ones(), 2, 1, 1, 1)
}

// add adds a list of n items with the weight w: the sums of its items' terms, and of the products of terms.
func (m *moments) add(n, w float64, sums, products []float64) {
	m.lists++
	m.weight += w
	m.each += w / n
	m.free += n - 1
	for k := range len(sums) / terms {
		for a := range terms {
			mean := sums[k*terms+a] / n
			m.mean[k*terms+a] += float64(w * mean)
			for b := range a + 1 {
				other := sums[k*terms+b] / n
				at := (k*terms+a)*terms + b
				m.means[at] += float64(w * mean * other)
				m.within[at] += products[at] - float64(n*mean*other)
			}
		}
	}
}

// length is the mean length of the lists.
func (m *moments) length() float64 { return m.weight / m.lists }

// covariances are those between and within lists, by the analysis of variance. The mean terms of a list vary between lists, and
// by chance as the mean of n items does; what is left between lists is made positive semidefinite.
func (m *moments) covariances(k int) (between, within []float64) {
	between, within = make([]float64, k*terms*terms), make([]float64, k*terms*terms)
	for u := range k {
		cell := func(a, b int) int { return (u*terms+a)*terms + b }
		var deviation [terms]float64 // within; 0 for a term that is always the same
		for a := range terms {
			for b := range a + 1 {
				within[cell(a, b)] = m.within[cell(a, b)] / m.free
				within[cell(b, a)] = within[cell(a, b)]
			}
			deviation[a] = math.Sqrt(max(0, within[cell(a, a)]))
		}
		// In deviations, so that no term counts for more by its scale.
		cov := mat.NewSymDense(terms, nil)
		for a := range terms {
			for b := range a + 1 {
				mean := float64(m.mean[u*terms+a] * m.mean[u*terms+b])
				left := m.means[cell(a, b)]/m.weight - mean - float64(within[cell(a, b)]*m.each/m.weight)
				if scale := deviation[a] * deviation[b]; scale > 0 {
					cov.SetSym(a, b, left/scale)
				}
			}
		}
		var axes mat.EigenSym
		if !axes.Factorize(cov, true) {
			continue // with no difference between people, short lists are read as by an average person
		}
		var vectors mat.Dense
		axes.VectorsTo(&vectors)
		for axis, value := range axes.Values(nil) {
			for a := range terms {
				for b := range terms {
					between[cell(a, b)] += float64(max(0, value) * vectors.At(a, axis) * deviation[a] * vectors.At(b, axis) * deviation[b])
				}
			}
		}
	}
	return between, within
}

package latent

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/core/partition"
	"fubini/core/vec"
)

// Population has the moments, over people, of what the items of a list add to Gaussian units. From them follow the
// expected values of the units if a short list went on to the mean length of lists in training: linear empirical Bayes,
// the credibility theory of Bühlmann (1967). See docs/maths.md#credibility.
//
// An item i in a list adds to unit k a vector of [Terms] numbers: its scaled score times W_ik, V_ik, and W_ik times its mean
// worth over people less that of the list.
type Population struct {
	Length  float64   // mean length of the lists in training
	Mean    []float64 // [unit][term]
	Between []float64 // [unit][term][term]: covariance between people of the mean terms of their items
	Within  []float64 // [unit][term][term]: covariance of the terms of one person's items

	Together *Together // of the units that are read together; nil for each by itself

	average []float64 // mean of each unit over people with lists of this length
}

// Terms is the number of terms of an item in a unit.
const Terms = 3

// NewPopulation returns the population with these moments of k units; see [Population] for the order of the numbers.
func NewPopulation(k int, length float64, mean, between, within []float64) (*Population, error) {
	if len(mean) != k*Terms || len(between) != k*Terms*Terms || len(within) != k*Terms*Terms {
		return nil, fmt.Errorf("latent: %d, %d and %d moments of people's lists; %d units have %d, %d and %d", len(mean), len(between), len(within), k, k*Terms, k*Terms*Terms, k*Terms*Terms)
	}
	for _, v := range slices.Concat([]float64{length}, mean, between, within) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("latent: a moment of people's lists is not a finite number")
		}
	}
	if !(length >= 1) {
		return nil, fmt.Errorf("latent: people's lists of length %g; it must be at least 1", length)
	}
	p := &Population{Length: length, Mean: mean, Between: between, Within: within, average: make([]float64, k)}
	for u := range p.average {
		p.average[u] = float64(length*mean[u*Terms]) + float64(math.Sqrt(length)*mean[u*Terms+1])
	}
	return p, nil
}

// Reading is how the items of a list are read into the units: each adds to unit k Factor[k][term] times its terms, and
// the expected value of the unit is that of an average person and what the items add beyond the Usual.
type Reading struct {
	Factor [][Terms]float64
	Usual  []float64
}

// Reading returns the reading of a list of n > 0 items.
func (c *Catalogue) Reading(n int) Reading {
	r := Reading{make([][Terms]float64, c.K), make([]float64, c.K)}
	for k := range r.Usual {
		if c.Population == nil {
			r.Factor[k] = [Terms]float64{1, Presence(n), 0}
			continue
		}
		var base float64
		base, r.Factor[k] = c.Population.reading(k, n)
		r.Usual[k] = (c.Population.average[k] - base) / float64(n)
	}
	return r
}

// reading returns the value of unit k that a list of n > 0 items begins with, and the factors of its terms. A list of the mean length or
// more is read as it stands. Of the sum over as many items as lists have on average those of a shorter list are known, and the others are expected at the person's mean,
// which is estimated by the best linear predictor: B (B + R/n)^-1 times the difference of the list's mean from that of people.
func (p *Population) reading(k, n int) (base float64, factor [Terms]float64) {
	if p.whole(n) {
		return 0, [Terms]float64{1, Presence(n), 0}
	}
	total := [Terms]float64{1, 1 / math.Sqrt(p.Length), 0} // of the terms in the unit
	rest := p.Length - float64(n)
	var sum [Terms * Terms]float64
	var a [Terms]float64
	between, within := p.Between[k*Terms*Terms:], p.Within[k*Terms*Terms:]
	for c := range Terms {
		for d := range Terms {
			sum[c*Terms+d] = between[c*Terms+d] + within[c*Terms+d]/float64(n)
			a[c] += float64(between[c*Terms+d] * total[d])
		}
	}
	for c := range Terms { // a term that the others determine is no evidence, nor is one that is always zero
		if sum[c*Terms+c] *= 1 + 1e-9; sum[c*Terms+c] == 0 {
			sum[c*Terms+c] = 1
		}
	}
	if !cholesky.Solve(sum[:], a[:]) {
		a = [Terms]float64{}
	}
	for c := range Terms {
		base += float64(rest * (total[c] - a[c]) * p.Mean[k*Terms+c])
		factor[c] = total[c] + float64(rest/float64(n)*a[c])
	}
	return base, factor
}

// whole reports whether a list of n items is read as it stands.
func (p *Population) whole(n int) bool { return float64(n) >= p.Length }

// Embed writes the embedding of a list, in the memory of a model that may have been another list's: the posterior means of
// the units or, with a population and for a shorter list, their expected values in a list of the mean length in training; some of them together, if the population says so. The items must be of the
// catalogue, and not none.
func (c *Catalogue) Embed(m *Model, items []int, x *partition.Partition, units []float64) {
	c.Refill(m, items)
	m.Posterior(x, units)
	n, p := len(items), c.Population
	if p == nil {
		return
	}
	if !p.whole(n) {
		terms := m.terms(c, items, x)
		own := Presence(n)
		for k := range c.K {
			base, factor := p.reading(k, n)
			units[k] += base + float64((factor[0]-1)*terms[k]) + float64((factor[1]-own)*terms[c.K+k]) + float64(factor[2]*terms[2*c.K+k])
		}
	}
	if p.Together != nil {
		together := units[:len(p.Together.Ridge)]
		for k := range together {
			together[k] -= c.B[k] + p.average[k]
		}
		m.regard(c, items, together, false)
		for k := range together {
			together[k] += c.B[k] + p.average[k]
		}
	}
}

// terms are the sums over the items of a list of each term: [term][unit].
func (m *Model) terms(c *Catalogue, items []int, x *partition.Partition) []float64 {
	m.sums = slices.Grow(m.sums[:0], Terms*c.K)[:Terms*c.K]
	clear(m.sums)
	m.surplus = c.Surplus(items, nil, m.surplus[:0])
	for t := range x.Len() {
		score := m.score(x, t)
		for _, at := range x.Block(t) {
			vec.AddTimes(m.sums[:c.K], m.w[at*c.K:(at+1)*c.K], score)
		}
	}
	for at, i := range items {
		vec.AddTimes(m.sums[2*c.K:], m.w[at*c.K:(at+1)*c.K], m.surplus[at])
		if c.V != nil {
			vec.AddTimes(m.sums[c.K:2*c.K], c.V[i*c.K:(i+1)*c.K], 1)
		}
	}
	return m.sums
}

// Surplus appends, for each item of a list, its mean worth over people less the mean of the list's items. Worths are those of all items
// ([Catalogue.Worths]), for whoever asks for many lists; nil has those of the list computed.
func (c *Catalogue) Surplus(items []int, worths, to []float64) []float64 {
	from, own := len(to), c.OwnPresence(0)
	var sum float64
	for _, i := range items {
		var worth float64
		if worths != nil {
			worth = worths[i]
		} else {
			worth = c.worth(i, own)
		}
		sum += worth
		to = append(to, worth)
	}
	for at := range items {
		to[from+at] -= sum / float64(len(items))
	}
	return to
}

// Worths are the mean worths of all items over people.
func (c *Catalogue) Worths() []float64 {
	worths, own := make([]float64, c.Items), c.OwnPresence(0)
	for i := range worths {
		worths[i] = c.worth(i, own)
	}
	return worths
}

// worth is the mean worth of an item over people, given the factor on its own presence weights.
func (c *Catalogue) worth(i int, own float64) float64 {
	w, worth := c.W[i*c.K:(i+1)*c.K], c.U[i]
	if p := c.Population; p != nil {
		worth += vec.Dot(w, p.average)
	}
	if own > 0 {
		worth += float64(own * vec.Dot(w, c.V[i*c.K:(i+1)*c.K]))
	}
	return worth
}

// OwnPresence is the factor on the presence weights of an item that a list of n items would be longer by: as in a list of n, or of
// the mean length in training if that is more. It is 0 without presence weights.
func (c *Catalogue) OwnPresence(n int) float64 {
	switch {
	case c.V == nil:
		return 0
	case c.Population != nil:
		return 1 / math.Sqrt(max(c.Population.Length, float64(n)))
	case n == 0:
		return 0
	}
	return Presence(n)
}

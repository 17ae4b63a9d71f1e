package ballot

import (
	"math"
	"slices"
)

// loadChoices sets the tie weights at theta, and their rows, from coordinate n on.
func (m *Local) loadChoices(theta []float64, z []float64) {
	m.choices.tied = m.choices.tied[:0]
	for k := range m.tieSizes {
		at := m.Nu
		if k > 0 {
			at = m.Delta + k - 1
		}
		tied := theta[at]
		row := append(m.Rows[m.n+k][:0], Entry{at, 1})
		for j, x := range z {
			tied += x * theta[m.Alpha+j]
			row = append(row, Entry{m.Alpha + j, x})
		}
		m.Rows[m.n+k] = row
		m.choices.tied = append(m.choices.tied, tied)
	}
	m.Dim = m.n + len(m.tieSizes)
}

// visit calls each with all sets that can be chosen from the places left, in an order of its own, and the index of
// their size among the tie sizes, -1 for one.
func (c *choices) visit(sizes []int, each func(size int, set []int)) {
	for _, k := range c.left {
		c.set = append(c.set[:0], k)
		each(-1, c.set)
	}
	for s, size := range sizes {
		if size > len(c.left) {
			break
		}
		c.set = c.set[:0]
		c.combine(0, size, func() { each(s, c.set) })
	}
}

// combine extends the set by places left from one on.
func (c *choices) combine(from, size int, each func()) {
	if len(c.set) == size {
		each()
		return
	}
	for at := from; at <= len(c.left)-(size-len(c.set)); at++ {
		c.set = append(c.set, c.left[at])
		c.combine(at+1, size, each)
		c.set = c.set[:len(c.set)-1]
	}
}

// weight is the log weight of a choice.
func (m *Local) weight(size int, set []int) float64 {
	if size < 0 {
		return m.v[set[0]]
	}
	sum := 0.0
	for _, k := range set {
		sum += m.v[k]
	}
	return m.choices.tied[size] + sum/float64(len(set))
}

// choose returns the log likelihood of one outcome, writes its gradient by the local coordinates to m.Statistic, and if
// asked for the information, summed over the choices that were made, to m.Covariance.
func (m *Local) choose(tiers []int32, information bool) (value float64) {
	gradient := m.Statistic[:m.Dim]
	clear(gradient)
	if information {
		clear(m.Covariance[:m.Dim*m.Dim])
	}
	m.eachChoice(tiers, func(size int, chosen []int) {
		value += m.weight(size, chosen) - m.chance()
		mean := m.choices.mean
		at := 0
		m.choices.visit(m.tieSizes, func(size int, set []int) {
			p := m.choices.weights[at]
			at++
			m.addChoice(mean, size, set, p)
			if information {
				m.addSquare(size, set, p)
			}
		})
		m.addChoice(gradient, size, chosen, 1)
		for a, v := range mean {
			gradient[a] -= v
			if information && v != 0 {
				for b, w := range mean {
					m.Covariance[a*m.Dim+b] -= v * w
				}
			}
		}
	})
	return value
}

// addChoice adds the statistics of a choice, p times.
func (m *Local) addChoice(out []float64, size int, set []int, p float64) {
	for _, k := range set {
		out[k] += p / float64(len(set))
	}
	if size >= 0 {
		out[m.n+size] += p
	}
}

// addSquare adds the products of the statistics of a choice, p times.
func (m *Local) addSquare(size int, set []int, p float64) {
	share := 1 / float64(len(set))
	for _, k := range set {
		for _, l := range set {
			m.Covariance[k*m.Dim+l] += p * share * share
		}
		if size >= 0 {
			m.Covariance[k*m.Dim+m.n+size] += p * share
			m.Covariance[(m.n+size)*m.Dim+k] += p * share
		}
	}
	if size >= 0 {
		m.Covariance[(m.n+size)*(m.Dim+1)] += p
	}
}

// eachChoice goes through the tiers of an outcome, best first, with the places left at each. The last item is no choice.
func (m *Local) eachChoice(tiers []int32, each func(size int, chosen []int)) {
	c := &m.choices
	c.left = c.left[:0]
	for k := range tiers {
		c.left = append(c.left, k)
	}
	if len(c.mean) < m.Dim {
		c.mean = make([]float64, m.Dim)
	}
	var chosen []int
	for len(c.left) > 1 {
		best := tiers[c.left[0]]
		for _, k := range c.left {
			best = min(best, tiers[k])
		}
		chosen = chosen[:0]
		for _, k := range c.left {
			if tiers[k] == best {
				chosen = append(chosen, k)
			}
		}
		c.mean = c.mean[:m.Dim]
		clear(c.mean)
		each(slices.Index(m.tieSizes, len(chosen)), chosen)
		c.left = slices.DeleteFunc(c.left, func(k int) bool { return tiers[k] == best })
	}
}

// chance fills in the probabilities of all choices from what is left, and returns the log of their normaliser.
func (m *Local) chance() (logZ float64) {
	c := &m.choices
	c.weights = c.weights[:0]
	most := math.Inf(-1)
	c.visit(m.tieSizes, func(size int, set []int) {
		w := m.weight(size, set)
		c.weights = append(c.weights, w)
		most = max(most, w)
	})
	var z float64
	for k, w := range c.weights {
		c.weights[k] = math.Exp(w - most)
		z += c.weights[k]
	}
	for k := range c.weights {
		c.weights[k] /= z
	}
	return most + math.Log(z)
}

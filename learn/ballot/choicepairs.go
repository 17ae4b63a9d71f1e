package ballot

import "math"

// maxReached is the largest number of items from which all sequences of choices with ties are summed: over the 2^n sets of items
// that may be left, and the choices from each.
const maxReached = 8

// choicesAreSummed is whether the probabilities of pairs are summed over all sequences of choices. Without ties there is no need
// to: of two items the first to be chosen is the one that would be chosen from the two alone.
func (m *Local) choicesAreSummed() bool { return len(m.tieSizes) == 0 || m.n <= maxReached }

// allChoicePairs are the probabilities of all pairs of places, over all sequences of choices.
func (m *Local) allChoicePairs() (above, tied []float64) {
	n := m.n
	above, tied = make([]float64, n*n), make([]float64, n*n)
	if len(m.tieSizes) == 0 {
		for k := range n {
			for l := range n {
				if k != l {
					above[k*n+l] = 1 / (1 + math.Exp(m.v[l]-m.v[k]))
				}
			}
		}
		return above, tied
	}
	reach := make([]float64, 1<<n) // probability that a set of places is left at some choice
	reach[len(reach)-1] = 1
	in := make([]bool, n)
	c := &m.choices
	for mask := len(reach) - 1; mask > 0; mask-- { // a choice leaves a set with a smaller number
		c.left = c.left[:0]
		for k := range n {
			if mask>>k&1 == 1 {
				c.left = append(c.left, k)
			}
		}
		if reach[mask] == 0 || len(c.left) < 2 {
			continue
		}
		m.chance()
		m.eachChosen(func(p float64, set []int) {
			p *= reach[mask]
			left := mask
			for _, k := range set {
				left &^= 1 << k
			}
			reach[left] += p
			addChosen(above, tied, n, p, set, c.left, in)
		})
	}
	return above, tied
}

// choicePairs are the expected outcomes of all pairs of places given a vote: at each choice that was made from both, the
// probabilities that one of them is chosen without the other, and that both are.
func (m *Local) choicePairs(tiers []int32) (above, tied []float64) {
	n := m.n
	above, tied = make([]float64, n*n), make([]float64, n*n)
	in := make([]bool, n)
	m.eachChoice(tiers, func(int, []int) {
		m.chance()
		m.eachChosen(func(p float64, set []int) { addChosen(above, tied, n, p, set, m.choices.left, in) })
	})
	return above, tied
}

// eachChosen calls each with the sets that can be chosen from what is left, and their probabilities, which chance has computed.
func (m *Local) eachChosen(each func(p float64, set []int)) {
	at := 0
	m.choices.visit(m.tieSizes, func(_ int, set []int) {
		each(m.choices.weights[at], set)
		at++
	})
}

// addChosen adds the pairs that the choice of a set from what is left decides, p times. In is scratch, all false.
func addChosen(above, tied []float64, n int, p float64, set, left []int, in []bool) {
	for _, k := range set {
		in[k] = true
	}
	for _, k := range set {
		for _, l := range left {
			switch {
			case !in[l]:
				above[k*n+l] += p
			case l != k:
				tied[k*n+l] += p
			}
		}
	}
	for _, k := range set {
		in[k] = false
	}
}

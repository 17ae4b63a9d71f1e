package ballot

import "math"

// separable is whether the model of two tiers in hand is one of independent items, conditional on the size of the upper
// tier: nothing but worths, tie weights of items and weights by size.
func (m *Local) separable() bool {
	return m.Space == TwoTiers && m.Ties != DistanceTies && m.Pairs.Dim() == 0
}

// expectTwo does what [Local.Expect] does for a separable model of two tiers, by the size s of the upper tier. With the
// worths v_k and the tie deviations t_k the log weight of an upper tier S is, up to terms of s alone, the sum over S of
//
//	x_k = n v_k/2 + (2s - n) t_k/2 :
//
// items are in S independently, given that there are s of them. See docs/maths.md#two-tiers. It takes n^4 steps with the
// covariance, where all outcomes are 2^n.
func (m *Local) expectTwo(covariance bool) {
	n, dim := m.n, m.Dim
	logs := make([]float64, n)   // of the weight of each size
	in := make([][]float64, n)   // by size: probability of each item to be in the upper tier
	both := make([][]float64, n) // and of each pair
	x := make([]float64, n)
	events := &independent{make([]float64, n), make([]float64, n), make([]float64, n+1)}
	for s := 1; s < n; s++ {
		fixed := m.nu * (choose2(s) + choose2(n-s))
		if m.tierSizes() > 0 {
			fixed += m.sizes.At(s, false) + m.sizes.At(n-s, true)
		}
		for k := range n {
			x[k] = float64(n) / 2 * m.v[k]
			fixed -= float64(s) / 2 * m.v[k]
			if m.Ties == ItemTies {
				x[k] += float64(2*s-n) / 2 * m.deviation[k]
				fixed += float64(n-s-1) / 2 * m.deviation[k]
			}
		}
		var log float64
		log, in[s], both[s] = events.given(x, s, covariance)
		logs[s] = fixed + log
	}
	largest := math.Inf(-1)
	for _, w := range logs[1:] {
		largest = max(largest, w)
	}
	var z float64
	for s := 1; s < n; s++ {
		logs[s] = math.Exp(logs[s] - largest)
		z += logs[s]
	}
	m.LogZ = largest + math.Log(z)
	mean := m.Mean[:dim]
	clear(mean)
	if covariance {
		clear(m.Covariance[:dim*dim])
	}
	constant, factor := make([]float64, dim), make([]float64, dim) // of each statistic given s: constant + factor [its item is in S]
	expected := make([]float64, dim)
	for s := 1; s < n; s++ {
		p := logs[s] / z
		m.ofSize(s, constant, factor)
		for a := range dim {
			expected[a] = constant[a]
			if factor[a] != 0 {
				expected[a] += factor[a] * in[s][m.itemOf(a)]
			}
			mean[a] += p * expected[a]
		}
		if !covariance {
			continue
		}
		for a := range dim {
			for b := range a + 1 {
				square := expected[a] * expected[b]
				if factor[a] != 0 && factor[b] != 0 {
					k, l := m.itemOf(a), m.itemOf(b)
					square += factor[a] * factor[b] * (both[s][k*n+l] - in[s][k]*in[s][l])
				}
				m.Covariance[a*dim+b] += p * square
			}
		}
	}
	m.centre(covariance)
}

// itemOf is the place of a statistic that belongs to one item.
func (m *Local) itemOf(a int) int {
	if a >= m.n {
		return a - m.at.Tie
	}
	return a
}

// ofSize writes the statistics as functions of which items are in an upper tier of s.
func (m *Local) ofSize(s int, constant, factor []float64) {
	n := m.n
	clear(constant)
	clear(factor)
	for k := range n {
		constant[k], factor[k] = -float64(s)/2, float64(n)/2
		if m.Ties == ItemTies {
			constant[m.at.Tie+k], factor[m.at.Tie+k] = float64(n-s-1)/2, float64(2*s-n)/2
		}
	}
	constant[m.at.Nu] = choose2(s) + choose2(n-s)
	of := m.tierSizes()
	if s <= of {
		constant[m.at.Size+s-1]++
	}
	if n-s <= of {
		constant[m.at.Size+n-s-1]++
		constant[m.at.Size+of+n-s-1]++
	}
}

// choose2 is the number of pairs.
func choose2(n int) float64 { return float64(n*(n-1)) / 2 }

// independent is events of which a given number happen.
type independent struct {
	p, q []float64 // probability of each, and one less it
	sums []float64 // distribution of their number
}

// given returns the log of the elementary symmetric polynomial of degree s in exp(x), and the probabilities that each
// event, and each pair, happens given that s do. The events have the log odds x less a constant, which changes nothing and
// makes s a probable number: no sum is small.
func (d *independent) given(x []float64, s int, pairs bool) (log float64, one, two []float64) {
	n := len(x)
	shift := d.balance(x, s)
	log = shift * float64(s)
	for _, v := range x {
		log += max(v-shift, 0) + math.Log1p(math.Exp(-math.Abs(v-shift))) // -log q
	}
	all := d.chance(s, -1, -1)
	log += math.Log(all)
	one = make([]float64, n)
	for k, p := range d.p {
		one[k] = p * d.chance(s-1, k, -1) / all
	}
	if !pairs {
		return log, one, nil
	}
	two = make([]float64, n*n)
	for k, p := range d.p {
		two[k*n+k] = one[k]
		for l := range k {
			if s > 1 {
				two[k*n+l] = p * d.p[l] * d.chance(s-2, k, l) / all
			}
			two[l*n+k] = two[k*n+l]
		}
	}
	return log, one, two
}

// balance sets the probabilities so that their sum is about s, and returns the constant taken off the log odds.
func (d *independent) balance(x []float64, s int) (shift float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	odds := math.Log(float64(s) / float64(len(x)-s))
	low, high = low-odds, high-odds // all probabilities are then at least s/n, or at most
	for range 60 {
		shift = (low + high) / 2
		var sum float64
		for k, v := range x {
			d.p[k], d.q[k] = 1/(1+math.Exp(shift-v)), 1/(1+math.Exp(v-shift))
			sum += d.p[k]
		}
		switch {
		case math.Abs(sum-float64(s)) < 1e-3:
			return shift
		case sum > float64(s):
			low = shift
		default:
			high = shift
		}
	}
	return shift
}

// chance is the probability that s of the events happen, two of them left out (-1 for none).
func (d *independent) chance(s, without, other int) float64 {
	sums := d.sums[:s+1]
	clear(sums)
	sums[0] = 1
	for k, p := range d.p {
		if k == without || k == other {
			continue
		}
		for r := s; r > 0; r-- {
			sums[r] = sums[r]*d.q[k] + sums[r-1]*p
		}
		sums[0] *= d.q[k]
	}
	return sums[s]
}

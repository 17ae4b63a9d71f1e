package ballot

import (
	"math"

	"fubini/core/partition"
)

// maxListed is the largest number of items whose outcomes are listed in every space: 541 of five.
const maxListed = 5

// listed is whether all outcomes of the vote in hand are listed: those of up to maxListed items, and the 2^n - 2 of two
// tiers, which are fewer than the steps of a subset table.
func (m *Local) listed() bool { return m.n <= maxListed || m.Space == TwoTiers }

// twoTiers are the tiers of all outcomes of n items in two tiers.
func twoTiers(n int) (outcomes [][]int32) {
	for upper := 1; upper < 1<<n-1; upper++ {
		tiers := make([]int32, n)
		for k := range tiers {
			if upper>>k&1 == 0 {
				tiers[k] = 1
			}
		}
		outcomes = append(outcomes, tiers)
	}
	return outcomes
}

// list does what [Local.Expect] does, from all outcomes.
func (m *Local) list(covariance bool) {
	outcomes := m.Outcomes()
	p := m.probabilities[:0]
	largest := math.Inf(-1)
	for _, tiers := range outcomes {
		w := m.LogWeight(tiers)
		p = append(p, w)
		largest = max(largest, w)
	}
	var z float64
	for o, w := range p {
		p[o] = math.Exp(w - largest)
		z += p[o]
	}
	m.probabilities, m.LogZ = p, largest+math.Log(z)
	mean := m.Mean[:m.Dim]
	clear(mean)
	if covariance {
		clear(m.Covariance[:m.Dim*m.Dim])
	}
	for o, tiers := range outcomes {
		p[o] /= z
		m.StatisticsOf(tiers, m.Statistic)
		for a, s := range m.Statistic[:m.Dim] {
			if s == 0 {
				continue
			}
			mean[a] += p[o] * s
			if covariance {
				row := m.Covariance[a*m.Dim : a*m.Dim+a+1]
				for b := range row {
					row[b] += p[o] * s * m.Statistic[b]
				}
			}
		}
	}
	m.centre(covariance)
}

// centre makes covariances of the mean products in the lower triangle.
func (m *Local) centre(covariance bool) {
	if !covariance {
		return
	}
	for a := range m.Dim {
		for b := range a + 1 {
			c := m.Covariance[a*m.Dim+b] - m.Mean[a]*m.Mean[b]
			m.Covariance[a*m.Dim+b], m.Covariance[b*m.Dim+a] = c, c
		}
	}
}

// Outcomes are the tiers of the outcomes of n items.
func (m *Local) Outcomes() [][]int32 {
	for len(m.listing) <= m.n {
		m.listing = append(m.listing, nil)
	}
	if m.listing[m.n] == nil && m.Space == TwoTiers {
		m.listing[m.n] = twoTiers(m.n)
	}
	if m.listing[m.n] == nil {
		space := m.Space.Of(m.n)
		for x := range partition.All(m.n) {
			if !space.Contains(x.Len()) {
				continue
			}
			tiers := make([]int32, m.n)
			for t := range x.Len() {
				for _, k := range x.Block(t) {
					tiers[k] = int32(t)
				}
			}
			m.listing[m.n] = append(m.listing[m.n], tiers)
		}
	}
	return m.listing[m.n]
}

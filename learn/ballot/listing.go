package ballot

import (
	"math"

	"fubini/core/partition"
)

// listed is whether all outcomes of the vote in hand are listed: those of up to maxListed items, and the 2^n - 2 of two
// tiers, which are fewer than the steps of a subset table.
func (m *Local) listed() bool { return m.n <= maxListed || m.Space == TwoTiers }

// twoTiers are the tiers of all outcomes of n items in two tiers, in the order of Gray's code: one item is moved from each to the
// next, but for two where the outcome with all items in one tier is left out.
func twoTiers(n int) (outcomes [][]int32) {
	all := make([]int32, n<<n)
	for code := range 1 << n {
		upper := code ^ code>>1
		if upper == 0 || upper == 1<<n-1 {
			continue
		}
		tiers := all[:n:n]
		all = all[n:]
		for k := range tiers {
			if upper>>k&1 == 0 {
				tiers[k] = 1
			}
		}
		outcomes = append(outcomes, tiers)
	}
	return outcomes
}

// moved is the one place whose tier differs between an outcome of two tiers and the next; -1 if there are several.
func moved(before, after []int32) int {
	at := -1
	for k, t := range after {
		if t != before[k] {
			if at >= 0 {
				return -1
			}
			at = k
		}
	}
	return at
}

// move adds to the statistics of an outcome of two tiers, if there are any, what the move of place k into its tier changed, and returns the change of
// the log weight.
func (m *Local) move(tiers []int32, k int, out []float64) (weight float64) {
	n, upper := m.n, 0
	for l, t := range tiers {
		if t == 0 {
			upper++
		}
		if l == k {
			continue
		}
		tie, over, under := 1.0, 0.0, 0.0 // the pair as it is now, less as it was
		first, second := max(k, l), min(k, l)
		if t != tiers[k] {
			tie = -1
		}
		if above := tiers[k] == 0; (t == tiers[k]) != above == (k == first) { // k is, or was, above l and the first, or neither
			over = -tie
		} else {
			under = -tie
		}
		weight += tie*m.tie[first*n+second] + over*m.above[first*n+second] + under*m.above[second*n+first]
		if out != nil {
			m.addPair(out, first, second, tie, over, under)
		}
	}
	before := upper + 1
	if tiers[k] == 0 {
		before = upper - 1
	}
	if m.tierSizes() > 0 {
		weight += m.addSizes(out, upper, 1) + m.addSizes(out, before, -1)
	}
	return weight
}

// addSizes adds the tiers of an outcome of two tiers, s items in the upper one, to the statistics by a factor, and returns their weight.
func (m *Local) addSizes(out []float64, s int, by float64) float64 {
	of, last := m.tierSizes(), m.n-s
	if s <= of && out != nil {
		out[m.at.Size+s-1] += by
	}
	if last <= of && out != nil {
		out[m.at.Size+last-1] += by
		out[m.at.Size+of+last-1] += by
	}
	return by * (m.sizes.At(s, false) + m.sizes.At(last, true))
}

// visit calls do with the log weights of all outcomes, or if asked for with their statistics in m.Statistic. Long lists of two tiers are summed by
// what changes from one to the next, and now and then anew, so that rounding does not gather.
func (m *Local) visit(statistics bool, do func(o int, weight float64)) {
	const anew = 256
	outcomes := m.Outcomes()
	var weight float64
	for o, tiers := range outcomes {
		at := -1
		if m.n > maxListed && o%anew > 0 {
			at = moved(outcomes[o-1], tiers)
		}
		switch {
		case at >= 0 && statistics:
			m.move(tiers, at, m.Statistic)
		case at >= 0:
			weight += m.move(tiers, at, nil)
		case statistics:
			m.StatisticsOf(tiers, m.Statistic)
		default:
			weight = m.LogWeight(tiers)
		}
		do(o, weight)
	}
}

// fixed is the statistics of all outcomes of the vote in hand, one after the other, where they are those of any vote of n items:
// ties depend on no distance, and pairs have no features. Nil where they are not, and where the coordinates are those of choices.
func (m *Local) fixed() []float64 {
	if m.n > maxListed || m.Choices || m.Ties == DistanceTies || m.Pairs.Dim() > 0 {
		return nil
	}
	all := &m.statistics[m.n]
	if *all == nil {
		for _, tiers := range m.Outcomes() {
			m.StatisticsOf(tiers, m.Statistic)
			*all = append(*all, m.Statistic[:m.Dim]...)
		}
	}
	return *all
}

// point is the coordinates of the vote in hand, of which the log weights of outcomes are inner products with their fixed statistics.
func (m *Local) point(x []float64) []float64 {
	x = append(x[:0], m.v...)
	if m.ties() {
		x = append(x, m.nu)
	}
	x = append(x, m.deviation...)
	for s := range 2 * m.tierSizes() {
		x = append(x, m.sizes[m.sizeIndex(s)])
	}
	return x
}

// list does what [Local.Expect] does, from all outcomes.
func (m *Local) list(covariance bool) {
	p := m.probabilities[:0]
	largest := math.Inf(-1)
	fixed := m.fixed()
	if fixed == nil {
		m.visit(false, func(_ int, w float64) {
			p = append(p, w)
			largest = max(largest, w)
		})
	}
	x := m.point(m.Statistic)
	for rest := fixed; len(rest) > 0; rest = rest[m.Dim:] {
		var w float64
		for a, s := range rest[:m.Dim] {
			w += s * x[a]
		}
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
	add := func(o int, statistic []float64) {
		p[o] /= z
		for a, s := range statistic {
			if s == 0 {
				continue
			}
			mean[a] += p[o] * s
			if covariance {
				row := m.Covariance[a*m.Dim : a*m.Dim+a+1]
				for b := range row {
					row[b] += p[o] * s * statistic[b]
				}
			}
		}
	}
	if fixed == nil {
		m.visit(true, func(o int, _ float64) { add(o, m.Statistic[:m.Dim]) })
	} else {
		for o := range p {
			add(o, fixed[o*m.Dim:(o+1)*m.Dim])
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

package ballot

// LogWeight is the log weight of an outcome.
func (m *Local) LogWeight(tiers []int32) (weight float64) {
	for k := range tiers {
		for l := range k {
			switch {
			case tiers[k] == tiers[l]:
				weight += m.tie[k*m.n+l]
			case tiers[k] < tiers[l]:
				weight += m.above[k*m.n+l]
			default:
				weight += m.above[l*m.n+k]
			}
		}
	}
	if m.tierSizes() > 0 {
		eachTier(tiers, func(size int, last bool) { weight += m.sizes.At(size, last) })
	}
	return weight
}

// LogProbability returns the log probability of an outcome. [Local.Expect] must have been called before.
func (m *Local) LogProbability(tiers []int32) float64 { return m.LogWeight(tiers) - m.LogZ }

// addPair adds the statistics of a pair of places k > l: share times those of a tie, of k above l, and of l above k.
func (m *Local) addPair(out []float64, k, l int, tied, over, under float64) {
	n := m.n
	half := (over - under) / 2
	out[k] += half
	out[l] -= half
	at := n
	if m.ties() {
		out[at] += tied
		at++
		if m.Ties == ItemTies {
			out[at+k] += tied / 2
			out[at+l] += tied / 2
			at += n
		}
		if m.Ties == DistanceTies {
			slope := tied * m.slope[k*n+l]
			out[k] += slope
			out[l] -= slope
			out[at] += tied * m.curve[k*n+l]
			at++
		}
	}
	f := 0
	if m.ties() {
		for range m.Pairs.Ties {
			out[at] += tied * m.features[f*n*n+k*n+l]
			at++
			f++
		}
	}
	for range m.Pairs.Orders {
		out[at] += over*m.features[f*n*n+k*n+l] + under*m.features[f*n*n+l*n+k]
		at++
		f++
	}
}

// StatisticsOf writes the statistics of an outcome.
func (m *Local) StatisticsOf(tiers []int32, out []float64) {
	clear(out[:m.Dim])
	for k := range tiers {
		for l := range k {
			switch {
			case tiers[k] == tiers[l]:
				m.addPair(out, k, l, 1, 0, 0)
			case tiers[k] < tiers[l]:
				m.addPair(out, k, l, 0, 1, 0)
			default:
				m.addPair(out, k, l, 0, 0, 1)
			}
		}
	}
	if of := m.tierSizes(); of > 0 {
		eachTier(tiers, func(size int, last bool) {
			if size <= of {
				out[m.at.Size+size-1]++
				if last {
					out[m.at.Size+of+size-1]++
				}
			}
		})
	}
}

// ByVote reports whether votes are fitted by the slot likelihood or as sequences of choices: the gradient of a vote is then no
// difference of its statistics from their mean, and is computed vote by vote ([Local.OfVote]).
func (m *Local) ByVote() bool { return m.Slots || m.Choices }

// OfVote is the log likelihood of a vote, by its slots or choices, with its gradient by the local coordinates in m.Statistic
// and, if asked for, its information in m.Covariance.
func (m *Local) OfVote(tiers []int32, information bool) float64 {
	if m.Choices {
		return m.choose(tiers, information)
	}
	return m.Composite(tiers, information)
}

// Residual writes the gradient of the log likelihood of one vote by the local coordinates to m.Statistic. [Local.Expect] must have
// been called before.
func (m *Local) Residual(tiers []int32) {
	if m.ByVote() {
		m.OfVote(tiers, false)
		return
	}
	m.StatisticsOf(tiers, m.Statistic)
	for a, v := range m.Mean[:m.Dim] {
		m.Statistic[a] -= v
	}
}

// LogOf is the log likelihood of one vote. [Local.Expect] must have been called before.
func (m *Local) LogOf(tiers []int32) float64 {
	if m.ByVote() {
		return m.OfVote(tiers, false)
	}
	return m.LogProbability(tiers)
}

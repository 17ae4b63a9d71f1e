package ballot

// PairsByVote reports whether a sum over all outcomes is too long, so that the probabilities of pairs are conditional on the
// outcome of a vote ([Local.VotePairs]): with the slot likelihood, and for choices with ties from more than maxReached items.
func (m *Local) PairsByVote() bool { return m.Slots || m.Choices && !m.choicesAreSummed() }

// ExpectedPairs returns the probabilities, for all pairs of places, that the one item stands above the other and that they tie.
func (m *Local) ExpectedPairs() (above, tied []float64, err error) {
	n := m.n
	if m.Choices {
		above, tied = m.allChoicePairs()
		return above, tied, nil
	}
	above, tied = make([]float64, n*n), make([]float64, n*n)
	if m.listed() {
		m.list(false)
		for o, tiers := range m.Outcomes() {
			for k := range n {
				for l := range n {
					switch p := m.probabilities[o]; {
					case k == l:
					case tiers[k] == tiers[l]:
						tied[k*n+l] += p
					case tiers[k] < tiers[l]:
						above[k*n+l] += p
					}
				}
			}
		}
		return above, tied, nil
	}
	moments, err := m.moments()
	if err != nil {
		return nil, nil, err
	}
	for k := range n {
		for l := range n {
			above[k*n+l], tied[k*n+l] = moments.Above(k, l), moments.Tied(k, l)
		}
	}
	return above, tied, nil
}

// VotePairs are the probabilities of pairs that go with OfVote, where PairsByVote is true.
func (m *Local) VotePairs(tiers []int32) (above, tied []float64) {
	if m.Choices {
		return m.choicePairs(tiers)
	}
	return m.slotPairs(tiers)
}

// Chances are the probabilities that item i wins against item j, ties with it and loses, without
// covariates of places and votes, for a rater of reliability 1.
func (d *Data) Chances(theta []float64, i, j int) (win, tie, loss float64) {
	one := *d
	one.Places, one.Votes, one.Raters, one.Cluster = nil, nil, 0, false
	first, second := int32(min(i, j)), int32(max(i, j))
	one.votes = Votes{Start: []int32{0, 2}, Item: []int32{first, second}, Tier: []int32{0, 1}, Weight: []float64{1}}
	m := one.NewLocal()
	m.Load(theta, 0)
	m.list(false)
	for o, tiers := range m.Outcomes() {
		switch p := m.probabilities[o]; {
		case tiers[0] == tiers[1]:
			tie = p
		case (tiers[0] < tiers[1]) == (i < j):
			win = p
		default:
			loss = p
		}
	}
	return win, tie, loss
}
